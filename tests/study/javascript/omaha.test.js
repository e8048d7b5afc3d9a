import assert from "node:assert/strict";
import { test } from "node:test";

import { CLASSES, classesOf, layers } from "../../../src/equilibrist/page/js/cards/grid.js";
import { fourCardStore } from "../../../src/equilibrist/page/js/poker/four-card-store.js";
import { byMade, madeCells } from "../../../src/equilibrist/page/js/poker/hands.js";
import { axesOf } from "../../../src/equilibrist/page/js/poker/made-grid.js";
import {
  formOf,
  isOmaha,
  kindOf,
  missingCards,
  ranksOf,
  settingsOf,
} from "../../../src/equilibrist/page/js/poker/spot-settings.js";

const SPOT = { board: "Kh9s4d", oop: "AA", ip: "KK", pot: 10, stack: 20, bets: "50%" };
const again = (settings) => settingsOf(formOf(settings));

test("a kind of game stands for the game, the deck and the limit of a spot", () => {
  for (const [settings, kind] of [
    [{}, "full"],
    [{ deck: "short" }, "short"],
    [{ deck: "short, trips beat straights" }, "short, trips beat straights"],
    [{ game: "omaha" }, "omaha"],
    [{ game: "omaha", pot_limit: false }, "omaha, no limit"],
  ]) {
    assert.equal(kindOf(settings), kind);
    assert.equal(isOmaha(kind), settings.game === "omaha");
    assert.deepEqual(again({ ...SPOT, ...settings }), { ...SPOT, ...settings });
  }
  assert.deepEqual(again({ ...SPOT, game: "omaha", pot_limit: true }), { ...SPOT, game: "omaha" });
  assert.deepEqual(again({ ...SPOT, game: "holdem", deck: "full" }), SPOT);
});

test("a spot of Omaha without sizes has those that Omaha has", () => {
  const { bets, ...rest } = SPOT;
  assert.equal(bets, "50%");
  assert.equal(again({ ...rest, game: "omaha" }).bets, "50%, 100%; 100%");
  assert.equal(again(rest).bets, "50%, a; a");
});

test("what no kind of game has is refused", () => {
  for (const wrong of [
    { game: "draw" },
    { game: "omaha", deck: "short" },
    { pot_limit: true },
    { deck: "constructor" },
  ])
    assert.throws(() => formOf({ ...SPOT, ...wrong }), { status: 0 });
  assert.throws(() => formOf({ ...SPOT, game: "omaha", pot_limit: 1 }), /pot_limit must be true or false/);
});

test("the classes of a short deck are those of its ranks", () => {
  const short = classesOf(ranksOf("short"));
  assert.equal(short.length, 81);
  assert.deepEqual(
    short,
    CLASSES.filter((name) => !/[2345]/.test(name)),
  );
  assert.equal(ranksOf("omaha"), ranksOf("full"));
  assert.deepEqual(missingCards("omaha"), []);
  const drawn = layers(new Map(short.map((name) => [name, { segments: [{ colour: "c", share: 1 }] }])), short);
  assert.equal(drawn.length, 1);
  assert.equal(drawn[0].d.match(/M/g).length, 81);
  assert.ok(drawn[0].d.includes("M8 9v"));
  assert.ok(!drawn[0].d.includes("M9 "));
});

const cell = (made, draw, probability, more = {}) => ({
  name: draw ? `${made}, ${draw}` : made,
  made,
  draw,
  hands: 4,
  combos: 2,
  probability,
  ev: 6,
  equity: 0.5,
  mix: [0.25, 0.75],
  ...more,
});
const NODE = {
  board: "Kh9s4d",
  pot: 10,
  actions: ["X", "B5"],
  cells: [
    [cell("set", "", 0.75), cell("pair", "wrap", 0.25, { ev: null, equity: null })],
    [cell("pair", "", 1, { mix: null })],
  ],
};

test("rows and columns are the made hands and draws that there are, in their order", () => {
  const axes = axesOf(NODE.cells.flat(), ["set", "two pair", "pair"], ["gutshot", "wrap"]);
  assert.deepEqual(axes, { rows: ["set", "pair"], columns: ["", "wrap"] });
});

test("cells say how much of the range they are, or what they earn, and what they play", () => {
  const strategy = madeCells(NODE, "strategy", 0);
  assert.deepEqual([...strategy.keys()], ["set", "pair, wrap"]);
  assert.equal(strategy.get("set").label, "75.0 %");
  assert.deepEqual(
    strategy.get("set").segments.map(({ share }) => share),
    [0.25, 0.75],
  );
  assert.match(strategy.get("set").title, /75\.0 % of the range, 4 hands; X 25 %, B5 75 %; EV .*equity 50\.0 %/);
  assert.match(madeCells(NODE, "ev", 0).get("set").label, /6/);
  assert.equal(madeCells(NODE, "equity", 0).get("set").label, "50.0 %");
  assert.equal(madeCells(NODE, "ev", 0).get("pair, wrap").segments[0].colour, "var(--held)");
  assert.equal(madeCells(NODE, "range", 1).get("pair").segments.length, 1);
  assert.equal(byMade(NODE, 0).get("set").range, 2);
});

/** Return a store whose questions are answered by hand, and the questions. */
function asked() {
  const questions = [];
  const ask = (request) => new Promise((resolve, reject) => questions.push({ request, resolve, reject }));
  const store = fourCardStore({ ask, board: () => ["Kh", "9s", "4d"] });
  const heard = [];
  store.subscribe((what) => heard.push(what));
  return { store, questions, heard };
}

test("a range is counted on its board, and an answer that comes too late changes nothing", async () => {
  const { store, questions, heard } = asked();
  const first = store.set("AA");
  const second = store.set(" KK ");
  assert.deepEqual(questions[1].request, { game: "omaha", text: " KK ", board: "Kh9s4d" });
  questions[1].resolve({ hands: 7 });
  await second;
  questions[0].resolve({ hands: 5 });
  await first;
  assert.equal(store.state.facts.hands, 7);
  assert.equal(store.text(), "KK");
  assert.deepEqual(heard, ["text", "text", "facts", "range"]);
});

test("what is wrong with a text is kept until it is another one; another board counts it again", async () => {
  const { store, questions, heard } = asked();
  const read = store.set("AAA+");
  questions[0].reject(new Error("no"));
  await read;
  assert.equal(store.state.error.message, "no");
  assert.equal(store.state.facts, null);
  const again = store.recount();
  questions[1].resolve({ hands: 1 });
  await again;
  assert.equal(store.state.error, null);
  assert.deepEqual(heard, ["text", "facts", "range", "facts"]);
});
