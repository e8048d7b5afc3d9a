// Controls of the small labs.

import { h, newId } from "../../serve/static/js/dom.js";

/** Return a slider with its label and the number that it stands at. */
export function slider(label, name, { min = 0, max = 1, step = 0.01, value, set }) {
  const id = newId("lab");
  const shown = h("output", { for: id });
  const input = h("input", { type: "range", id, min, max, step, value, oninput: () => set(Number(input.value)) });
  const box = h("div", { class: `slide ${name}` }, h("label", { for: id }, label), shown, input);
  const show = (number, text) => {
    input.value = String(number);
    input.setAttribute("aria-valuetext", text);
    shown.textContent = text;
  };
  return { box, show };
}

/** Return buttons of which one is pressed. */
export function choice(label, options, set) {
  const buttons = Object.entries(options).map(([value, text]) =>
    h("button", { type: "button", "data-value": value, onclick: () => set(value) }, text),
  );
  const box = h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
  const show = (value, texts) => {
    buttons.forEach((button, i) => {
      if (texts) button.textContent = texts[i];
      button.setAttribute("aria-pressed", String(button.dataset.value === value));
    });
  };
  return { box, show };
}
