// Undo: what a form was before each change, a button and Ctrl-Z.
import { closest, h } from "../dom.js";

const MOST = 200;
const PAUSE = 600; // ms
const TYPED = "input:not([type=range], [type=checkbox]), textarea";

/** Return what a form was, as texts. */
export function makePast() {
  const past = [];
  let current = null;
  let changed = false; // since the last undo
  return {
    get length() {
      return past.length;
    },
    /** Note what the form is now; `together`: as a part of the change before it. */
    note(next, together = false) {
      if (next === current) return;
      if (current !== null && !(together && changed)) past.push(current);
      if (past.length > MOST) past.shift();
      changed = current !== null;
      current = next;
    },
    /** Return what it was before the last change, or null. */
    undo() {
      if (!past.length) return null;
      changed = false;
      return (current = past.pop());
    },
  };
}

/**
 * Return a button that takes changes back, as Ctrl-Z does where nobody types. restore(text) shows what was noted; the
 * element has note(text, together). What is typed without a pause is taken back together.
 */
export function undoButton({ restore, signal }) {
  const past = makePast();
  let typed = -Infinity; // when a letter was typed last
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
  button.note = (text, together = false) => {
    const typing = document.activeElement?.matches(TYPED);
    const now = performance.now();
    past.note(text, together || (typing && now - typed < PAUSE));
    typed = typing ? now : -Infinity;
    button.disabled = !past.length;
  };
  addEventListener(
    "keydown",
    (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (closest(event, `${TYPED}, dialog`)) return; // the browser's own
      event.preventDefault();
      run();
    },
    { signal },
  );
  return button;
}
