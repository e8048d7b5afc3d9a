import assert from "node:assert/strict";
import { test } from "node:test";

import { byTexture } from "../../../src/equilibrist/page/js/poker/run-out-textures.js";

const row = (card, alike, weight, flush, [evs, equity, check]) => ({
  ...{ card, alike, weight, flush, board: card, player: 0, pot: 100, rank: "middle", straight: false },
  ...{ suits: "rainbow", pairing: "unpaired", connected: false, high: "Q" },
  ...{ ev: evs, equity: [equity, 1 - equity], frequencies: { X: check, B50: 1 - check } },
});
const ROWS = [
  row("2c", ["2c", "2s"], 0.5, "new suit", [[60, 40], 0.6, 1]),
  row("3c", ["3c"], 0.25, "new suit", [[30, 70], 0.3, 0.4]),
  row("Ah", ["Ah"], 0.25, "third of a suit", [[10, 90], 0.1, 0]),
  row("As", ["As"], 0, "third of a suit", [[0, 100], 0, 1]),
];

test("means by texture weigh each card by its deals, and leave out those that never come", () => {
  const rows = byTexture(ROWS, "flush");
  assert.deepEqual(
    rows.map(({ name, cards, share }) => [name, cards, share]),
    [
      ["new suit", 3, 0.75],
      ["third of a suit", 1, 0.25],
    ],
  );
  assert.ok(Math.abs(rows[0].ev[0] - (0.5 * 60 + 0.25 * 30) / 0.75) < 1e-12);
  assert.ok(Math.abs(rows[0].equity[1] - (0.5 * 0.4 + 0.25 * 0.7) / 0.75) < 1e-12);
  assert.ok(Math.abs(rows[0].frequencies.X - (0.5 * 1 + 0.25 * 0.4) / 0.75) < 1e-12);
  assert.deepEqual(rows[1].ev, [10, 90]);
});

test("what is not known of a player is left out of means", () => {
  const [one, other, rest] = ROWS.slice(0, 3).map((own) => ({ ...own, ev: [own.ev[0], null], frequencies: {} }));
  const [all] = byTexture([one, { ...other, ev: [null, null] }, rest], "straight");
  assert.ok(Math.abs((all.ev[0] ?? 0) - (0.5 * 60 + 0.25 * 10) / 0.75) < 1e-12);
  assert.equal(all.ev[1], null);
  assert.deepEqual(all.frequencies, {});
});

test("one texture is the mean of all, and nothing is nothing", () => {
  const [all] = byTexture(ROWS, "straight");
  assert.equal(all.name, "no more straights");
  assert.equal(all.share, 1);
  assert.ok(Math.abs(all.ev[0] - (30 + 7.5 + 2.5)) < 1e-12);
  assert.deepEqual(byTexture([], "flush"), []);
});
