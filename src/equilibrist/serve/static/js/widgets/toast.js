// Notices at the edge of the page; one may offer to undo what it tells.
import { h } from "../dom.js";

/**
 * Show a notice. `action` is {label, run}: a button on it. It goes after some seconds, never while it is pointed at or
 * has the focus; an error stays until it is closed.
 *
 * @param {any} text
 * @param {{action?: {label: string, run: () => any}, seconds?: number, kind?: string}} options
 */
export function toast(text, { action, seconds = action ? 10 : 5, kind = "" } = {}) {
  const close = () => {
    clearTimeout(timer);
    box.remove();
  };
  const box = h(
    "div",
    { class: `toast ${kind}`, role: kind === "wrong" ? "alert" : null },
    h("span", {}, text),
    action && h("button", { class: "button", type: "button", onclick: () => (close(), action.run()) }, action.label),
    h("button", { class: "button quiet", type: "button", "aria-label": "Close this notice", onclick: close }, "×"),
  );
  let timer;
  const start = () => {
    clearTimeout(timer);
    if (kind !== "wrong")
      timer = setTimeout(() => (box.matches(":hover, :focus-within") ? start() : close()), 1000 * seconds);
  };
  document.getElementById("toasts").append(box);
  start();
  return close;
}

/** Show an error as a notice; a request that was given up is none. */
export function failed(error) {
  if (error?.name === "AbortError") return;
  if (!(error?.status >= 0)) console.error(error);
  toast(error?.message ?? String(error), { kind: "wrong" });
}
