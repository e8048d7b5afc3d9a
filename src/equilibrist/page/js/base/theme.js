// Light or dark, as chosen here or as the system says; before the page is drawn, so that nothing flashes.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {} // storage may be forbidden
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
