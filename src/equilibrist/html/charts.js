// Draws the figures of the page with Plotly, light or dark.
"use strict";
const { charts, themes } = JSON.parse(document.getElementById("figures").textContent);
const places = [...document.querySelectorAll(".chart")];
const choices = places.map((place) => place.parentElement.querySelector("select"));
const system = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");
let chosen = null;

const look = () => chosen ?? (system.matches ? "dark" : "light");

// The "meta" of a trace is the number of its colour, so that each theme can paint it.
function painted(trace, colours) {
  const colour = colours[trace.meta];
  if (trace.line) trace.line.color = colour;
  else trace.marker = { color: colour, ...trace.marker };
  return trace;
}

function draw(number) {
  const theme = themes[look()];
  const { data, layout } = structuredClone(charts[number][choices[number]?.selectedIndex ?? 0]);
  const traces = data.map((trace) => painted(trace, theme.colours));
  Plotly.react(
    places[number],
    traces,
    { ...layout, template: theme.template },
    { responsive: true, displaylogo: false },
  );
}

function drawAll() {
  document.documentElement.dataset.theme = look();
  button.textContent = look() === "dark" ? "Light" : "Dark";
  places.forEach((_, number) => draw(number));
}

choices.forEach((choice, number) => choice?.addEventListener("change", () => draw(number)));
button.addEventListener("click", () => {
  chosen = look() === "dark" ? "light" : "dark";
  drawAll();
});
system.addEventListener("change", drawAll);
drawAll();
