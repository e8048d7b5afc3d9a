// Undo and redo: what a form was before each change, buttons, Ctrl-Z and Ctrl-Y.
import { closest, h } from "../base/dom.js";

const MOST = 200;
const PAUSE = 600; // ms
const TYPED = "input:not([type=range], [type=checkbox]), textarea";

/** Return what a form was, as texts, and what it was before the last changes were taken back. */
export function makePast() {
  const past = [];
  let undone = [];
  let current = null;
  let changed = false; // since the last undo
  return {
    get length() {
      return past.length;
    },
    get undone() {
      return undone.length;
    },
    /** Note what the form is now; `together`: as a part of the change before it. */
    note(next, together = false) {
      if (next === current) return;
      if (current !== null && !(together && changed)) past.push(current);
      if (past.length > MOST) past.shift();
      undone = [];
      changed = current !== null;
      current = next;
    },
    /** Return what it was before the last change, or null. */
    undo() {
      if (!past.length) return null;
      changed = false;
      undone.push(current);
      return (current = past.pop());
    },
    /** Return what it was before the last undo, or null where it has been changed since. */
    redo() {
      if (!undone.length) return null;
      changed = false;
      past.push(current);
      return (current = undone.pop());
    },
  };
}

/**
 * Return buttons that take changes back and make them again, as Ctrl-Z and Ctrl-Y (or Ctrl-Shift-Z) do where nobody types.
 * restore(text) shows what was noted; the element has note(text, together). What is typed without a pause is taken back
 * together.
 */
export function undoButtons({ restore, signal }) {
  const past = makePast();
  let typed = -Infinity; // when a letter was typed last
  const run = (step) => {
    const text = step();
    if (text !== null) restore(text);
    draw();
  };
  const button = (label, title, step) =>
    h(
      "button",
      { class: "button small quiet", type: "button", disabled: true, title, onclick: () => run(step) },
      label,
    );
  const undo = button("Undo", "Ctrl-Z", past.undo);
  const redo = button("Redo", "Ctrl-Y, Ctrl-Shift-Z", past.redo);
  const draw = () => {
    undo.disabled = !past.length;
    redo.disabled = !past.undone;
  };
  const buttons = h("span", { class: "nowrap" }, undo, redo);
  buttons.note = (text, together = false) => {
    const typing = document.activeElement?.matches(TYPED);
    const now = performance.now();
    past.note(text, together || (typing && now - typed < PAUSE));
    typed = typing ? now : -Infinity;
    draw();
  };
  addEventListener(
    "keydown",
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const step = { z: past.undo, "shift z": past.redo, y: past.redo }[
        (event.shiftKey ? "shift " : "") + event.key.toLowerCase()
      ];
      if (!step || closest(event, `${TYPED}, dialog`)) return; // the browser's own
      event.preventDefault();
      run(step);
    },
    { signal },
  );
  return buttons;
}
