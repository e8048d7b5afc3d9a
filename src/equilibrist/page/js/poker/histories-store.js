// Hand histories as their page has them: the folder that is open, how far its grading is, and the decisions in it.
import { del, get, post, sendPart } from "../base/api.js";
import { chosenName } from "../base/choices.js";
import { makeListeners } from "../base/listeners.js";
import { isOfHands } from "./dropped-files.js";

/** @import { GradedDecisions, HandCollection, HandReport } from "../base/answers.js" */
/** @import { NamedFile } from "./dropped-files.js" */

/** What decisions are summed up by, and what a heading calls it. */
export const GROUPS = {
  street: "Street",
  position: "Position",
  line: "Line",
  class: "Class",
  made: "Made hand",
};
/** By what else decisions are chosen. */
export const FILTERS = [...Object.keys(GROUPS), "player", "run"];
/** As a player: whoever it is. */
export const EVERYBODY = "*";

const PART = 2_000_000; // bytes that are sent at a time
const PAUSE = 500; // ms between two questions how far the grading is
const WORKING = ["waiting", "running"];

/** Return whether hands are being graded. */
export const isWorking = (collection) => WORKING.includes(collection?.state);

/**
 * What the page of a folder of hands shows.
 *
 * @typedef {object} Histories
 * @property {HandCollection | null} collection
 * @property {HandReport | null} report
 * @property {GradedDecisions | null} graded those that the filters choose
 * @property {string} by one of GROUPS
 * @property {{[name: string]: string}} filters
 */

/**
 * Send files to a folder of hands, one after the other; those that are none of hands stay here. Return how many were
 * sent and how many were left. `onPart(sent, total)` is told bytes.
 *
 * @param {string} hands the id of the folder
 * @param {NamedFile[]} files
 * @param {(sent: number, total: number) => void} onPart
 */
export async function sendFiles(hands, files, onPart = () => {}) {
  const chosen = files.filter(({ name }) => isOfHands(name));
  const total = chosen.reduce((sum, { file }) => sum + file.size, 0);
  let sent = 0;
  for (const { name, file } of chosen) {
    for (let offset = 0; offset < file.size; offset += PART) {
      const part = file.slice(offset, offset + PART);
      await sendPart(hands, name, offset, part);
      sent += part.size;
      onPart(sent, total);
    }
  }
  return { sent: chosen.length, left: files.length - chosen.length };
}

/**
 * Return the store of the page of a folder of hands. `subscribe` has a function called after every change, with what has
 * changed: "collection" or "graded".
 *
 * @param {string} hands the id of the folder
 * @param {{signal?: AbortSignal, wait?: (milliseconds: number) => Promise<void>}} options
 */
export function historiesStore(hands, { signal, wait = pause } = {}) {
  const { subscribe, changed } = makeListeners();
  /** @type {Histories} */
  const state = { collection: null, report: null, graded: null, by: "street", filters: {} };
  let following = false;

  async function read() {
    const { collection, report } = await get("/hands/{hands}", { hands }, { signal });
    Object.assign(state, { collection, report });
    changed("collection");
  }

  /** Ask how far the grading is until it has ended, and then for the decisions. */
  async function follow() {
    if (following) return;
    following = true;
    try {
      while (isWorking(state.collection) && !signal?.aborted) {
        await wait(PAUSE);
        await read();
      }
    } finally {
      following = false;
    }
    if (!signal?.aborted) await readGraded();
  }

  async function readGraded() {
    const { by, filters } = state;
    const graded = await get("/hands/{hands}/decisions", { hands, by, most: 200, ...filters }, { signal });
    if (by !== state.by || filters !== state.filters) return; // another choice has been made since
    state.graded = graded;
    changed("graded");
  }

  return {
    state,
    read,
    follow,

    subscribe,
    /**
     * Choose decisions by the query of an address; those of the player with most of them, where it names nobody.
     *
     * @param {URLSearchParams} query
     */
    async choose(query) {
      state.by = chosenName(GROUPS, "group of decisions", query.get("by"), "street");
      const filters = Object.fromEntries(
        FILTERS.filter((name) => query.has(name)).map((name) => [name, query.get(name) ?? ""]),
      );
      filters.player ??= state.report?.players[0]?.name ?? EVERYBODY;
      if (filters.player === EVERYBODY) delete filters.player;
      state.filters = filters;
      await readGraded();
    },

    /** Return the runs that grade what is chosen, those first in which most is lost. */
    runsToTrain() {
      const lost = new Map();
      for (const { run, cost_percent } of state.graded?.rows ?? [])
        if (cost_percent > 0) lost.set(run, (lost.get(run) ?? 0) + cost_percent);
      return [...lost.keys()].sort((a, b) => lost.get(b) - lost.get(a));
    },

    /**
     * Grade the hands. With `ranges`, the id of a run or the settings of a spot, the spots that no run covers are told.
     *
     * @param {{ranges?: string | object | null, bets?: string}} options
     */
    async grade({ ranges = null, bets } = {}) {
      state.collection = await post("/hands/{hands}/grade", { hands, ranges, bets }, { signal });
      changed("collection");
      await follow();
    },

    async stop() {
      state.collection = await post("/hands/{hands}/stop", { hands });
      changed("collection");
      await follow();
    },

    remove: () => del("/hands/{hands}", { hands }),
  };
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @typedef {ReturnType<typeof historiesStore>} HistoriesStore */
