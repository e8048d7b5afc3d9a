// What the Leduc lab knows: the run and its curves, what is unfolded, and a part that is solved again.
import { averageOf, iterate, sample, start } from "./leduc-cfr.js";
import { PARTS, STATES } from "./leduc-game.js";
import { evaluate } from "./leduc-judge.js";
import { METHODS, partOf, resolve } from "./leduc-part.js";
import { draw, drawing } from "./random.js";

/** @typedef {import("./leduc-cfr.js").CfrState} CfrState */
/** @typedef {import("./leduc-game.js").Strategy} Strategy */
/** @typedef {import("./leduc-part.js").Answer} Answer */
/** @typedef {import("./leduc-part.js").Part} Part */

/** The ways to solve the game, with what each is called. */
export const ALGORITHMS = { cfr: "CFR", "cfr+": "CFR+", sampled: "sampled" };
/** Whose play the tree shows. */
export const SHOWN = { average: "average", current: "current" };

const GROWTH = 1.08; // of histories visited from one point of a curve to the next

/**
 * Parts that are solved again, of the average strategy at an iteration.
 *
 * @typedef {object} Resolved
 * @property {number} t the iteration
 * @property {number} player who is solved again
 * @property {number[]} parts the states at which they begin
 * @property {number} left answers that are still to come
 * @property {number} before what the opponent's best response earns against the strategy as it was
 * @property {Record<string, {best: number, strategy: Strategy, excess: number, gap: number, solved: number}>} methods the
 *   same with the parts in it that are solved so far, by method, and how many these are
 * @property {Part} part the one that was chosen
 * @property {Record<string, Answer>} answers of that part
 */

/**
 * Return the store of a lab. `subscribe` has a function called after every change.
 *
 * @param {{seed?: number, algorithm?: string}} options
 */
export function makeStore({ seed = 1, algorithm = "cfr+" } = {}) {
  /** @type {(() => void)[]} */
  const listeners = [];
  let random = drawing(seed);
  const state = {
    algorithm,
    shown: "average",
    cfr: start(),
    /** @type {Record<string, [number, number][]>} histories visited and exploitability of the average, by algorithm */
    curves: { cfr: [], "cfr+": [], sampled: [] },
    open: new Set([0, ...STATES[0].next]),
    part: { index: PARTS[0].index, player: 1 },
    /** @type {Resolved | null} */
    resolved: null,
  };

  function changed() {
    for (const listener of listeners) listener();
  }

  /** Return the average strategy. */
  const average = () => averageOf(state.cfr);

  /** Run one iteration, and note where the average is once enough is new. */
  function step() {
    const { cfr, curves } = state;
    if (state.algorithm === "sampled") sample(cfr, (probabilities) => draw(probabilities, random()));
    else iterate(cfr, state.algorithm);
    const curve = curves[state.algorithm];
    const last = curve.at(-1)?.[0] ?? 0;
    if (cfr.visits >= GROWTH * last) curve.push([cfr.visits, evaluate(average()).exploitability]);
  }

  function reset() {
    random = drawing(seed);
    state.cfr = start();
    state.curves[state.algorithm] = [];
    state.resolved = null;
  }

  /** Return what is solved again next: parts one after the other, each by all methods. */
  function* resolving(strategy, parts) {
    const { player, index: chosen } = state.part;
    for (const index of parts) {
      const part = partOf(strategy, index, player);
      for (const method of Object.keys(METHODS))
        yield { method, index, answer: resolve(strategy, part, method), isChosen: index === chosen };
    }
  }

  return {
    state,
    average,

    /** @param {() => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },

    /** Return the strategy that the tree shows. */
    strategy: () => (state.shown === "average" ? average() : state.cfr.strategy),

    show(shown) {
      state.shown = shown;
      changed();
    },

    /** Begin again with an algorithm; the curves of the others stay. */
    choose(algorithm) {
      state.algorithm = algorithm;
      reset();
      changed();
    },

    reset() {
      reset();
      changed();
    },

    /** Run iterations, until `deadline` (performance.now) if it is given; return how many there were. */
    run(count, deadline = Infinity) {
      let done = 0;
      while (done < count && (done === 0 || performance.now() < deadline)) {
        step();
        done++;
      }
      changed();
      return done;
    },

    /** Unfold a state, or fold it. */
    toggle(index) {
      if (!state.open.delete(index)) state.open.add(index);
      changed();
    },

    /** Return the states in sight: those whose states above are all unfolded. */
    visible: () => STATES.filter(({ above }) => isOpen(above)),

    /** Choose a part, or who is solved again. */
    pick(change) {
      Object.assign(state.part, change);
      state.resolved = null;
      changed();
    },

    /**
     * Begin to solve the chosen part again, or all parts; return a function that goes on by one answer, and says whether
     * there is another one.
     */
    resolve({ all = false } = {}) {
      const strategy = average();
      const { index, player } = state.part;
      const parts = all ? PARTS.map((part) => part.index) : [index];
      const before = evaluate(strategy).best[1 - player];
      const answers = resolving(strategy, parts);
      const methods = Object.keys(METHODS).map((name) => [
        name,
        { best: before, strategy, excess: 0, gap: 0, solved: 0 },
      ]);
      /** @type {Resolved} */
      const resolved = {
        t: state.cfr.t,
        player,
        parts,
        left: parts.length * methods.length,
        before,
        methods: Object.fromEntries(methods),
        part: partOf(strategy, index, player),
        answers: {},
      };
      state.resolved = resolved;
      return () => {
        const { value } = answers.next();
        if (!value || state.resolved !== resolved) return false;
        addAnswer(resolved, strategy, value);
        changed();
        return resolved.left > 0;
      };
    },
  };

  /** Return whether a state, and all above it, are unfolded; there is none above the start. */
  function isOpen(index) {
    return index < 0 || (state.open.has(index) && isOpen(STATES[index].above));
  }
}

/** Splice an answer into what its method has found so far. */
function addAnswer(resolved, strategy, { method, answer, isChosen }) {
  const sofar = resolved.methods[method];
  const spliced = sofar.strategy.map((rows, k) => (answer.strategy[k] === strategy[k] ? rows : answer.strategy[k]));
  resolved.methods[method] = {
    strategy: spliced,
    best: evaluate(spliced).best[1 - resolved.player],
    excess: sofar.excess + answer.excess,
    gap: Math.max(sofar.gap, answer.gap),
    solved: sofar.solved + 1,
  };
  if (isChosen) resolved.answers[method] = answer;
  resolved.left--;
}

/** @typedef {ReturnType<typeof makeStore>} LeducStore */
