// The betting tree of a spot before it is solved: which lines are unfolded, which is looked for, and how it is changed.
import { actionOf, cut, extended, grown, plain } from "./tree-edit.js";

/** @import { BettingRow } from "../base/answers.js" */

/** A row of a preview, with the row above it and its line. */
/** @typedef {BettingRow & {above: TreeRow | null, parent: string}} TreeRow */

/**
 * Return rows of a preview, each with the row above it.
 *
 * @param {BettingRow[]} rows
 * @returns {TreeRow[]}
 */
export function withParents(rows) {
  /** @type {TreeRow[]} */
  const path = [];
  return rows.map((row) => {
    path.length = row.depth;
    const above = path.at(-1) ?? null;
    const placed = { ...row, above, parent: above?.line ?? "" };
    path.push(placed);
    return placed;
  });
}

/** Return the lines on the way to a line at which a street begins. */
function streetsBefore(line) {
  const parts = line.split("|");
  return parts.slice(0, -1).map((_, k) => {
    const before = parts.slice(0, k + 1).join("|");
    return `${before.trim()} |`;
  });
}

/**
 * Return the store of a tree.
 *
 * @param {{
 *   ask: (line: string) => Promise<{rows: BettingRow[]}>, edit: (change: (lines: any) => any) => void, aim?: string,
 * }} options ask gives the rows below a line of the spot, edit(change) changes the lines that are added and removed, and
 *   aim is a decision that is in sight at first
 */
export function treeStore({ ask, edit, aim = "" }) {
  const open = new Set(streetsBefore(aim).map(plain)); // lines of later streets that are unfolded
  let sought = aim; // the decision that is still to come in sight
  let nodes = /** @type {number | null} */ (null); // of the tree that was drawn last

  return {
    isOpen: (row) => open.has(plain(row.line)),

    /** Return whether a row is the one that is looked for; it is found once. */
    find(row) {
      const isFound = Boolean(sought) && plain(row.line) === plain(sought);
      if (isFound) sought = "";
      return isFound;
    },

    /** Return the rows below one, from now on unfolded. */
    async unfold(row) {
      open.add(plain(row.line));
      const { rows } = await ask(row.line);
      return withParents(rows).slice(1);
    },

    fold(row) {
      open.delete(plain(row.line));
    },

    /** Return how many nodes more than the last tree one has; 0 of the first. */
    grow(count) {
      const change = nodes === null ? 0 : count - nodes;
      nodes = count;
      return change;
    },

    /** Remove a row and what is below it. */
    remove: (row) => edit((lines) => cut(lines, row.line)),

    /**
     * Add an action after a line, in the place of another where there is one; return whether the text is an action.
     *
     * @param {string} text what was typed
     * @param {{row: any, line: string, instead?: string | null}} place the row at which it is taken, and its line
     */
    add(text, { row, line, instead = null }) {
      const action = actionOf(text, { ...row, line });
      if (!action) return false;
      edit((lines) => grown(instead ? cut(lines, instead) : lines, extended(line, action)));
      return true;
    },
  };
}

/** @typedef {ReturnType<typeof treeStore>} TreeStore */
