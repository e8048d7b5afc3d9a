// A position of the Kuhn lab as the fragment of an address: its settings, and the steps that lead there.
import { asFraction, parse } from "./fraction.js";
import { DEALS, INFOSETS, isInfoset } from "./kuhn-game.js";
import { MODELS, MOST_TRUST } from "./kuhn-model.js";
import { ALGORITHMS } from "./update-rules.js";

/** @typedef {import("./kuhn-game.js").Strategy} Strategy */
/** @typedef {{model: string, answers: number, trust: number, sliders: Strategy | null}} Belief */
/**
 * What was done: ["s", infoset, probability], ["e", alpha] and ["u", 0] for what is played next, [walk, iterations],
 * or ["m", belief].
 *
 * @typedef {[string, ...any[]]} Step
 */
/** @typedef {{algorithm: string, alternating: boolean, walk: string, chosen: string, steps: Step[]}} Position */

/** What an iteration walks: all deals, one that is drawn for each player, or one that is chosen. */
const WALKS = ["full", "random", ...DEALS];
/** Whether players are updated in turn or all at once. */
const ORDERS = ["turn", "once"];
/** The most iterations that an address has run again. */
export const MOST_REPLAYED = 20_000;
/** What is believed where nothing is: no model of the opponent. @type {Belief} */
export const NO_MODEL = { model: "none", answers: 0, trust: 0, sliders: null };

const START = /^#?kuhn:/;
const LARGEST_ALPHA = 1 / 3 + 1e-9; // of an equilibrium, with room for rounding

/** Return a number as an address has it, to the last bit: 0.333… → "1_3". */
function writeNumber(number) {
  const fraction = asFraction(number);
  if (fraction === null) return String(number);
  const [numerator, denominator] = fraction;
  if (numerator / denominator !== number) return String(number); // a fraction up to rounding
  return denominator === 1 ? String(numerator) : `${numerator}_${denominator}`;
}

const readNumber = (text) => (/^[\d.]+e-\d+$/.test(text) ? Number(text) : parse(text.replace("_", "/")));

/** Return what is believed as a step of an address; empty where nothing is. @param {Belief} belief */
export function writeBelief({ model, answers, trust, sliders }) {
  if (model === "none") return "";
  const numbers = [trust, ...(sliders ? INFOSETS.map(({ key }) => sliders[key]) : [])];
  return `m.${answers}.${model}.${numbers.map(writeNumber).join()}`;
}

/** Return what a step of an address says after its name, "0.uniform.1_2"; null where it says nothing that there is. */
function readBelief(text) {
  const [, answers, model, rest] = /^([01])\.([a-z]+)\.(.*)$/.exec(text) ?? [];
  const [trust, ...bets] = (rest ?? "").split(",").map(readNumber);
  if (!MODELS.includes(model) || model === "none" || !(trust >= 0 && trust <= MOST_TRUST)) return null;
  const many = model === "sliders" ? INFOSETS.length : 0;
  if (bets.length !== many || !bets.every((bet) => bet >= 0 && bet <= 1)) return null;
  const sliders = many ? Object.fromEntries(INFOSETS.map(({ key }, i) => [key, bets[i]])) : null;
  return { model, answers: Number(answers), trust, sliders };
}

/** Return a step as text. @param {Step} step */
const writeStep = ([name, ...rest]) =>
  [name, ...rest.map((one) => (typeof one === "number" ? writeNumber(one) : one))].join(".");

/** Return the step that a text says; null where it says nothing that there is. @returns {Step | null} */
function readStep(text) {
  const [name, first, ...rest] = text.split(".");
  if (name === "s") {
    const probability = readNumber(rest.join("."));
    return isInfoset(first) && probability >= 0 && probability <= 1 ? ["s", first, probability] : null;
  }
  const argument = [first, ...rest].join(".");
  if (name === "m") {
    const belief = readBelief(argument);
    return belief && ["m", belief];
  }
  const number = readNumber(argument);
  if (name === "u") return ["u", 0];
  if (name === "e") return number >= 0 && number <= LARGEST_ALPHA ? ["e", number] : null;
  return WALKS.includes(name) && number >= 1 && number <= MOST_REPLAYED ? [name, Math.floor(number)] : null;
}

/**
 * Return the fragment of a position.
 *
 * @param {Position & {belief: Belief}} position
 */
export function writeFragment({ algorithm, alternating, walk, chosen, belief, steps }) {
  const kind = [algorithm, alternating ? "turn" : "once", walk, chosen].join(".");
  return `kuhn:${[kind, writeBelief(belief), ...steps.map(writeStep)].filter(Boolean).join(";")}`;
}

/** Return a fragment without escapes; one whose escapes are broken as it is. */
function decode(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Return the position that a fragment says, and the texts of the steps that there are not; null where it is none of
 * this lab.
 *
 * @returns {Position & {unknown: string[]} | null}
 */
export function readFragment(fragment) {
  const text = decode(fragment);
  if (!START.test(text)) return null;
  const [kind, ...texts] = text.replace(START, "").split(";");
  const [algorithm, order, walk, chosen] = kind.split(".");
  if (!Object.hasOwn(ALGORITHMS, algorithm) || !ORDERS.includes(order)) return null;
  if (!WALKS.includes(walk) || !isInfoset(chosen)) return null;
  const steps = texts.map(readStep);
  const unknown = texts.filter((text, n) => text !== "" && steps[n] === null);
  const alternating = order === "turn";
  return { algorithm, alternating, walk, chosen, steps: steps.filter((step) => step !== null), unknown };
}
