// Settings of a run as its form has them: which fields there are for what is typed, and what the server is told.
import { decimal, goal, share, whole } from "../base/numbers.js";
import { addressOfSettings, goalsIn, isQuantalConcept, RUN_SETTINGS } from "./carried.js";

const LIMITS = ["until", "gap", "seconds", "nodes", "cce_distance"];
const NOT_QUANTAL = ["until", "concept", "algorithm", "precision", "alternating", "seed", "cce_distance"];
const QRE = /^qre\(['"]?([\d.e-]+)['"]?\)$/; // as the address has it
const QRE_OF_SPOTS = /^qre\(['"]?([\d.e-]+)%['"]?\)$/; // a share of the pot; others stay as they are typed
const NOT_OF_SPOTS = ["form", "seed", "cce_distance", "record", "record_every"];
const USUAL_GOAL_OF_SPOTS = "0.5"; // % of the pot
const ASIDE = ["gap", "cce_distance", "temperature"]; // fields that become a part of another setting
const READ = {
  until: goal,
  gap: decimal,
  seconds: decimal,
  cce_distance: decimal,
  max_memory_gb: decimal,
  iterations: whole,
  nodes: whole,
  threads: whole,
  seed: whole,
  record_every: whole,
};

/**
 * What a form of settings says.
 *
 * @typedef {object} RunForm
 * @property {Record<string, string>} texts by field, as typed
 * @property {boolean} answers whether play is to be good everywhere, by quantal responses
 * @property {string | undefined} sampling as the server takes it, where one is chosen
 * @property {Record<string, any>} carried settings that have no field here
 */

/**
 * Return what a form begins with, of settings in an address, and what is carried along as it has no field here.
 *
 * @param {Record<string, any>} given
 * @param {{names: string[], spot: boolean}} form
 */
function beginning(given, { names, spot }) {
  const { goal: typed, distance } = goalsIn(given.until);
  const isQuantal = isQuantalConcept(given.concept);
  const usual = spot && !isQuantal && given.until === undefined ? USUAL_GOAL_OF_SPOTS : "";
  /** @type {Record<string, any>} */
  const begin = { ...given, until: typed || usual, cce_distance: distance };
  if (isQuantal) Object.assign(begin, { until: "" }, given.until === undefined ? {} : { gap: typed });
  const temperature = (spot ? QRE_OF_SPOTS : QRE).exec(given.concept ?? "");
  if (temperature && names.includes("answers"))
    Object.assign(begin, { answers: true, temperature: temperature[1], concept: "" });
  const isSimultaneous = /^(no|false|0)$/i.test(String(given.alternating ?? ""));
  const isInTurn = /^(yes|true|1)$/i.test(String(given.alternating ?? ""));
  if (isSimultaneous) begin.alternating = "no";
  if (isInTurn) begin.alternating = "";
  const others = Object.keys(given).filter((name) => RUN_SETTINGS.includes(name) && !names.includes(name));
  const carried = others.map((name) => [name, given[name]]);
  return { begin, carried: Object.fromEntries(carried) };
}

/**
 * Return the store of a form of settings. `begin` has what its fields begin with, by name.
 *
 * @param {object} options
 * @param {string[]} options.names the fields of the form; "sampling" stands for those of the sampling
 * @param {boolean} options.spot whether goals are % of the pot
 * @param {Record<string, any>} options.given settings to begin with, as an address has them
 */
export function settingsStore({ names, spot, given }) {
  const { begin, carried } = beginning(given, { names, spot });
  const startsQuantal = isQuantalConcept(given.concept);
  /** @type {RunForm} */
  const state = { texts: {}, answers: false, sampling: undefined, carried };

  const textOf = (name) => (state.texts[name] ?? "").trim();
  const isQuantal = () => state.answers || isQuantalConcept(textOf("concept"));

  /** Return whether quantal responses leave out a field; what was given at the start is shown, for the server to judge. */
  function isLeftOut(name) {
    const isGiven = startsQuantal && name !== "concept" && begin[name];
    return state.answers && NOT_QUANTAL.includes(name) && !isGiven;
  }

  /** Return whether a field has a place in the form. */
  function isShown(name) {
    if (!names.includes(name)) return false;
    if (spot && NOT_OF_SPOTS.includes(name) && !begin[name]) return false;
    if (name === "temperature") return state.answers;
    if (name === "gap") return isQuantal();
    if (name === "until") return !isQuantal();
    return !isLeftOut(name);
  }

  /** Return whether a sampling can be chosen. */
  const isSampled = () => !state.answers || Boolean(startsQuantal && given.sampling);

  /** Return what is typed in a field, as the server reads it. */
  function readField(name) {
    const typed = textOf(name);
    if (name === "alternating") return typed === "no" ? false : typed;
    if (name === "until" && spot) return share(typed);
    return READ[name]?.(typed) ?? typed;
  }

  /** Return the settings as the API takes them. */
  function values() {
    const typed = names.filter((name) => name !== "answers" && textOf(name) && isShown(name));
    const fields = Object.fromEntries(typed.map((name) => [name, readField(name)]));
    const { cce_distance: distance, gap, temperature } = fields;
    const settings = { ...state.carried, ...fields };
    for (const name of ASIDE) delete settings[name];
    if (state.answers) settings.concept = `qre(${temperature}${spot ? "%" : ""})`;
    if (gap !== undefined) settings.until = gap;
    if (distance !== undefined) settings.until = [settings.until ?? [], `cce_distance(${distance})`].flat();
    if (isSampled() && state.sampling) settings.sampling = state.sampling;
    return settings;
  }

  return {
    state,
    begin,
    isShown,
    isSampled,
    values,

    /**
     * Take over what the form says.
     *
     * @param {{texts: Record<string, string>, answers: boolean, sampling: string | undefined}} form
     */
    type({ texts, answers, sampling }) {
      state.texts = texts;
      state.answers = answers;
      state.sampling = sampling;
    },

    /** Carry other settings along. @param {Record<string, any>} settings */
    carry(settings) {
      state.carried = settings;
    },

    /** Return whether anything but the number of iterations ends the run. */
    isLimited: () => LIMITS.some((name) => isShown(name) && textOf(name)),

    /** Return the name of the field at which an error of a setting is shown. @param {string} name */
    fieldOf(name) {
      if (isQuantal() && (name === "until" || name === "qre_gap")) return "gap";
      if (state.answers && name === "concept") return "temperature";
      return name;
    },

    /** Return the settings as an address has them. */
    address: () => addressOfSettings(values(), { spot }),
  };
}

/** @typedef {ReturnType<typeof settingsStore>} SettingsStore */
