// Notices at the edge of the page; one may offer to undo what it tells.
import { byId, h } from "../base/dom.js";

/** Close the errors of another page than the one that is shown. */
function closeOthers() {
  for (const box of document.querySelectorAll("#toasts .wrong"))
    if (/** @type {HTMLElement} */ (box).dataset.path !== location.pathname) box.remove();
}
new MutationObserver(closeOthers).observe(byId("main"), { childList: true });

/**
 * Show a notice. `action` is a button on it. It goes after some seconds, never while it is pointed at or has the focus;
 * an error stays until it is closed or another page is shown.
 *
 * @param {string} text
 * @param {{action?: {label: string, run: () => any}, seconds?: number, kind?: string}} options
 */
export function toast(text, { action, seconds = action ? 10 : 5, kind = "" } = {}) {
  const close = () => {
    clearTimeout(timer);
    box.remove();
  };
  const box = h(
    "div",
    { class: `toast ${kind}`, role: kind === "wrong" ? "alert" : null, dataset: { path: location.pathname } },
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
  byId("toasts").append(box);
  start();
  return close;
}

/** Show an error as a notice; a request that was given up is none. */
export function failed(error) {
  if (error?.name === "AbortError") return;
  if (!(error?.status >= 0)) console.error(error);
  toast(error?.message ?? String(error), { kind: "wrong" });
}
