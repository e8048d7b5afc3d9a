// Writes what the learning lab computes, for the package and PyTorch to compare: `node learning.js cases.json`.
import { readFileSync } from "node:fs";

import { INFOSETS } from "../../../src/equilibrist/learn/lab/kuhn-game.js";
import { addExact, featuresOf } from "../../../src/equilibrist/learn/lab/learning-deep.js";
import { fitStep, makeNetwork, predict } from "../../../src/equilibrist/learn/lab/learning-net.js";
import { drawing } from "../../../src/equilibrist/learn/lab/random.js";

const { strategies, steps, rate, widths } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const exact = strategies.map((strategy) => {
  const table = {
    advantages: Object.fromEntries(INFOSETS.map(({ key }) => [key, [0, 0]])),
    weights: Object.fromEntries(INFOSETS.map(({ key }) => [key, 0])),
  };
  for (const player of [0, 1]) addExact(table, strategy, player, 1);
  return table.advantages;
});

const random = drawing(11);
const network = makeNetwork(widths, random);
const weightsOf = () => network.layers.map(({ rows }) => rows.map((row) => [...row]));
const before = weightsOf();
const batches = Array.from({ length: steps }, (_, k) =>
  INFOSETS.map(({ key }) => ({
    x: featuresOf(key),
    y: [random() - 0.5, 3 * random() - 1],
    weight: 1 + Math.floor(4 * random() + k / steps),
  })),
);
for (const batch of batches) fitStep(network, batch, rate);
const said = INFOSETS.map(({ key }) => predict(network, featuresOf(key)));
console.log(JSON.stringify({ exact, before, batches, after: weightsOf(), said }));
