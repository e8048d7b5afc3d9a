// What is locked in a run of a spot.
import { h } from "../base/dom.js";
import { dialog } from "../parts/dialog.js";

const MOST = 200; // that are listed

/**
 * Return a button that says how many locks a run has, and lists them.
 * @param {{text: string}[]} locks
 */
export function lockTag(locks) {
  const rows = locks.slice(0, MOST).map(({ text }) => h("li", {}, text));
  const more = locks.length > MOST && h("p", { class: "note" }, `and ${locks.length - MOST} more`);
  const body = [h("ul", { class: "plain-list" }, rows), more || ""];
  const list = () => dialog({ title: "What is locked", action: "Close", body });
  const text = `${locks.length} ${locks.length === 1 ? "lock" : "locks"}`;
  return h(
    "button",
    { class: "tag button small", type: "button", title: locks.map((lock) => lock.text).join("\n"), onclick: list },
    text,
  );
}
