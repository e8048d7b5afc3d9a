// Compares the arithmetic of the Kuhn lab with numbers of the package: node against.js cases.json
import { readFileSync } from "node:fs";

import { averageOf, iterate, start } from "../../../src/equilibrist/learn/lab/kuhn-cfr.js";
import { evaluate, equilibrium } from "../../../src/equilibrist/learn/lab/kuhn-game.js";
import { certificate, modelOf } from "../../../src/equilibrist/learn/lab/kuhn-model.js";
import { ALGORITHMS } from "../../../src/equilibrist/learn/lab/update-rules.js";

const TOLERANCE = 1e-12;
const cases = JSON.parse(readFileSync(process.argv[2], "utf-8"));
let compared = 0;

/** Compare numbers, lists and records of them. */
function same(ours, theirs, where) {
  if (typeof theirs === "object") {
    for (const key of Object.keys(theirs)) same(ours[key], theirs[key], `${where}.${key}`);
    return;
  }
  compared++;
  if (!(Math.abs(ours - theirs) <= TOLERANCE * Math.max(1, Math.abs(theirs))))
    throw new Error(`${where}: ${ours}, and the package has ${theirs}`);
}

for (const [i, { strategy, ...expected }] of cases.evaluations.entries())
  same(evaluate(strategy), expected, `evaluation ${i}`);
for (const { alpha, strategy } of cases.equilibria) same(equilibrium(alpha), strategy, `equilibrium ${alpha}`);
for (const [i, one] of cases.runs.entries()) {
  const state = {
    ...start(one.start.strategy),
    ...one.start,
    unit: one.start.t ** ALGORITHMS[one.algorithm].gamma || 1,
  };
  let done = 0;
  for (const { after, average, ...expected } of one.stops) {
    while (done < after) {
      const deal = one.deals ? one.deals[done] : null;
      iterate(state, { algorithm: one.algorithm, alternating: one.alternating, deal });
      done++;
    }
    const where = `run ${i} of ${one.algorithm}, ${one.alternating ? "in turn" : "at once"}, after ${after}`;
    same(state, expected, where);
    same(averageOf(state), average, `${where}, average`);
  }
}
for (const [i, { algorithm, alternating, deals, updates }] of cases.explanations.entries()) {
  const state = start();
  let record;
  for (const deal of deals) record = iterate(state, { algorithm, alternating, deal }, true);
  for (const update of Object.values(record))
    update.visited = Object.fromEntries(update.visited.map((one) => [one.deal, one]));
  same(record, updates, `explanation ${i} of ${algorithm}`);
}
for (const { model, player, trust, algorithm, alternating, iterations, average, ...expected } of cases.answers) {
  const answering = { player, trust, strategy: modelOf("sliders", 1 - player, model) };
  const state = start();
  for (let t = 0; t < iterations; t++) iterate(state, { algorithm, alternating, deal: null, answering });
  const where = `answer of player ${player} at ${trust} by ${algorithm}, ${alternating ? "in turn" : "at once"}`;
  same(averageOf(state), average, where);
  same(certificate(averageOf(state), answering), expected, where);
}
console.log(compared);
