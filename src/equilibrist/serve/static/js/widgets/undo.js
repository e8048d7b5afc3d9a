// Undo: what a form was before each change, a button and Ctrl-Z.
import { closest, h } from "../dom.js";

const MOST = 200;
const TOGETHER = 600; // ms between changes that are taken back together, as letters of a word are

/** Return what a form was, as texts. `now` is the clock. */
export function makePast(now = Date.now) {
  const past = [];
  let current = null;
  let last = -Infinity;
  return {
    get length() {
      return past.length;
    },
    /** Note what the form is now. */
    note(next) {
      if (next === current) return;
      const time = now();
      if (current !== null && time - last > TOGETHER) past.push(current);
      if (past.length > MOST) past.shift();
      last = current === null ? -Infinity : time;
      current = next;
    },
    /** Return what it was before the last change, or null. */
    undo() {
      if (!past.length) return null;
      last = -Infinity;
      return (current = past.pop());
    },
  };
}

/**
 * Return a button that takes changes back, as Ctrl-Z does where nobody types. restore(text) shows what was noted; the
 * element has note(text).
 */
export function undoButton({ restore, signal }) {
  const past = makePast();
  const run = () => {
    const before = past.undo();
    if (before !== null) restore(before);
    button.disabled = !past.length;
  };
  const button = h(
    "button",
    { class: "button small quiet", type: "button", disabled: true, title: "Ctrl-Z", onclick: run },
    "Undo",
  );
  button.note = (text) => {
    past.note(text);
    button.disabled = !past.length;
  };
  addEventListener(
    "keydown",
    (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (closest(event, "input:not([type=range], [type=checkbox]), textarea, dialog")) return; // the browser's own
      event.preventDefault();
      run();
    },
    { signal },
  );
  return button;
}
