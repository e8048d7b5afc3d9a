import assert from "node:assert/strict";
import { test } from "node:test";

import { treeStore, withParents } from "../../../src/equilibrist/page/js/poker/tree-store.js";

const ROWS = [
  { depth: 0, line: "", player: 0 },
  { depth: 1, line: "X", player: 1 },
  { depth: 2, line: "X-B50", player: 0 },
  { depth: 1, line: "B50", player: 1 },
];

/** Return a store, the lines that it has asked for, and the lines of the spot that it has changed. */
function editedStore(aim = "") {
  const asked = [];
  const spot = { add: [], remove: [] };
  const ask = async (line) => {
    asked.push(line);
    return { rows: ROWS };
  };
  const store = treeStore({ ask, edit: (change) => Object.assign(spot, change(spot)), aim });
  return { store, asked, spot };
}

test("rows know the row above them, and those of the server stay as they are", () => {
  assert.deepEqual(
    withParents(ROWS).map((row) => [row.line, row.parent, row.above?.line]),
    [
      ["", "", undefined],
      ["X", "", ""],
      ["X-B50", "X", "X"],
      ["B50", "", ""],
    ],
  );
  assert.ok(!("above" in ROWS[1]));
});

test("the streets before a decision that is looked for are open, and it is found once", () => {
  const { store } = editedStore("X-X | B50-C | X");
  const row = (line) => ({ line });
  assert.deepEqual(
    ["X-X |", "X-X | B50-C |", "X-X | B50-C | X"].map((line) => store.isOpen(row(line))),
    [true, true, false],
  );
  assert.ok(!store.find(row("X-X |")));
  assert.ok(store.find(row("X-X | B50-C | X")));
  assert.ok(!store.find(row("X-X | B50-C | X")));
  assert.ok(!editedStore().store.find(row(""))); // nothing is looked for
});

test("a street that is unfolded stays so until it is folded; its own row is not among those below", async () => {
  const { store, asked } = editedStore();
  const row = { line: "X-X |" };
  const below = await store.unfold(row);
  assert.deepEqual(
    below.map(({ line }) => line),
    ["X", "X-B50", "B50"],
  );
  assert.deepEqual(asked, ["X-X |"]);
  assert.ok(store.isOpen(row));
  store.fold(row);
  assert.ok(!store.isOpen(row));
});

test("a tree is compared with the one before", () => {
  const { store } = editedStore();
  assert.deepEqual([store.grow(40), store.grow(25), store.grow(30)], [0, -15, 5]);
});

test("a size is added, put in the place of another, or refused", () => {
  const { store, spot } = editedStore();
  const row = { ...ROWS[1], pot: 100, left: [500, 500] };
  assert.ok(!store.add("many", { row, line: "X" }));
  assert.deepEqual(spot, { add: [], remove: [] });
  assert.ok(store.add("120", { row, line: "X" }));
  assert.deepEqual(spot, { add: ["X-B120"], remove: [] });
  assert.ok(store.add("75", { row, line: "X", instead: "X-B50" }));
  assert.deepEqual(spot, { add: ["X-B120", "X-B75"], remove: ["X-B50"] });
  store.remove({ line: "X-B120" });
  assert.deepEqual(spot, { add: ["X-B75"], remove: ["X-B50"] });
});
