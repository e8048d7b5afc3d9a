// The view of a spot in a file: as that of the page, but all places are there, and addresses are the part after #.
import { href } from "../base/address.js";
import { commonest } from "./spot-lines.js";

/** @import { SpotOverview } from "../base/answers.js" */

const plain = (line) => line.replace(/[\s|]+$/, "").replace(/\s*\|\s*/g, " | ");

/** Return the name of a place among those of a file: its line, and all its public cards. */
const keyOf = (line, board) => `${plain(line)}\n${board}`;

/**
 * Return a view: `about` the run, `node` the place that is shown, `fields` those of the address, and where it leads, as
 * decisions and columns take it. read() takes over the address; has(line, board) says whether a place is in the file.
 *
 * @param {{about: SpotOverview, start: {line: string, board: string}, places: any[]}} data
 * @param {{fields: () => URLSearchParams, visit: (address: string, options: {replace: boolean}) => void}} page
 */
export function offlineView({ about, start, places }, page) {
  const byKey = new Map(places.map((node) => [keyOf(node.line, node.board), node]));
  const first = byKey.get(keyOf(start.line, start.board));
  const all = (changes) => ({ ...Object.fromEntries(view.fields), ...changes });
  const view = {
    run: about.run,
    about,
    fields: page.fields(),
    /** @type {any} */
    node: first,
    before: null,
    other: null,
    aim: -1,
    to: (changes) => `#${href("", all(changes)).slice(1)}`,
    /** @param {any} changes @param {{replace?: boolean}} [options] */
    go(changes, { replace = false } = {}) {
      page.visit(view.to(changes), { replace });
    },
    /** Return the fields of a place, whose board is given whole or from the first card that is dealt on. */
    place: (line, board) => ({ line, board: board.slice(about.board.length), hand: "" }),
    has: (line, board) => byKey.has(keyOf(line, board)),
    /** Take over the address: a place that the file has not is the one at which it begins. */
    read() {
      view.fields = page.fields();
      const [line, board] = [view.fields.get("line"), view.fields.get("board") ?? ""];
      view.node = (line === null ? first : byKey.get(keyOf(line, about.board + board))) ?? first;
      view.aim = view.node.kind === "decision" ? commonest(view.node) : -1;
    },
  };
  return view;
}
