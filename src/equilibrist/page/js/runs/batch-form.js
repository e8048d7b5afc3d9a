// The form of a new batch: what is typed, what the server is asked for, and the address that says it again.
import { href } from "../base/address.js";
import { makeListeners } from "../base/listeners.js";
import { settingsOf, valuesOf } from "./batches.js";
import { settingsInAddress } from "./carried.js";

/** Boards of a spot that are no named set: those that are listed, and its own alone. */
export const LIST = "list";
export const OWN = "own";
const USUAL_GAMES = "kuhn\nleduc";
const USUAL_BOARDS = { 3: "25", 4: "rivers" }; // by cards on the board: flops, or the next cards

/** Fields of texts that one kind of batches has alone. */
export const OF_SPOTS = ["boards", "list", "lines", "stack", "bets"];
const OF_GAMES = ["games", "samplings", "seeds"];
/** All fields of texts, as addresses have them. */
const TEXTS = [...OF_SPOTS, "games", "vary", "samplings", "seeds", "processes", "name"];

/**
 * What the form says.
 *
 * @typedef {object} BatchForm
 * @property {"spot" | "games"} kind what is solved
 * @property {Record<string, any>} spot settings of the spot of hold'em
 * @property {Record<string, string>} texts by field, as typed
 * @property {string[]} algorithms those that are checked
 * @property {Record<string, any>} runs settings of a run by kind of batch, as they were left
 */

const rowsOf = (text) =>
  text
    .split("\n")
    .map((row) => row.trim())
    .filter(Boolean);

/**
 * Return the usual boards of a spot.
 *
 * @param {Record<string, any>} spot
 */
function usualBoards({ board }) {
  const cards = (board ?? "").replaceAll(" ", "").length / 2;
  return USUAL_BOARDS[cards] ?? OWN;
}

/**
 * Return what an address says.
 *
 * @param {URLSearchParams} query
 * @param {Record<string, any>} spot
 * @param {string[]} known names of the algorithms that there are
 * @returns {BatchForm}
 */
function formInAddress(query, spot, known) {
  const kind = query.get("kind") === "games" ? "games" : "spot";
  const texts = Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ""]));
  texts.boards = query.get("boards") ?? usualBoards(spot);
  texts.games ||= USUAL_GAMES;
  const algorithms = query.getAll("algorithms").filter((name) => known.includes(name));
  const { name: _, ...run } = settingsInAddress(query);
  if (known.includes(run.algorithm)) {
    if (!algorithms.includes(run.algorithm)) algorithms.push(run.algorithm);
    delete run.algorithm;
  }
  if (kind === "games" && run.sampling && !texts.samplings.trim()) {
    texts.samplings = run.sampling;
    delete run.sampling;
  }
  return { kind, spot, texts, algorithms, runs: { [kind]: run } };
}

/**
 * Return the store of the form of a new batch. `subscribe` has a function called after every change.
 *
 * @param {{query: URLSearchParams, spot: Record<string, any>, known: string[]}} options
 *   query is that of the address; known are the names of the algorithms that there are
 */
export function batchStore({ query, spot, known }) {
  const { subscribe, changed } = makeListeners();
  const state = formInAddress(query, spot, known);
  const given = query.has("spot");

  const textOf = (name) => state.texts[name].trim();

  /** Return a field as a setting of a request, where something is typed. */
  const typedSetting = (name) => (textOf(name) ? { [name]: textOf(name) } : {});

  /** Return what is typed, as an address has it. */
  function typed() {
    const texts = Object.fromEntries(TEXTS.map((name) => [name, textOf(name)]));
    return { ...texts, algorithms: state.algorithms };
  }

  /** Return the settings that vary, with their values. */
  function varied() {
    const vary = settingsOf(state.texts.vary);
    if (state.kind === "games") return vary;
    const bets = rowsOf(state.texts.bets);
    if (textOf("stack")) vary.stack = valuesOf(state.texts.stack);
    if (bets.length) vary.bets = bets;
    return vary;
  }

  /** Return what is asked of the games of a batch. */
  const requestOfGames = () => ({
    games: rowsOf(state.texts.games),
    samplings: rowsOf(state.texts.samplings),
    ...typedSetting("seeds"),
  });

  /** Return what is asked of a spot: a report over boards, or its own board alone. */
  function requestOfSpot() {
    const { boards, list } = state.texts;
    if (boards === OWN) return { spot: state.spot };
    const request = { spot: state.spot, boards: boards === LIST ? list : boards };
    if (!textOf("lines")) return request;
    const lines = textOf("lines").split(",");
    return { ...request, lines: ["", ...lines.map((line) => line.trim())] };
  }

  return {
    state,

    subscribe,
    /**
     * Take over what the form says.
     *
     * @param {{texts: Record<string, string>, algorithms: string[]}} fields
     */
    type({ texts, algorithms }) {
      state.texts = texts;
      state.algorithms = algorithms;
      changed();
    },

    /** Make a batch of another kind; the settings of a run stay as they were left with the one before. */
    pick(kind, left) {
      state.runs[state.kind] = left;
      state.kind = kind;
    },

    /** Return whether a field has a place in the form. */
    isShown(name) {
      if (state.kind === "games") return !OF_SPOTS.includes(name);
      if (name === "list") return state.texts.boards === LIST;
      if (name === "lines") return state.texts.boards !== OWN;
      return !OF_GAMES.includes(name);
    },

    /** Return what the server is asked for; `run` are the settings of a run. */
    request: (run) => ({
      ...run,
      vary: varied(),
      algorithms: state.algorithms,
      ...typedSetting("processes"),
      ...typedSetting("name"),
      ...(state.kind === "spot" ? requestOfSpot() : requestOfGames()),
    }),

    /** Return the address of the form as it is; `run` are the settings of a run, as an address has them. */
    address(run) {
      const isSpotKept = state.kind === "spot" || given; // for the other tab
      const what = {
        spot: isSpotKept && JSON.stringify(state.spot),
        kind: state.kind === "games" && state.kind,
      };
      return href("/batches/new", { ...what, ...typed(), ...run });
    },

    /** Return the address of the form of the spot, which leads back here with all that was typed. */
    spotAddress(run) {
      const { algorithms, ...texts } = typed();
      const isOne = algorithms.length === 1; // is a setting of the run there
      const batch = href("", algorithms.length > 1 ? { ...texts, algorithms } : texts).slice(1);
      const algorithm = isOne ? { algorithm: algorithms[0] } : {};
      return href("/new/spot", { spot: JSON.stringify(state.spot), ...run, ...algorithm, batch });
    },
  };
}

/** @typedef {ReturnType<typeof batchStore>} BatchStore */
