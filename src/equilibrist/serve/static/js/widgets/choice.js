// A select.
import { h } from "../dom.js";

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
