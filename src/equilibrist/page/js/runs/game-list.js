// The games that can be chosen for a new run: the built-in ones, and after them other sources.
import { clear, h } from "../base/dom.js";

/** @typedef {{name: string, text: string, about?: string}} Entry */

/**
 * Return the list as an element with update(games, sources, chosen); onPick(name) hears what is chosen.
 * @param {(name: string) => void} onPick
 */
export function gameList(onPick) {
  const list = h("div", { class: "games", role: "listbox", "aria-label": "Games" });
  const entry = ({ name, text, about }, chosen, first = false) =>
    h(
      "button",
      {
        type: "button",
        role: "option",
        class: `option ${first ? "source" : ""}`,
        "aria-selected": String(name === chosen),
        tabindex: name === chosen ? "0" : "-1",
        onclick: () => onPick(name),
      },
      h("b", {}, text),
      about && h("small", {}, about),
    );
  list.addEventListener("keydown", (event) => {
    const all = [...list.querySelectorAll(".option")];
    const next = all[all.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0)];
    if (!next || next === document.activeElement) return;
    event.preventDefault();
    next.click();
    list.querySelector('[aria-selected="true"]').focus();
  });
  list.update = (games, sources, chosen) =>
    clear(
      list,
      games.map((one) => entry(one, chosen)),
      sources.map((one, place) => entry(one, chosen, place === 0)),
    );
  return list;
}
