// A new table, and the name of who plays there: this browser remembers it.
import { post } from "../base/api.js";
import { field, h } from "../base/dom.js";

/** @import { TableState } from "../base/answers.js" */

const KEY = "pupil";
const LONGEST = 40; // characters

/** Return the name that was given last in this browser; empty where none was. */
export function ownName() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage may be forbidden
  }
}

function keepName(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {} // storage may be forbidden: the name is asked for again
}

/** Return the field for a name: its box, and what is written there. */
export function nameField() {
  const input = h("input", { type: "text", value: ownName(), maxlength: LONGEST, autocomplete: "off" });
  const help = "If a class plays here: its table tells pupils apart by their names.";
  return { box: field("Your name", input, { name: "pupil", help }), value: () => input.value.trim() };
}

/**
 * Open a table; without a name of its own it has the one that was given last.
 *
 * @param {Record<string, any>} settings
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<TableState>}
 */
export async function openTable({ pupil = ownName(), ...settings }, { signal } = {}) {
  const table = await post("/tables", { ...settings, pupil: pupil || null }, { signal });
  keepName(table.settings.pupil ?? "");
  return table;
}
