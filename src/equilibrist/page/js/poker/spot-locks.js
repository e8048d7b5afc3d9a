// Locks of a spot before it is solved: a row of fields for each, which can be added, edited and removed.
import { clear, field, h } from "../base/dom.js";
import { spotLocksStore } from "./spot-locks-store.js";

/** Label, help and what is written in an empty field. */
const LABELS = /** @type {const} */ ({
  line: ["After the line", "empty: the first decision", "X-B50"],
  plays: ["Plays, in %", "the shares of the actions", "F 60, C 40"],
  hands: ["Only these hands", "a range or a filter", "top pair and not hearts"],
  board: ["Only on boards that begin", "on a later street", "Td9d6hQc2s"],
});

/**
 * Return the panel of locks; onChange(locks) is told after an edit. It has `element` and set(locks).
 *
 * @param {(locks: any[]) => void} onChange
 */
export function spotLocks(onChange) {
  const store = spotLocksStore((locks) => {
    showCount();
    onChange(locks);
  });
  const summary = h("summary", {}, "Locks");
  const rows = h("div", { class: "stack" });
  const element = h(
    "details",
    { class: "card locks-of-spot" },
    summary,
    h(
      "p",
      { class: "note" },
      "A lock fixes what a player does at a decision; the other, and all other hands, adapt to it.",
    ),
    rows,
    h("button", { type: "button", class: "button small", onclick: () => (store.add(), draw()) }, "Add a lock"),
  );

  function row({ texts }, place) {
    const inputs = Object.entries(LABELS).map(([name, [label, help, placeholder]]) => {
      const oninput = (event) => store.edit(place, /** @type {keyof typeof LABELS} */ (name), event.target.value);
      const input = h("input", { type: "text", value: texts[name], spellcheck: "false", placeholder, oninput });
      return field(label, input, { name: `lock-${place}-${name}`, help });
    });
    return h(
      "fieldset",
      { class: "boxes" },
      h("legend", {}, `Lock ${place + 1}`),
      h("div", { class: "fields two" }, inputs),
      h(
        "button",
        {
          type: "button",
          class: "button small quiet",
          "aria-label": `Remove lock ${place + 1}`,
          onclick: () => (store.remove(place), draw()),
        },
        "Remove",
      ),
    );
  }

  function showCount() {
    const count = store.locks().length;
    summary.textContent = count ? `Locks: ${count}` : "Locks";
  }

  function draw() {
    clear(rows, store.state.rows.map(row));
    showCount();
  }

  draw();
  return {
    element,
    set(locks) {
      const before = store.state.rows;
      store.set(locks);
      if (store.state.rows !== before) draw();
    },
  };
}
