import assert from "node:assert/strict";
import { test } from "node:test";

import { boardAndLine } from "../../../src/equilibrist/page/js/infosets/infoset-name.js";
import { gameInWords } from "../../../src/equilibrist/page/js/base/words.js";

test("a history of cards is a board and a line", () => {
  assert.deepEqual(boardAndLine("Kh9s4d7c2h X-B50"), { board: "Kh9s4d7c2h", line: "X-B50" });
  assert.deepEqual(boardAndLine("Kh9s4d"), { board: "Kh9s4d", line: "" });
  assert.deepEqual(boardAndLine("Kh9s4d7c X-X | B50"), { board: "Kh9s4d7c", line: "X-X | B50" });
  for (const other of ["", "pb", "KhKd", "Kh9s4d7c2h3h X", "R2"]) assert.equal(boardAndLine(other), null);
});

test("games are told by kind, board, pot, and where a part begins; files without their folder", () => {
  const of = (name, more = "") => `${name}(board='Kh9s4d7c', oop='AA', ip='KK', pot=100, stack=300${more})`;
  assert.equal(gameInWords(of("holdem")), "Hold'em Kh9s4d 7c, pot 100, stacks 300");
  assert.equal(gameInWords(of("omaha")), "Omaha Kh9s4d 7c, pot 100, stacks 300");
  assert.equal(gameInWords(of("holdem", ", deck='short'")), "Short deck Kh9s4d 7c, pot 100, stacks 300");
  assert.equal(gameInWords(of("holdem", ", after='X-B50'")), "Hold'em Kh9s4d 7c, pot 100, stacks 300, after X-B50");
  assert.equal(gameInWords("/a/b.c/poker.efg"), "poker.efg");
  assert.equal(gameInWords("spots/river.toml"), "river.toml");
  assert.equal(gameInWords("/a/rules.py:Poker(ante=1)"), "rules.py:Poker(ante=1)");
  assert.equal(gameInWords("leduc(ranks='a/b.efg')"), "leduc(ranks='a/b.efg')");
});
