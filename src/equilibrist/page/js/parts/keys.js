// Keys of a view: they work where nobody types. A grid, a table or a chart that has the focus takes those that it uses.
import { closest, h, termList } from "../base/dom.js";
import { dialog } from "./dialog.js";

const NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
const TYPED = "input, textarea, select, [contenteditable]";

/** Listen to keys: {key: [what it does, run]}; without a text a key is not listed. Return {help}, which lists them. */
export function shortcuts(signal, keys) {
  const help = () =>
    dialog({
      title: "Keys",
      action: "Close",
      body: [
        termList(
          Object.entries({ ...keys, "?": ["this list"] })
            .filter(([, [text]]) => text)
            .map(([key, [text]]) => [h("kbd", {}, NAMES[key] ?? key), text]),
        ),
        h(
          "p",
          { class: "note" },
          "A grid, a table or a chart that has the focus is walked by the arrow keys; after ",
          h("kbd", {}, "Esc"),
          " they do again what stands here.",
        ),
      ],
    });
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || closest(event, "dialog")) return;
      if (event.key === "Escape") /** @type {HTMLElement} */ (document.activeElement)?.blur();
      else if (closest(event, TYPED)) return;
      if (event.key === "?") help();
      else if (keys[event.key]) keys[event.key][1]();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  return { help };
}
