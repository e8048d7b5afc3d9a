// Settings that a form has no field for: a list in which each can be removed.
import { clear, h } from "../base/dom.js";

/**
 * Return an element with set(settings), settings and fail(sentence), hidden where there are none.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {(settings: any) => {name: string, text: string, details: string[]}[]} options.words
 * @param {() => void} options.onChange a setting was removed
 * @param {string} [options.heading] the tag of the title
 * @param {string} options.kind the class of the element
 */
export function carriedList({ title, words, onChange, heading = "h2", kind }) {
  let settings = {};
  const rows = h("ul", { class: "plain-list ruled" });
  const wrong = h("p", { class: "help wrong", role: "status" });
  const element = h("div", { class: kind }, h(heading, {}, title), rows, wrong);

  function remove(name) {
    const { [name]: _, ...rest } = settings;
    element.set(rest);
    onChange();
  }

  function row({ name, text, details }) {
    const label = details.length
      ? h("details", {}, h("summary", {}, text), h("ul", {}, ...details.map((line) => h("li", {}, line))))
      : h("span", {}, text);
    const button = h(
      "button",
      { type: "button", class: "button small quiet", "aria-label": `Remove: ${text}`, onclick: () => remove(name) },
      "Remove",
    );
    return h("li", { dataset: { setting: name } }, h("span", { class: "grow place" }, label), button);
  }

  element.set = (next) => {
    settings = next;
    element.hidden = !Object.keys(settings).length;
    clear(rows, words(settings).map(row));
    wrong.textContent = "";
  };
  element.fail = (sentence) => {
    wrong.textContent = sentence;
    return true;
  };
  element.set({});
  Object.defineProperty(element, "settings", { get: () => settings });
  return element;
}
