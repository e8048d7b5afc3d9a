import assert from "node:assert/strict";
import { test } from "node:test";

import { byKind, partsOf, readFilter } from "../../../src/equilibrist/serve/static/js/widgets/hand-filter.js";
import { useUnit } from "../../../src/equilibrist/serve/static/js/widgets/units.js";

const NAMES = { made: ["top pair", "ace high"], draws: ["flush draw", "gutshot"], actions: ["X", "B50"] };
const row = (hand, made, draws, [probability, range, ev, equity], mix) => ({
  hand,
  made,
  draws,
  probability,
  range,
  ev,
  equity,
  mix,
});
const ROWS = [
  row("AhKh", "ace high", ["flush draw", "gutshot"], [0.5, 1, 10, 0.5], [0.25, 0.75]),
  row("AsKs", "ace high", [], [0.25, 0.5, 2, 0.3], [1, 0]),
  row("QdTd", "top pair", ["gutshot"], [0.25, 0.5, 8, 0.7], [0.5, 0.5]),
  row("QsTd", "top pair", [], [0, 0, null, null], [null, null]),
];
const shown = (text) => {
  const { passes, wrong } = readFilter(text, NAMES);
  return wrong === null ? ROWS.filter(passes).map(({ hand }) => hand) : `wrong: ${wrong}`;
};

test("hands are one of the made hands, and have one of the draws, suits and shapes", () => {
  assert.deepEqual(shown(""), ["AhKh", "AsKs", "QdTd", "QsTd"]);
  assert.deepEqual(shown("top pair"), ["QdTd", "QsTd"]);
  assert.deepEqual(shown("top pair, Ace High"), ["AhKh", "AsKs", "QdTd", "QsTd"]);
  assert.deepEqual(shown("ace high, gutshot"), ["AhKh"]);
  assert.deepEqual(shown("hearts, diamonds"), ["AhKh", "QdTd", "QsTd"]);
  assert.deepEqual(shown("diamonds, suited"), ["QdTd"]);
  assert.deepEqual(shown("offsuit"), ["QsTd"]);
  assert.deepEqual(shown("pocket pair"), []);
});

test("limits on equity, EV, weight and actions", () => {
  assert.deepEqual(shown("equity > 50"), ["QdTd"]);
  assert.deepEqual(shown("equity >= 50%"), ["AhKh", "QdTd"]);
  assert.deepEqual(shown("EV<8"), ["AsKs"]);
  assert.deepEqual(shown("ev > −1, weight ≤ 50"), ["AsKs", "QdTd"]);
  assert.deepEqual(shown("b50 > 20"), ["AhKh", "QdTd"]);
  assert.deepEqual(shown("X >= 100"), ["AsKs"]);
});

test("a limit on EV is in the unit of the page", () => {
  const above = (unit, text) => {
    useUnit(new URLSearchParams(unit));
    return ROWS.filter(readFilter(text, { ...NAMES, pot: 4 }).passes).map(({ ev }) => ev);
  };
  assert.deepEqual(above("unit=pot", "EV > 210"), [10]);
  assert.deepEqual(above("unit=net", "EV > 6"), [10]);
  assert.deepEqual(above("unit=bb&bb=2", "EV > 3"), [10, 8]);
  assert.deepEqual(above("unit=chips", "EV > 3"), [10, 8]);
});

test("the first part that cannot be read is named", () => {
  assert.equal(shown("top pair, nonsense, more"), "wrong: nonsense");
  assert.equal(shown("R99 > 5"), "wrong: R99 > 5");
  assert.equal(shown("toString"), "wrong: toString");
  assert.deepEqual(partsOf(" top pair ,, hearts "), ["top pair", "hearts"]);
  assert.deepEqual(partsOf(null), []);
});

test("a range by made hand and by draw, in the order of the names", () => {
  const rows = byKind(ROWS, NAMES);
  assert.deepEqual(
    rows.map(({ kind, name, share }) => [kind, name, share]),
    [
      ["made hand", "top pair", 0.25],
      ["made hand", "ace high", 0.75],
      ["draw", "flush draw", 0.5],
      ["draw", "gutshot", 0.75],
    ],
  );
  assert.equal(rows[1].ev, (0.5 * 10 + 0.25 * 2) / 0.75);
  assert.deepEqual(rows[1].mix, [0.5, 0.5]);
  assert.deepEqual(byKind([], NAMES), []);
});
