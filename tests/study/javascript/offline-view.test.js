import assert from "node:assert/strict";
import { test } from "node:test";

import { offlineView } from "../../../src/equilibrist/page/js/poker/offline-view.js";

const decision = (line, board, frequencies = { X: 0.25, B50: 0.75 }) => ({
  kind: "decision",
  line,
  board,
  frequencies,
  next: Object.keys(frequencies).map((action) => ({ action })),
  steps: [],
});
const DATA = {
  about: { run: "turn", board: "Kh9s4d7c" },
  start: { line: "X", board: "Kh9s4d7c" },
  places: [
    decision("X", "Kh9s4d7c"),
    { kind: "deal", line: "X-X", board: "Kh9s4d7c", steps: [] },
    decision("X-X", "Kh9s4d7c2h"),
    decision("X-X | X", "Kh9s4d7c2h"),
  ],
};

/** Return a view, the query that it reads, and the addresses that it has visited. */
function viewAt(query) {
  const shown = { query };
  const visited = [];
  const view = offlineView(DATA, {
    fields: () => new URLSearchParams(shown.query),
    visit: (address, { replace }) => visited.push([address, replace]),
  });
  view.read();
  return { view, shown, visited };
}

test("a file begins where it was made, and follows its address", () => {
  const { view, shown } = viewAt("");
  assert.equal(view.node, DATA.places[0]);
  assert.equal(view.aim, 1); // what is done most often
  shown.query = "line=X-X&board=2h";
  view.read();
  assert.equal(view.node, DATA.places[2]);
  shown.query = "line=X-X+%7C+X&board=2h";
  view.read();
  assert.equal(view.node, DATA.places[3]);
  shown.query = "line=X-X";
  view.read();
  assert.deepEqual([view.node, view.aim], [DATA.places[1], -1]);
});

test("a place that is not in the file shows where it begins", () => {
  for (const query of ["line=X-B50", "line=X-X&board=2c", "line=&board=", "line=constructor"])
    assert.equal(viewAt(query).view.node, DATA.places[0], query);
});

test("what is in the file is known, and addresses stand behind a #", () => {
  const { view, visited } = viewAt("line=X&unit=bb");
  assert.ok(view.has("X-X", "Kh9s4d7c2h"));
  assert.ok(view.has("X-X |", "Kh9s4d7c2h"));
  assert.ok(!view.has("X-X", "Kh9s4d7c2c"));
  assert.equal(view.to(view.place("X-X", "Kh9s4d7c2h")), "#line=X-X&unit=bb&board=2h");
  view.go({ mode: "ev" }, { replace: true });
  view.go({ hand: "AA" });
  assert.deepEqual(visited, [
    ["#line=X&unit=bb&mode=ev", true],
    ["#line=X&unit=bb&hand=AA", false],
  ]);
});
