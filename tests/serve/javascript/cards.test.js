import assert from "node:assert/strict";
import { test } from "node:test";

import { actionColour } from "../../../src/equilibrist/serve/static/js/colours.js";
import { cardName, cardText, splitCards } from "../../../src/equilibrist/serve/static/js/widgets/cards.js";
import { CLASSES, classOf, handsOf } from "../../../src/equilibrist/serve/static/js/widgets/grid.js";

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

test("169 classes have 1,326 hands, each in its class", () => {
  const hands = CLASSES.flatMap(handsOf);
  assert.equal(CLASSES.length, 169);
  assert.equal(new Set(hands).size, 1326);
  for (const name of CLASSES) for (const hand of handsOf(name)) assert.equal(classOf(hand), name);
});

test("colours go from amber to red by the size of a bet", () => {
  const actions = ["F", "C", "B50", "B100", "A300"];
  const colours = actions.map((action) => actionColour(action, actions));
  assert.deepEqual(colours, ["var(--fold)", "var(--passive)", "var(--bet-1)", "var(--bet-3)", "var(--bet-5)"]);
  assert.equal(actionColour("left", ["left", "right"]), "var(--cat-1)");
});
