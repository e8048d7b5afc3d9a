// What the Kuhn lab knows: the state of CFR, the settings, what is chosen, and what has been done, so that an address
// can say it again.
import { MOST_REPLAYED, NO_MODEL, readFragment, writeBelief, writeFragment } from "./kuhn-address.js";
import { averageOf, copyOf, iterate, start } from "./kuhn-cfr.js";
import { DEALS, INFOSETS, dealsOf, equilibrium, evaluate, uniform } from "./kuhn-game.js";
import { certificate, modelOf } from "./kuhn-model.js";
import { drawing } from "./random.js";
import { ALGORITHMS } from "./update-rules.js";

/** @typedef {import("./kuhn-game.js").Strategy} Strategy */
/** @typedef {import("./kuhn-cfr.js").State} State */
/** @typedef {import("./kuhn-address.js").Step} Step */
/** @typedef {{t: number, current: number, average: number, gap: number | null, strategy: Strategy, mean: Strategy}} Point */

const MOST_EVENTS = 60;
const ALL_POINTS = 100; // iterations of which each is a point of the curves
const GROWTH = 1.03;

/** Return a generator of deals, the same in every run. */
function dealer() {
  const random = drawing(1);
  return () => DEALS[Math.floor(random() * DEALS.length)];
}

/**
 * Return the store of a lab. `subscribe` has a function called after every change, with what has changed: "strategy",
 * "settings" or "chosen".
 *
 * @param {{algorithm?: string, alternating?: boolean, walk?: string, model?: string, answers?: number, trust?: number}} [options]
 */
