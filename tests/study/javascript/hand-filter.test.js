import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { byKind, partsOf, readFilter } from "../../../src/equilibrist/page/js/poker/hand-filter.js";
import { FilterError, parseFilter } from "../../../src/equilibrist/page/js/poker/filter-grammar.js";
import { useUnit } from "../../../src/equilibrist/page/js/base/units.js";

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
  assert.equal(shown("AK, (QQ, AA or), top pair"), "wrong: (QQ, AA or)");
  assert.match(readFilter("top pair, nonsense", NAMES).problem ?? "", /^'nonsense' at character 11 is no hand/);
  assert.deepEqual(ROWS.filter(readFilter("nonsense, top pair", NAMES).passes).length, 2); // the others are kept to
  assert.deepEqual(partsOf(" top pair ,, hearts "), ["top pair", "hearts"]);
  assert.deepEqual(partsOf("AK or (QQ, AA), hearts)"), ["AK or (QQ, AA)", "hearts)"]);
  assert.deepEqual(partsOf(null), []);
});

const DECK = [..."AKQJT98765432"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
const ALL = DECK.flatMap((one, k) => DECK.slice(k + 1).map((other) => row(one + other, "", [], [1, 1, 0, 0], [1, 0])));

/** Return how many of all hands a filter shows, and some of their ranks. */
function count(text) {
  const { passes, wrong } = readFilter(text, NAMES);
  return wrong === null ? ALL.filter(passes).length : `wrong: ${wrong}`;
}

test("parts may be joined by and, or, not and parentheses", () => {
  assert.equal(count("AK or QQ"), 22);
  assert.equal(count("AK and suited"), 4);
  assert.equal(count("not pocket pair"), 1326 - 78);
  assert.equal(count("AA or AK and suited"), 10); // and binds closer
  assert.equal(count("(AA or AK) AND hearts"), 3 + 7);
  assert.equal(count("not (suited or offsuit)"), 78);
  assert.equal(count("not not AA"), 6);
  assert.equal(count("hearts or diamonds, AK"), 12); // both parts are kept to
  assert.deepEqual(shown("top pair or equity < 40"), ["AsKs", "QdTd", "QsTd"]);
});

const SHARED = JSON.parse(readFileSync(new URL("../../data/hand_filters.json", import.meta.url), "utf-8"));
const SHARED_ROWS = SHARED.rows.map(({ weight, ...others }) => ({ ...others, range: weight }));
const SHARED_NAMES = {
  made: [...new Set(SHARED.rows.map(({ made }) => made))],
  draws: [...new Set(SHARED.rows.flatMap(({ draws }) => draws))],
  actions: SHARED.actions,
  pot: 1,
};

test("the cases that Python is tested with: which hands pass, and how many of all", () => {
  assert.ok(SHARED.cases.length > 50 && SHARED.counts.length > 30);
  for (const { text, hands } of SHARED.cases)
    assert.deepEqual(
      SHARED_ROWS.filter(parseFilter(text, SHARED_NAMES)).map(({ hand }) => hand),
      hands,
      text,
    );
  for (const { text, hands } of SHARED.counts)
    assert.equal(ALL.filter(parseFilter(text, SHARED_NAMES)).length, hands, text);
});

test("the sentences of Python, and where the mistake is", () => {
  for (const { text, start, length, message } of SHARED.errors)
    assert.throws(
      () => parseFilter(text, SHARED_NAMES),
      (error) => {
        assert.ok(error instanceof FilterError);
        assert.deepEqual([error.message, error.start, error.length], [message, start, length]);
        return true;
      },
      text,
    );
});

test("a property of every object is no number of a hand", () => {
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
    assert.equal(shown(`${name} > 5`), `wrong: ${name} > 5`);
});

test("blanks are one blank, however many: a pattern would try each of them", () => {
  assert.deepEqual(partsOf(`a${" ".repeat(300_000)}b`), ["a b"]);
  assert.deepEqual(shown(`equity${" ".repeat(300_000)}>${" ".repeat(300_000)}60`), ["QdTd"]);
  assert.equal(shown(`a${" ".repeat(300_000)}b`), "wrong: a b");
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
