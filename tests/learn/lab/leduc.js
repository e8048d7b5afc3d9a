// Compares the arithmetic of the Leduc lab with what the package has computed: `node leduc.js cases.json`. Prints how
// many numbers were compared, and fails where one differs by more than 1e-12, or an answer of a part from the linear
// programme by more than the gap that the lab proves.
import { readFileSync } from "node:fs";

import { averageOf, iterate, start } from "../../../src/equilibrist/learn/lab/leduc-cfr.js";
import { DECISIONS, infosetOf, nameOf, PARTS, STATES, uniform } from "../../../src/equilibrist/learn/lab/leduc-game.js";
import { evaluate } from "../../../src/equilibrist/learn/lab/leduc-judge.js";
import { partOf, resolve } from "../../../src/equilibrist/learn/lab/leduc-part.js";

const LIMIT = 1e-12;
const CARDS = ["J", "Q", "K"];
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
const counts = {};

/** Compare numbers, and lists of them. */
function same(what, ours, theirs, limit = LIMIT) {
  const left = [ours].flat(Infinity);
  const right = [theirs].flat(Infinity);
  if (left.length !== right.length) throw new Error(`${what}: ${left.length} numbers, the package has ${right.length}`);
  left.forEach((value, k) => {
    counts[what] = (counts[what] ?? 0) + 1;
    const scale = Math.max(1, Math.abs(right[k]));
    if (!(Math.abs(value - right[k]) <= limit * scale))
      throw new Error(`${what}: ${value}, the package has ${right[k]}`);
  });
}

/** Compare a table of the lab with one by the names of infosets. */
function sameTable(what, table, expected) {
  let compared = 0;
  for (const state of DECISIONS) {
    for (const [hand, row] of table[state.index].entries()) {
      same(what, row, expected[infosetOf(state, hand)]);
      compared++;
    }
  }
  if (compared !== Object.keys(expected).length)
    throw new Error(`${what}: ${compared} infosets, the package has ${Object.keys(expected).length}`);
}

/** Return a strategy of the lab from one by the names of infosets. */
function strategyOf(rows) {
  const strategy = uniform();
  for (const state of DECISIONS) strategy[state.index] = CARDS.map((_, hand) => rows[infosetOf(state, hand)]);
  return strategy;
}

for (const { algorithm, stops } of cases.runs) {
  const cfr = start();
  for (const { after, average, regrets } of stops) {
    while (cfr.t < after) iterate(cfr, algorithm);
    sameTable(`averages of ${algorithm}`, averageOf(cfr), average);
    sameTable(`regrets of ${algorithm}`, cfr.regretSum, regrets);
  }
}

for (const { strategy, ...expected } of cases.evaluations) {
  const ours = evaluate(strategyOf(strategy));
  for (const [name, theirs] of Object.entries(expected)) same(`evaluation: ${name}`, ours[name], theirs);
}

const spliced = [];
for (const { strategy, player, part: name, parts } of cases.parts) {
  const whole = strategyOf(strategy);
  const { index } = PARTS.find((state) => nameOf(state) === name);
  const part = partOf(whole, index, player);
  for (const { method, allowed, weight, objective } of parts) {
    same("parts: allowed", part.allowed, allowed);
    same("parts: weights", part.weights, weight);
    const answer = resolve(whole, part, method);
    if (answer.gap > 1e-3) throw new Error(`${method} of ${name}: a gap of ${answer.gap}`);
    if (objective > answer.objective + LIMIT || objective < answer.objective - answer.gap - LIMIT)
      throw new Error(`${method} of ${name}: ${answer.objective} ± ${answer.gap}, the programme has ${objective}`);
    counts[`objectives of ${method}`] = (counts[`objectives of ${method}`] ?? 0) + 1;
    const rows = {};
    for (const state of STATES.filter(({ kind }) => kind === "decision"))
      for (const hand of CARDS.keys()) rows[infosetOf(state, hand)] = answer.strategy[state.index][hand];
    spliced.push({ strategy: rows, best: evaluate(answer.strategy).best, values: answer.values, player, part: name });
  }
}
console.log(JSON.stringify({ counts, spliced }));
