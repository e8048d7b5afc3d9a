import assert from "node:assert/strict";
import { test } from "node:test";

import { copyOf, iterate, start } from "../../../../src/equilibrist/learn/lab/kuhn-cfr.js";
import { DEALS, INFOSETS } from "../../../../src/equilibrist/learn/lab/kuhn-game.js";
import { termsOf } from "../../../../src/equilibrist/learn/lab/kuhn-terms.js";
import { because } from "../../../../src/equilibrist/learn/lab/kuhn-words.js";
import { ALGORITHMS } from "../../../../src/equilibrist/learn/lab/update-rules.js";

let seed = 7;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

/** Compute what a term says that it was computed from, and what these were computed from; return how many there are. */
function check(term, where) {
  if (!term.of) return 0;
  const parts = term.of();
  const sum = parts
    .map((part) =>
      typeof part === "string"
        ? part.replace("·", "*").replace("−", "-").replace("max(", "Math.max(")
        : `(${part.value})`,
    )
    .join("");
  const computed = Function(`return ${sum}`)();
  assert.ok(
    Math.abs(computed - term.value) <= 1e-12 * Math.max(1, Math.abs(term.value)),
    `${where}, ${term.label}: ${sum} is ${computed}, not ${term.value}`,
  );
  return 1 + parts.reduce((count, part) => count + (typeof part === "string" ? 0 : check(part, where)), 0);
}

/** Return the labels of what a number was computed from in the end. */
const leavesOf = (term) => (term.of ? term.of().flatMap((part) => (part.of ? leavesOf(part) : part.label)) : []);

/** Return a strategy, a part of whose probabilities are 0 or 1. */
const anything = () =>
  Object.fromEntries(INFOSETS.map(({ key }) => [key, random() < 0.3 ? Math.round(random()) : random()]));

test("every number is what it says that it was computed from", () => {
  let count = 0;
  let divided = 0;
  for (const algorithm of Object.keys(ALGORITHMS)) {
    for (const alternating of [true, false]) {
      for (const deal of [null, "QK", ["JQ", "KJ"]]) {
        const player = Math.floor(random() * 3);
        const answering = player < 2 ? { player, trust: random(), strategy: anything() } : null;
        const state = start(Object.fromEntries(INFOSETS.map(({ key }) => [key, random()])));
        for (let t = 0; t < 6; t++) {
          const walked = t === 3 ? DEALS[Math.floor(random() * 6)] : t === 4 ? null : deal;
          const before = copyOf(state);
          const record = iterate(state, { algorithm, alternating, deal: walked, answering }, true);
          for (const { key } of INFOSETS) {
            for (const move of [0, 1]) {
              const unit = [before.unit, state.unit];
              const terms = termsOf(key, record[key], move, { algorithm: ALGORITHMS[algorithm], unit });
              const where = `${key} in iteration ${t + 1} of ${algorithm} on ${walked}`;
              for (const term of [
                ...terms.histories.map(({ added }) => added),
                terms.instant,
                terms.regret,
                terms.next,
                terms.strategySum,
                terms.average,
              ]) {
                count += check(term, where);
                divided += JSON.stringify(leavesOf(term)).includes("the model comes here") ? 1 : 0;
              }
              assert.equal(terms.next.value, move ? state.strategy[key] : 1 - state.strategy[key]);
            }
          }
        }
      }
    }
  }
  assert.ok(count > 100_000, `${count} numbers`);
  assert.ok(divided > 100, `${divided} numbers with a player who has moved before`);
});

test("a drawn deal for each player is what each alone would have", () => {
  for (const alternating of [false, true]) {
    const [both, one] = [start(), start()];
    iterate(both, { algorithm: "dcfr", alternating, deal: ["JQ", "KJ"] });
    iterate(one, { algorithm: "dcfr", alternating, deal: "JQ" });
    for (const key of ["J", "Jpb", "Q", "K"]) assert.deepEqual(both.regretSum[key], one.regretSum[key]);
    assert.deepEqual(both.regretSum.Qp, [0, 0]);
    assert.notDeepEqual(both.regretSum.Jb, [0, 0]);
  }
});

test("why the next strategy is what it is, in a sentence", () => {
  const record = iterate(start(), { algorithm: "cfr", alternating: false, deal: null }, true);
  assert.equal(
    because("Kb", record.Kb, ALGORITHMS.cfr),
    "The regret sums are now fold −1/4 and call 1/4: only call is positive, so that it is always played.",
  );
  assert.equal(
    because("Q", record.Q, ALGORITHMS.cfr),
    "The regret sums are now pass −1/8 and bet 1/8: only bet is positive, so that it is always played.",
  );
  const drawn = iterate(start(), { algorithm: "cfr", alternating: false, deal: "QK" }, true);
  assert.equal(because("J", drawn.J, ALGORITHMS.cfr), "This deal does not come to J, so that its strategy stays.");
});
