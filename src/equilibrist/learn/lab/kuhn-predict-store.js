// What a round of predictions knows: which infosets are asked for, which one is at hand, and what was answered.
import { parse } from "./fraction.js";
import { DEALS, INFOSETS } from "./kuhn-game.js";

const QUESTIONS = 5;
const CLOSE = 0.005; // what "0.33" is off a third

/**
 * A question: the probability of an infoset's second action after the next iteration.
 *
 * @typedef {object} Question
 * @property {string} key
 * @property {number} number from 0
 * @property {number} count how many there are in the round
 * @property {any} update what the iteration does at the infoset
 */

/**
 * What was made of an answer; null before it: a text that is no probability, or whether it was right.
 *
 * @typedef {{text: string, isNumber: false} | {isNumber: true, isRight: boolean}} Verdict
 */

/** Return a list in a random order, the same for the same numbers. */
export function shuffle(list, random) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

/**
 * Return the store of predictions about what a Kuhn lab does next.
 *
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} lab
 * @param {() => number} [random] numbers from 0 to 1 (1 excluded)
 */
export function makePredictStore(lab, random = Math.random) {
  const state = {
    /** @type {string[]} */
    keys: [], // of the round; none where there is no round
    number: 0,
    right: 0,
    /** @type {Question | null} */
    question: null,
    /** @type {Verdict | null} */
    verdict: null,
    /** @type {{right: number, count: number} | null} */
    score: null, // of the last round that was ended
  };

  /** Ask what is next of the infoset at hand, as the lab stands now. */
  function ask() {
    const key = state.keys[state.number];
    const update = lab.preview().record[key];
    state.question = { key, number: state.number, count: state.keys.length, update };
    state.verdict = null;
    lab.choose(key);
  }

  /** End the round; its score stays, or there is none. */
  function end(score) {
    Object.assign(state, { keys: [], number: 0, right: 0, question: null, verdict: null, score });
    lab.keepSecret(false);
  }

  return {
    state,

    /** Return whether an answer to the question is awaited. */
    isAsking: () => state.question !== null && state.verdict?.isNumber !== true,

    /** Return whether the question is the last one. */
    isLast: () => state.number + 1 === state.keys.length,

    /** Ask for five infosets: the chosen one first, then others that the iteration comes to. */
    begin() {
      if (lab.settings.walk === "random") lab.configure({ walk: shuffle(DEALS, random)[0] });
      const { record } = lab.preview();
      const visited = INFOSETS.map(({ key }) => key).filter((key) => record[key].visited.length > 0);
      const first = visited.filter((key) => key === lab.chosen);
      const others = visited.filter((key) => key !== lab.chosen);
      state.keys = [...first, ...shuffle(others, random)].slice(0, QUESTIONS);
      state.number = 0;
      state.right = 0;
      state.score = null;
      lab.keepSecret(true);
      ask();
    },

    /** Ask the question at hand again, of what the lab does now. */
    askAgain: ask,

    /** Judge a text as the answer to the question. */
    answer(text) {
      const { question } = state;
      if (!question || state.verdict?.isNumber) return;
      const number = parse(text);
      if (!(number >= 0 && number <= 1)) {
        state.verdict = { text, isNumber: false };
        return;
      }
      const isRight = Math.abs(number - question.update.next[1]) <= CLOSE;
      state.right += Number(isRight);
      state.verdict = { isNumber: true, isRight };
    },

    /** Go on to the next question; after the last one run the iteration, and keep the score. */
    goOn() {
      if (!state.verdict?.isNumber) return;
      if (state.number + 1 < state.keys.length) {
        state.number++;
        ask();
        return;
      }
      end({ right: state.right, count: state.keys.length });
      lab.run(1);
    },

    /** End the round without a score. */
    stop: () => end(null),
  };
}

/** @typedef {ReturnType<typeof makePredictStore>} PredictStore */
