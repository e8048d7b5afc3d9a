// A select.
import { h } from "../base/dom.js";

/**
 * Return a select of texts, or of [value, text].
 * @param {(string | string[])[]} options
 * @param {string} value
 * @returns {HTMLSelectElement}
 */
export function choice(options, value) {
  const select = h(
    "select",
    {},
    options.map((option) => {
      const [own, text] = Array.isArray(option) ? option : [option, option];
      return h("option", { value: own }, text);
    }),
  );
  select.value = value;
  return select;
}

/**
 * Give a control a value; a select has it also where it is none of its choices, so that it is seen, and refused.
 * @param {any} control
 * @param {any} value
 */
export function setValue(control, value) {
  const text = [value].flat().join(", ");
  control.value = text;
  if (control.value === text || !(control instanceof HTMLSelectElement)) return;
  control.append(h("option", { value: text }, text));
  control.value = text;
}
