// Deep CFR on Kuhn poker (Brown et al. 2019): external samples fill a memory of advantages, to which a network of each
// player is fitted; beside it a table of what the networks approximate, exactly. The average is that of all networks'
// strategies, as Steinberger 2019 keeps them.
import { histories } from "./kuhn-cfr.js";
import { DEALS, DECISIONS, dealsOf, INFOSETS, infosetOf, keyAt, moverAt, payoff, reach, uniform } from "./kuhn-game.js";
import { fitStep, makeNetwork, predict } from "./learning-net.js";

/** @typedef {import("./kuhn-game.js").Strategy} Strategy */
/** @typedef {import("./kuhn-game.js").Pair} Pair */

/**
 * @typedef {object} Settings
 * @property {number} units of the hidden layer
 * @property {number} traversals of each player in an iteration
 * @property {number} steps of Adam, in which the network of a player is fitted in an iteration
 */

/** @typedef {{key: string, t: number, regrets: Pair}} Advantage of an infoset in a traversal of iteration t */

const CAPACITY = 20_000; // samples that the memory of a player keeps
const BATCH = 64; // samples of a step
const RATE = 0.02; // of Adam; it falls to 0 in each fit
const PLAYERS = [0, 1];

/** Return the features of an infoset: which card, and which decision. @param {string} key @returns {number[]} */
export function featuresOf(key) {
  const { card, line } = infosetOf(key);
  const cards = ["J", "Q", "K"].map((one) => Number(one === card));
  const decisions = DECISIONS.map((one) => Number(one.line === line));
  return [...cards, ...decisions];
}

/** Return the probability of the second action by regret matching; where no regret is positive, of the larger one. */
export function matchPair([pass, bet]) {
  const positive = [Math.max(pass, 0), Math.max(bet, 0)];
  const total = positive[0] + positive[1];
  if (total > 0) return positive[1] / total;
  return pass === bet ? 0.5 : Number(bet > pass);
}

/**
 * Sample below a history, all actions of a player and one of the other; return what the player wins.
 *
 * @param {Strategy} strategy
 * @param {{deal: string, line: string, player: number}} place
 * @param {(probabilities: number[]) => number} choose
 * @param {(key: string, regrets: Pair) => void} keep is given the advantages of the player's infosets
 * @returns {number}
 */
export function traverse(strategy, { deal, line, player }, choose, keep) {
  const mover = moverAt(line);
  if (mover === undefined) return payoff(deal, line, player);
  const key = keyAt(deal, line);
  const played = [1 - strategy[key], strategy[key]];
  const below = (move) => traverse(strategy, { deal, line: line + "pb"[move], player }, choose, keep);
  if (mover !== player) return below(choose(played));
  const values = [below(0), below(1)];
  const value = played[0] * values[0] + played[1] * values[1];
  keep(key, [values[0] - value, values[1] - value]);
  return value;
}

/** Return sums of a number for both actions of each infoset. @returns {Record<string, Pair>} */
const pairs = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, [0, 0]]));
const zeros = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, 0]));

/**
 * Return a run of Deep CFR. `step()` takes a step of Adam; before the first step of a player's fit it samples, and after
 * the last one the player plays by its network.
 *
 * @param {Settings} settings
 * @param {() => number} random numbers from 0 to 1 (1 excluded)
 */
