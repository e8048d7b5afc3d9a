// Keys of a view: they work where nobody types, and do not take those of a grid or a table that has the focus.
import { closest, h } from "../dom.js";
import { dialog } from "./dialog.js";

const NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
const INSIDE = "input, textarea, select, [contenteditable], dialog, .grid13, table tbody, .chart svg, [data-keys]";

/** Listen to keys: {key: [what it does, run]}; without a text a key is not listed. Return {help}, which lists them. */
export function shortcuts(signal, keys) {
  const help = () =>
    dialog({
      title: "Keys",
      action: "Close",
      body: [
        h(
          "dl",
          { class: "facts" },
          Object.entries({ ...keys, "?": ["this list"] })
            .filter(([, [text]]) => text)
            .map(([key, [text]]) => [h("dt", {}, h("kbd", {}, NAMES[key] ?? key)), h("dd", {}, text)]),
        ),
      ],
    });
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (closest(event, INSIDE) && !(event.key === "Escape" && !closest(event, "dialog"))) return;
      if (event.key === "?") help();
      else if (keys[event.key]) keys[event.key][1]();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  return { help };
}
