import assert from "node:assert/strict";
import { test } from "node:test";

import { notesStore } from "../../../src/equilibrist/page/js/poker/notes-store.js";

const NOTES = [
  { line: "X", board: "Td9d6h", text: "Checks." },
  { line: "X", board: "Td9d6hQc", text: "Bets." },
];

test("a note is that of its line and its board, and what was written is shown", async () => {
  const written = [];
  const store = notesStore({
    read: async () => ({ notes: NOTES, longest: 9 }),
    write: async (note) => (written.push(note), { notes: [note], longest: 9 }),
  });
  const shown = [];
  store.subscribe(() => shown.push(store.state.notes.length));
  assert.equal(store.textAt({ line: "X", board: "Td9d6h" }), "");
  await store.load();
  assert.equal(store.textAt({ line: "X", board: "Td9d6h" }), "Checks.");
  assert.equal(store.textAt({ line: "X", board: "Td9d6hQc" }), "Bets.");
  assert.equal(store.textAt({ line: "", board: "Td9d6h" }), "");
  await store.write({ line: "", board: "Td9d6h", text: "Never." });
  assert.deepEqual(written, [{ line: "", board: "Td9d6h", text: "Never." }]);
  assert.equal(store.textAt({ line: "", board: "Td9d6h" }), "Never.");
  assert.deepEqual([shown, store.state.longest], [[2, 1], 9]);
});