export function makeRun({ units, traversals, steps }, random) {
  const widths = [7, units, 2];
  const run = {
    t: 1, // the iteration at work
    player: 0, // whose network is fitted
    fitted: 0, // steps of this fit so far
    steps: 0, // in all
    strategy: uniform(),
    networks: PLAYERS.map(() => makeNetwork(widths, random)),
    memories: PLAYERS.map(() => ({ samples: /** @type {Advantage[]} */ ([]), seen: 0 })),
    exact: { advantages: pairs(), weights: zeros() }, // Σ t · regret, and Σ t · probability that others lead there
    sums: pairs(), // Σ t · own reach · probability
    step,
    average: () => Object.fromEntries(INFOSETS.map(({ key }) => [key, shareOf(run.sums[key])])),
  };
  const choose = (probabilities) => (random() < probabilities[0] ? 0 : 1);

  /** Keep an advantage in the memory of a player, in which each that was seen is as likely to be. */
  function keep(memory, advantage) {
    memory.seen++;
    if (memory.samples.length < CAPACITY) memory.samples.push(advantage);
    else {
      const place = Math.floor(random() * memory.seen);
      if (place < CAPACITY) memory.samples[place] = advantage;
    }
  }

  /** Sample the advantages of the player against the strategies of now; and add them exactly to the table. */
  function observe() {
    const { t, player, strategy } = run;
    for (let n = 0; n < traversals; n++) {
      const deal = DEALS[Math.floor(random() * DEALS.length)];
      traverse(strategy, { deal, line: "", player }, choose, (key, regrets) =>
        keep(run.memories[player], { key, t, regrets }),
      );
    }
    addExact(run.exact, strategy, player, t);
    for (const { key, line } of INFOSETS.filter((one) => one.player === player)) {
      const weight = t * reach(strategy, dealsOf(key)[0], line, player);
      run.sums[key][0] += weight * (1 - strategy[key]);
      run.sums[key][1] += weight * strategy[key];
    }
  }

  /** Return a sample of the memory as a network takes it; those of iteration t count t times. */
  function drawSample({ samples }) {
    const { key, t, regrets } = samples[Math.floor(random() * samples.length)];
    return { x: featuresOf(key), y: regrets, weight: t };
  }

  function step() {
    const { player } = run;
    if (run.fitted === 0) observe();
    const batch = Array.from({ length: BATCH }, () => drawSample(run.memories[player]));
    fitStep(run.networks[player], batch, RATE * (1 - run.fitted / steps));
    run.steps++;
    run.fitted++;
    if (run.fitted === steps) finish();
  }

  /** Have the player play by its network, and go on with the other one. */
  function finish() {
    const { player, networks } = run;
    for (const { key } of INFOSETS.filter((one) => one.player === player))
      run.strategy = {
        ...run.strategy,
        [key]: matchPair(/** @type {Pair} */ (predict(networks[player], featuresOf(key)))),
      };
    run.fitted = 0;
    run.player = 1 - player;
    if (player === 1) run.t++;
  }
  return run;
}

const shareOf = ([pass, bet]) => (pass + bet > 0 ? bet / (pass + bet) : 0.5);

/**
 * Add what the samples of a player in iteration t mean, exactly: `exact` is changed.
 *
 * @param {{advantages: Record<string, Pair>, weights: Record<string, number>}} exact
 * @param {Strategy} strategy
 */
export function addExact(exact, strategy, player, t) {
  for (const infoset of INFOSETS.filter((one) => one.player === player)) {
    for (const { weight, values, value } of histories(strategy, infoset, null)) {
      exact.weights[infoset.key] += t * weight;
      for (const move of [0, 1]) exact.advantages[infoset.key][move] += t * weight * (values[move] - value);
    }
  }
}

/** Return the mean advantages of an infoset: what a network says that makes no error. @returns {Pair} */
export const exactOf = ({ advantages, weights }, key) =>
  /** @type {Pair} */ (advantages[key].map((sum) => (weights[key] > 0 ? sum / weights[key] : 0)));

/** Return the weighted mean of the samples of each infoset in a memory: the least squares of any network. */
export function meansOf({ samples }) {
  const sums = new Map();
  for (const { key, t, regrets } of samples) {
    const sum = sums.get(key) ?? [0, 0, 0];
    sums.set(key, [sum[0] + t * regrets[0], sum[1] + t * regrets[1], sum[2] + t]);
  }
  return new Map([...sums].map(([key, [pass, bet, total]]) => [key, [pass / total, bet / total]]));
}

/** @typedef {ReturnType<typeof makeRun>} DeepRun */
