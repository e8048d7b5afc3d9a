// What is locked in a run of a spot.
import { h } from "../dom.js";
import { percent } from "../format.js";
import { inWords, lineInWords } from "../words.js";
import { dialog } from "./dialog.js";

const MOST = 200; // that are listed
const FEW = 6; // hands of a lock that are named

/** @typedef {{line: string, strategy: Record<string, number>, hands: string[] | null, board: string | null}} Lock */

/**
 * Return a lock in words: where, which hands, and what they play.
 * @param {Lock} lock
 * @returns {{where: string, what: string}}
 */
export function lockInWords({ line, strategy, hands, board }) {
  const actions = Object.keys(strategy);
  const mix = actions.map((action) => `${inWords(action, actions)} ${percent(strategy[action], 0)}`).join(", ");
  const place = line ? `After ${lineInWords(line)}` : "At the first decision";
  const more = hands?.length > FEW ? ` and ${hands.length - FEW} more` : "";
  const held = hands ? `${hands.slice(0, FEW).join(", ")}${more}` : "All hands";
  return { where: board ? `${place} on ${board}` : place, what: `${held}: ${mix}` };
}

/**
 * Return a button that says how many locks a run has, and lists them.
 * @param {Lock[]} locks
 */
export function lockTag(locks) {
  const rows = locks.slice(0, MOST).map((lock) => {
    const { where, what } = lockInWords(lock);
    return h("li", {}, h("span", {}, h("b", {}, where), `: ${what}`));
  });
  const more = locks.length > MOST && h("p", { class: "note" }, `and ${locks.length - MOST} more`);
  const list = () =>
    dialog({ title: "What is locked", action: "Close", body: [h("ul", { class: "plain-list" }, rows), more || ""] });
  const text = `${locks.length} ${locks.length === 1 ? "lock" : "locks"}`;
  const title = locks.map((lock) => Object.values(lockInWords(lock)).join("; "));
  return h("button", { class: "tag", type: "button", title: title.slice(0, 8).join("\n"), onclick: list }, text);
}
