// Hides the rows of the strategy whose infoset lacks one of the words.
"use strict";
const rows = [...document.querySelectorAll("#strategy tbody tr")];
const found = document.getElementById("found");
document.getElementById("search")?.addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.cells[1].textContent.toLowerCase();
    const fits = words.every((word) => text.includes(word));
    row.hidden = !fits;
    shown += fits;
  }
  found.textContent = shown.toLocaleString("en") + " infosets";
});
