import assert from "node:assert/strict";
import { test } from "node:test";

import { actionColour } from "../../../src/equilibrist/page/js/base/colours.js";
import { deal } from "../../../src/equilibrist/page/js/poker/board.js";
import { cardName, cardText, splitCards } from "../../../src/equilibrist/page/js/cards/cards.js";
import { CLASSES, handsOf, layers } from "../../../src/equilibrist/page/js/cards/grid.js";
import { rangeCells, weightOf } from "../../../src/equilibrist/page/js/cards/range-cells.js";

test("the cards that a text begins with", () => {
  assert.deepEqual(splitCards("QsJh2h"), ["Qs", "Jh", "2h"]);
  assert.deepEqual(splitCards("qS, jH 2h"), ["Qs", "Jh", "2h"]);
  assert.deepEqual(splitCards("Qs1h2h"), ["Qs"]);
  assert.deepEqual(splitCards(""), []);
});

test("names of cards", () => {
  assert.equal(cardName("Ts"), "ten of spades");
  assert.equal(cardText("9h"), "9♥");
});

/** "AsKs" → "AKs" */
function classOf(hand) {
  const [one, suit, other, second] = hand;
  return one === other ? one + other : `${one}${other}${suit === second ? "s" : "o"}`;
}

test("169 classes have 1,326 hands, each in its class", () => {
  const hands = CLASSES.flatMap(handsOf);
  assert.equal(CLASSES.length, 169);
  assert.equal(new Set(hands).size, 1326);
  for (const name of CLASSES) for (const hand of handsOf(name)) assert.equal(classOf(hand), name);
});

test("what is drawn of a grid covers each cell once, by weight and share", () => {
  const cells = new Map(CLASSES.map((name) => [name, { weight: 0 }]));
  cells.set("AKs", {
    weight: 0.5,
    segments: [
      { colour: "red", share: 1 },
      { colour: "blue", share: 3 },
    ],
  });
  cells.set("AA", {
    segments: [
      { colour: "red", share: 0 },
      { colour: "blue", share: 2 },
    ],
    muted: true,
  });
  const drawn = layers(cells);
  const paths = (colour) => drawn.filter((one) => one.colour === colour).map(({ d }) => d);
  assert.deepEqual(paths("red"), ["M1 1v-0.5000h0.2500v0.5000z"]);
  assert.deepEqual(paths("blue"), ["M1 1v-0.5000h1.0000v0.5000z", "M0 1v-1.0000h1.0000v1.0000z"]);
  assert.deepEqual(
    drawn.filter(({ muted }) => muted).map(({ colour }) => colour),
    ["blue"],
  );
  const order = drawn.map(({ colour, muted }) => muted || colour);
  assert.ok(order.indexOf("blue") < order.indexOf("red")); // the first colour lies over those after it
  assert.equal(paths("var(--sunk)")[0].split("z").length - 1, 167);
});

test("colours go from amber to red by the size of a bet", () => {
  const actions = ["F", "C", "B50", "B100", "A300"];
  const colours = actions.map((action) => actionColour(action, actions));
  assert.deepEqual(colours, ["var(--fold)", "var(--passive)", "var(--bet-1)", "var(--bet-3)", "var(--bet-5)"]);
  assert.equal(actionColour("left", ["left", "right"]), "var(--cat-1)");
});

test("a street at random keeps the streets before it", () => {
  const [flop, turn, river] = [
    { first: 0, last: 3 },
    { first: 3, last: 4 },
    { first: 4, last: 5 },
  ];
  const board = ["Td", "9d", "6h", "Qc"];
  const dealt = deal(board, river);
  assert.deepEqual(dealt.slice(0, 4), board);
  assert.equal(new Set(dealt).size, 5);
  assert.deepEqual(
    deal([...board, "2s"], turn, () => 0),
    ["Td", "9d", "6h", "As"],
  );
  assert.equal(new Set(deal([], river)).size, 5);
  assert.deepEqual(
    deal(board, flop, () => 0),
    ["As", "Ks", "Qs"],
  );
});

test("a range in classes, without the hands that the board blocks", () => {
  const weights = new Map(handsOf("AA").map((hand) => [hand, hand === "AdAc" ? 0.5 : 1]));
  assert.equal(weightOf("AA", weights, []), null);
  assert.equal(weightOf("AA", weights, ["Ac"]), 1);
  assert.equal(weightOf("KK", weights, []), 0);
  const { cells, combos, share } = rangeCells(weights, ["As"]);
  assert.deepEqual([combos, share], [2.5, 2.5 / 1275]);
  assert.equal(cells.get("AA").title, "AA: 83 %, 2.5 of 3 hands");
  assert.equal(cells.get("AA").segments[0].colour, "var(--range-mixed)");
  assert.equal(rangeCells(weights, ["As", "Ah", "Ad", "Ac"]).cells.get("AA").muted, true);
});
