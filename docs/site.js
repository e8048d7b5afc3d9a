// A picture opens over the page, as large as it was drawn, and scrolls there. Without scripts its link leads to its file.

document.addEventListener("click", (event) => {
  const picture = event.target instanceof HTMLImageElement ? event.target : null;
  const link = picture?.closest("a");
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0;
  if (!picture || !link || link.getAttribute("href") !== picture.getAttribute("src") || !plain) return;
  event.preventDefault();
  const dialog = document.createElement("dialog");
  dialog.className = "picture";
  dialog.setAttribute("aria-label", picture.alt);
  const large = document.createElement("img");
  large.src = picture.src;
  large.alt = picture.alt;
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  dialog.append(close, large);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
});
