// Writes what networks come to in a number of iterations: `node learned.js '{"units": 8, "iterations": 30}'`; without
// settings, which ones the lab offers.
import { CHOICES, makeStore } from "../../../src/equilibrist/learn/lab/learning-store.js";

/** Return the average, and what the lab says of it. */
function learn({ iterations, ...settings }) {
  const store = makeStore(settings);
  for (let n = 0; n < iterations; n++) store.advance(store.stepsLeft());
  const { run, deep, floors } = store.state;
  return {
    average: run.average(),
    exploitabilities: deep.map(([, exploitability]) => exploitability),
    error: store.errorOfNetworks(),
    floor: floors.at(-1)[1],
  };
}

const [, , settings] = process.argv;
console.log(JSON.stringify(settings ? learn(JSON.parse(settings)) : CHOICES));
