// What the Kuhn lab knows: the state of CFR, the settings, what is chosen, and what has been done, so that an address
// can say it again.
import { asFraction, parse } from "./fraction.js";
import { averageOf, copyOf, iterate, start } from "./kuhn-cfr.js";
import { DEALS, INFOSETS, dealsOf, equilibrium, evaluate, isInfoset, uniform } from "./kuhn-game.js";
import { MODELS, MOST_TRUST, certificate, modelOf } from "./kuhn-model.js";
import { drawing } from "./random.js";
import { ALGORITHMS } from "./update-rules.js";

/** @typedef {import("./kuhn-game.js").Strategy} Strategy */
/** @typedef {import("./kuhn-cfr.js").State} State */
/** @typedef {{t: number, current: number, average: number, gap: number | null, strategy: Strategy, mean: Strategy}} Point */

/** What an iteration walks: all deals, one that is drawn for each player, or one that is chosen. */
export const WALKS = ["full", "random", ...DEALS];

/** What is believed where nothing is: no model of the opponent. */
const NO_MODEL = { model: "none", answers: 0, trust: 0, sliders: /** @type {Strategy | null} */ (null) };

const MOST_EVENTS = 60;
const MOST_REPLAYED = 20_000;
const ALL_POINTS = 100; // iterations of which each is a point of the curves
const GROWTH = 1.03;

/** Return a number as an address has it, exactly: 0.333… → "1_3". */
function written(number) {
  const fraction = asFraction(number);
  return fraction ? fraction.join("_").replace(/_1$/, "") : String(number);
}

const read = (text) => (/^[\d.]+e-\d+$/.test(text) ? Number(text) : parse(text.replace("_", "/")));

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
  /** @type {any[][]} */
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

    /** Return the position as the fragment of an address. */
    fragment() {
      const kind = `${settings.algorithm}.${settings.alternating ? "turn" : "once"}.${settings.walk}.${store.chosen}`;
      let steps = events.map(([name, ...rest]) =>
        [name, ...rest.map((one) => (typeof one === "number" ? written(one) : one))].join("."),
      );
      if (events.length > MOST_EVENTS || store.state.t > MOST_REPLAYED)
        steps = INFOSETS.map(({ key }) => `s.${key}.${String(store.state.strategy[key])}`);
      return `kuhn:${[kind, ...believed(), ...steps].join(";")}`;
    },

    /** Return whether a fragment is a position of this lab, and go there. */
    open(fragment) {
      const [kind, ...steps] = decodeURIComponent(fragment)
        .replace(/^#?kuhn:/, "")
        .split(";");
      const [algorithm, order, walk, chosen] = kind.split(".");
      if (!/^#?kuhn:/.test(fragment) || !ALGORITHMS[algorithm] || !WALKS.includes(walk) || !isInfoset(chosen))
        return false;
      Object.assign(settings, { algorithm, alternating: order !== "once", ...NO_MODEL });
      store.reset();
      for (const step of steps) replay(step);
      settings.walk = walk;
      store.chosen = chosen;
      changed("settings");
      return true;
    },
  };

  /** Return which game is solved, as text: the same without a model and without trust. */
  const solved = () => (settings.model === "none" || settings.trust === 0 ? "" : believed().join());

  /** Return the step of an address that says what is believed; none where nothing is. */
  function believed() {
    const { model, answers, trust, sliders } = settings;
    if (model === "none") return [];
    const numbers = [trust, ...(sliders ? INFOSETS.map(({ key }) => sliders[key]) : [])];
    return [`m.${answers}.${model}.${numbers.map(written).join()}`];
  }

  /** Believe what a step of an address says, "0.uniform.1_2"; nothing, where it says nothing that there is. */
  function readModel(text) {
    const [, answers, model, rest] = /^([01])\.([a-z]+)\.(.*)$/.exec(text) ?? [];
    const [trust, ...bets] = (rest ?? "").split(",").map(read);
    if (!MODELS.includes(model) || model === "none" || !(trust >= 0 && trust <= MOST_TRUST)) return;
    const many = model === "sliders" ? INFOSETS.length : 0;
    if (bets.length !== many || !bets.every((bet) => bet >= 0 && bet <= 1)) return;
    const sliders = many ? Object.fromEntries(INFOSETS.map(({ key }, i) => [key, bets[i]])) : null;
    store.configure({ model, answers: Number(answers), trust, sliders });
  }

  /** Do what a step of an address says; nothing, where it says nothing that there is. */
  function replay(step) {
    const [name, first, ...rest] = step.split(".");
    const number = read([first, ...rest].join("."));
    if (name === "s") {
      const probability = read(rest.join("."));
      if (isInfoset(first) && probability >= 0 && probability <= 1) store.setBet(first, probability);
    } else if (name === "m") readModel([first, ...rest].join("."));
    else if ((name === "e" && number >= 0 && number <= 1 / 3 + 1e-9) || name === "u") store.play(name, number || 0);
    else if (WALKS.includes(name) && number >= 1 && number <= MOST_REPLAYED) {
      settings.walk = name;
      store.run(Math.floor(number));
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
