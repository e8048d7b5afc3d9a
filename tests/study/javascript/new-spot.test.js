import assert from "node:assert/strict";
import { test } from "node:test";

import {
  carriedInWords,
  EXAMPLE,
  formOf,
  inherited,
  missingCards,
  numberOf,
  partsOf,
  settingsOf,
  sizesOfTools,
  spotInAddress,
} from "../../../src/equilibrist/page/js/poker/spot-settings.js";
import { makePast } from "../../../src/equilibrist/page/js/parts/undo.js";

const again = (settings) => settingsOf(formOf(settings));

test("settings survive the form", () => {
  const settings = {
    board: "Td9d6h",
    pot: 200,
    stack: 900.5,
    bets: "50%, 100%; 2.5x",
    turn: { bet: "75%" },
    oop: { range: "AA", river: { donk: "33%" } },
    ip: "KK:0.5",
    rake: "5%",
    rake_cap: 3,
    add_lines: ["X-B120", "X-B90"],
    deck: "short",
  };
  assert.deepEqual(again(settings), settings);
  const example = again(EXAMPLE);
  assert.deepEqual([example.add_all_in, example.force_all_in, example.merge], ["150%", "15%", "10%"]);
  assert.deepEqual(again(example), example);
  assert.equal(again({ ...EXAMPLE, deck: "full" }).deck, undefined);
});

test("settings without a field are carried along, and told", () => {
  const lock = { line: "X-B120", strategy: { F: 0.3, C: "70%" }, hands: "QQ", board: "Td9d6hQc" };
  const settings = { ...again(EXAMPLE), after: "X-B120", locks: [lock], colour: { of: "moon" } };
  assert.deepEqual(again(settings), settings);
  const [after, ...others] = carriedInWords(formOf(settings).carried);
  assert.equal(after.text, "The spot begins after X-B120");
  assert.deepEqual(others, [
    { name: "locks", text: "1 lock", details: ["X-B120: F 30 %, C 70%, with QQ, on Td9d6hQc"] },
    { name: "colour", text: 'colour: {"of":"moon"}', details: [] },
  ]);
  assert.deepEqual(formOf({ ...EXAMPLE, after: null, locks: [] }).carried, {});
});

test("what a field cannot hold is refused, not dropped", () => {
  const refused = {
    board: [5, "Td9d6hXx", "Td9d6hQc2s3s", ["Td"]],
    oop: [[1, 0.5], { range: "AA", size: "a" }, { range: [1] }, 7],
    ip: [{ range: "AA", river: 5 }],
    bets: ["a; b; c; d", ["50%"], { bets: "50%" }],
    turn: [{ bet: ["50%"] }, 0.5],
    pot: [true, [1], {}],
    add_lines: ["X-B120", [1], ["X\nB1"]],
    deck: ["tarot", 5],
  };
  for (const [name, values] of Object.entries(refused))
    for (const value of values)
      assert.throws(() => formOf({ ...EXAMPLE, [name]: value }), { name: "Error", status: 0 }, `${name}: ${value}`);
  for (const value of [5, "text", null, []]) assert.throws(() => formOf(value), { status: 0 });
});

test("an address with a spot that cannot be shown", () => {
  const query = (spot) => new URLSearchParams(spot === null ? {} : { spot });
  assert.deepEqual(spotInAddress(query(null)), { settings: EXAMPLE, problem: "" });
  assert.deepEqual(spotInAddress(query('{"pot":5}')), { settings: { pot: 5 }, problem: "" });
  assert.match(spotInAddress(query('{"board":5}')).problem, /an example\. board must be cards.*got 5\.$/);
  assert.match(spotInAddress(query("{")).problem, /no JSON/);
  assert.match(spotInAddress(query("null")).problem, /object of settings; got null/);
});

test("shares in percent have no more digits than they need", () => {
  const percent = (share) => formOf({ ...EXAMPLE, merge: share }).texts.merge;
  assert.deepEqual([0.1, 0.07, 1e-7, 0, null, "15 %"].map(percent), ["10", "7", "0.00001", "0", "", "15"]);
});

test("the deck of a spot, and the cards that it lacks", () => {
  assert.deepEqual(missingCards("full"), []);
  assert.deepEqual(missingCards("short").length, 16);
  assert.ok(missingCards("short, trips beat straights").every((card) => "2345".includes(card[0])));
});

test("a form that is empty, and texts that are no numbers", () => {
  assert.deepEqual(again({}), { board: "", bets: "50%, a; a", oop: "", ip: "" });
  assert.equal(numberOf("1 000"), 1000);
  assert.equal(numberOf(" "), null);
  assert.equal(numberOf("1o"), "1o");
});

test("sizes in parts, and what holds where they are left out", () => {
  assert.deepEqual(partsOf("50%, a; 3x"), ["50%, a", "3x", ""]);
  assert.deepEqual(partsOf({ donk: "33%" }), ["", "", "33%"]);
  const sizes = { both: { bets: ["50%", "3x", ""], turn: ["75%", "", ""] }, oop: {}, ip: { bets: ["", "a", ""] } };
  assert.equal(inherited(sizes, "both", "bets", 0), "none");
  assert.equal(inherited(sizes, "both", "turn", 1), "3x");
  assert.equal(inherited(sizes, "oop", "turn", 0), "75%");
  assert.equal(inherited(sizes, "ip", "turn", 1), "a");
  assert.equal(inherited(sizes, "ip", "bets", 0), "50%");
  assert.equal(inherited(sizes, "oop", "river", 2), "as bets");
});

test("changes are taken back one by one, those of one stroke together", () => {
  const past = makePast();
  assert.equal(past.undo(), null);
  past.note("");
  past.note("A");
  past.note("AA", true);
  past.note("AA");
  past.note("AA,KK");
  assert.equal(past.length, 2);
  assert.equal(past.undo(), "AA");
  past.note("AA"); // as it is shown again
  assert.equal(past.undo(), "");
  past.note("K", true); // nothing to go together with
  assert.equal(past.undo(), "");
  assert.equal(past.undo(), null);
});

test("sizes as other tools write them", () => {
  const read = {
    "33, 75": "33%, 75%",
    "33 75": "33%, 75%",
    "40,20c,e,a": "40%, 20c, e, a",
    "g2 g1 12.5": "2e, a, 12.5%",
    "60 3x": "60%, 3x",
    "50%,  a": "50%,  a",
    "2e200%, 1.5 x": "2e200%, 1.5 x",
    "g>50": "g>50",
    none: "none",
    "": "",
  };
  for (const [text, sizes] of Object.entries(read)) assert.equal(sizesOfTools(text), sizes);
});