export function makeStore(options = {}) {
  const listeners = [];
  const settings = { algorithm: "cfr", alternating: true, walk: "full", ...NO_MODEL, ...options };
  let draw = dealer();
  /** @type {Step[]} */
  let events = [];

  const store = {
    settings,
    /** @type {State} */
    state: start(),
    /** @type {null | {before: State, deal: any, record: Record<string, any>}} what the last iteration did */
    last: null,
    /** @type {Point[]} */
    points: [],
    chosen: "Q",
    /** @type {string[]} texts of the address that was opened last which say no step that there is */
    unknownSteps: [],
    secret: false, // whether the next strategy is being predicted

    subscribe(listener) {
      listeners.push(listener);
    },

    /** Begin again: uniform strategies, empty tables. */
    reset() {
      draw = dealer();
      events = [];
      store.state = start();
      store.last = null;
      store.points = [point()];
      changed("strategy");
    },

    /** Change settings; another algorithm, order of updates or game to be solved begins again. */
    configure(changes) {
      const game = solved();
      const again = ["algorithm", "alternating"].some((name) => name in changes && changes[name] !== settings[name]);
      Object.assign(settings, changes);
      if (again || solved() !== game) store.reset();
      changed("settings");
    },

    /** Believe in a model of the opponent; "sliders" is what the opponent's sliders have now. */
    believe(model) {
      const sliders = model === "sliders" ? { ...store.state.strategy } : null;
      store.configure({ model, sliders, ...(model === "none" ? { trust: 0 } : {}) });
    },

    /** Return who answers which model at which trust; null where there is no model. */
    answering() {
      const { model, answers: player, trust, sliders } = settings;
      const strategy = modelOf(model, 1 - player, sliders);
      return strategy && { player, trust, strategy };
    },

    choose(key) {
      store.chosen = key;
      changed("chosen");
    },

    keepSecret(secret) {
      store.secret = secret;
      changed("chosen");
    },

    /** Have an infoset play its second action with a probability in the next iteration. */
    setBet(key, probability) {
      const last = events.at(-1);
      if (last?.[0] === "s" && last[1] === key) last[2] = probability;
      else events.push(["s", key, probability]);
      store.state.strategy[key] = probability;
      changed("strategy");
    },

    /** Have all infosets play a strategy in the next iteration; `name` is "u" or "e", uniform or an equilibrium. */
    play(name, alpha = 0) {
      const last = events.at(-1);
      if (last && last[0] === name) last[1] = alpha;
      else events.push([name, alpha]);
      store.state.strategy = name === "e" ? equilibrium(alpha) : uniform();
      changed("strategy");
    },

    /** Run iterations; until `deadline` (performance.now), if it is given. Return how many were run. */
    run(count, deadline = Infinity) {
      let done = 0;
      const answering = store.answering();
      while (done < count && (done % 16 || performance.now() < deadline)) {
        done++;
        const deal = next();
        const watched = done === count || done % 16 === 0;
        const before = watched ? copyOf(store.state) : null;
        const { algorithm, alternating } = settings;
        const record = iterate(store.state, { algorithm, alternating, deal, answering }, watched);
        if (before) store.last = { before, deal, record };
        const t = store.state.t;
        if (t <= ALL_POINTS || t >= GROWTH * store.points.at(-1).t) store.points.push(point());
      }
      if (done) {
        note(settings.walk, done);
        changed("strategy");
      }
      return done;
    },

    /** Return what the next iteration would do; of a deal that is drawn, the chosen infoset's first. */
    preview() {
      const { algorithm, alternating, walk } = settings;
      const deal = walk === "full" ? null : walk === "random" ? preferred() : walk;
      const answering = store.answering();
      return { deal, record: iterate(copyOf(store.state), { algorithm, alternating, deal, answering }, true) };
    },

    average: () => averageOf(store.state),

    /** Stand where a run stood, whose strategy sums count as the package has them. */
    restore(position, chosen = store.chosen) {
      const { gamma } = ALGORITHMS[settings.algorithm];
      const unit = settings.walk === "full" ? position.t ** gamma || 1 : 1;
      const { strategy, regretSum, strategySum } = start(); // of infosets that no sample has come to
      store.state = {
        t: position.t,
        strategy: { ...strategy, ...position.strategy },
        regretSum: { ...regretSum, ...structuredClone(position.regretSum) },
        strategySum: { ...strategySum, ...structuredClone(position.strategySum) },
        unit,
      };
      store.points = [point()];
      store.choose(chosen);
    },

    /** Return the position as the fragment of an address; one that took too much is its strategy alone. */
    fragment() {
      const isLong = events.length > MOST_EVENTS || store.state.t > MOST_REPLAYED;
      const steps = isLong ? INFOSETS.map(({ key }) => /** @type {Step} */ (["s", key, bet(key)])) : events;
      return writeFragment({ ...settings, chosen: store.chosen, belief: settings, steps });
    },

    /** Return whether a fragment is a position of this lab, and go there. */
    open(fragment) {
      const position = readFragment(fragment);
      if (position === null) return false;
      const { algorithm, alternating, walk, chosen, steps, unknown } = position;
      Object.assign(settings, { algorithm, alternating, ...NO_MODEL });
      store.reset();
      for (const step of steps) carryOut(step);
      settings.walk = walk;
      store.chosen = chosen;
      store.unknownSteps = unknown;
      changed("settings");
      return true;
    },
  };

  /** Return which game is solved, as text: the same without a model and without trust. */
  const solved = () => (settings.trust === 0 ? "" : writeBelief(settings));

  /** Return the probability of the second action in the next iteration. */
  const bet = (key) => store.state.strategy[key];

  /** Do again what was done. @param {Step} step */
  function carryOut([name, first, probability]) {
    if (name === "s") store.setBet(first, probability);
    else if (name === "m") store.configure(first);
    else if (name === "e" || name === "u") store.play(name, first);
    else {
      settings.walk = name;
      store.run(first);
    }
  }

  const next = () =>
    settings.walk === "full"
      ? null
      : settings.walk === "random"
        ? /** @type {any} */ ([draw(), draw()])
        : settings.walk;

  const preferred = () => dealsOf(store.chosen)[0];

  function note(walk, count) {
    const last = events.at(-1);
    if (last && last[0] === walk) last[1] += count;
    else events.push([walk, count]);
  }

  /** @returns {Point} */
  function point() {
    const strategy = { ...store.state.strategy };
    const mean = averageOf(store.state);
    const [current, average] = [strategy, mean].map((one) => evaluate(one).exploitability);
    const answering = settings.trust > 0 && store.answering();
    const gap = answering ? certificate(mean, answering).gap : null;
    return { t: store.state.t, current, average, gap, strategy, mean };
  }

  function changed(what) {
    for (const listener of listeners) listener(what);
  }

  store.points = [point()];
  return store;
}
