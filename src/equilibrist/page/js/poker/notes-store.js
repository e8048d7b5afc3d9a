// Notes at the decisions of a run: what was written at each, as the server keeps it.
import { makeListeners } from "../base/listeners.js";

/** @import { DecisionNotes } from "../base/answers.js" */
/** @typedef {{line: string, board: string}} Place */

/**
 * Return the store of notes at decisions. `subscribe` has a function called after every change.
 *
 * @param {{
 *   read: () => Promise<DecisionNotes>,
 *   write: (note: Place & {text: string}) => Promise<DecisionNotes>,
 * }} options read asks for all notes; write keeps one, and answers all
 */
export function notesStore({ read, write }) {
  const { subscribe, changed } = makeListeners();
  const state = {
    notes: /** @type {DecisionNotes["notes"]} */ ([]),
    longest: 0, // characters of a note
  };

  function set(answer) {
    if (JSON.stringify(answer) === JSON.stringify(state)) return; // what is drawn stays, with its focus
    Object.assign(state, answer);
    changed();
  }

  return {
    state,

    subscribe,
    load: async () => set(await read()),
    write: async (note) => set(await write(note)),

    /** Return the note at a decision; empty where there is none. @param {Place} place */
    textAt: ({ line, board }) => state.notes.find((note) => note.line === line && note.board === board)?.text ?? "",
  };
}

/** @typedef {ReturnType<typeof notesStore>} NotesStore */
