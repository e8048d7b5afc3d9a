// Which game a new run is of: those that the server knows, the files that it keeps, and the one that is chosen.
import { makeListeners } from "../base/listeners.js";

/** @import { GET } from "../base/answers.js" */
/** @typedef {GET["/games"]} Games */

const SPOT = /\.(toml|json|txt)$/i;
const FIRST = "kuhn";

/**
 * What is known of games.
 *
 * @typedef {object} NewRun
 * @property {Games} known games, files that were uploaded, and what can be loaded
 * @property {string} game the name of one, "openspiel" or "file"
 * @property {string} uploaded the name of the file that is chosen
 * @property {string} refused why the last file that was dropped was not taken, or ""
 */

/**
 * Return the store of the game of a new run. `subscribe` has a function called whenever another one is to be shown.
 *
 * @param {{
 *   known: Games,
 *   query: URLSearchParams,
 *   readGames: () => Promise<Games>,
 *   upload: (file: File) => Promise<{name: string}>,
 *   drop: (name: string) => Promise<any>,
 *   readSpot: (file: File) => Promise<any>,
 *   openSpot: (spot: any) => void,
 * }} options query is that of the address; upload keeps a file at the server, and drop deletes it there; readSpot reads a
 *   file of a spot, and openSpot shows it in its own form
 */
export function newRunStore({ known, query, readGames, upload, drop, readSpot, openSpot }) {
  const { subscribe, changed } = makeListeners();
  /** @type {NewRun} */
  const state = {
    known,
    game: query.get("game") ?? FIRST,
    uploaded: query.get("file") ?? "",
    refused: "",
  };
  let choices = 0; // so far: a file that was given before the last one leads nobody back

  function show(game) {
    state.game = game;
    changed();
  }

  /** Show the form of the spot in a file. */
  async function takeSpot(file, number) {
    const spot = await readSpot(file);
    if (number === choices) openSpot(spot);
  }

  /** Keep a file, and choose it. */
  async function takeGame(file, number) {
    const { name } = await upload(file);
    state.known = await readGames();
    if (number === choices) state.uploaded = name;
    else if (state.game !== "file") return;
    show("file");
  }

  return {
    state,

    subscribe,
    /** Choose a game, or a source of games. @param {string} game */
    pick(game) {
      choices++;
      state.refused = "";
      show(game);
    },

    /** Choose a file that is kept. @param {string} name */
    pickFile(name) {
      choices++;
      state.uploaded = name;
      show("file");
    },

    /**
     * Take a file: a spot is shown in the form of spots, any other kept and chosen. A refusal is told where files are
     * dropped; where somebody has chosen something else meanwhile, it is thrown.
     *
     * @param {File} file
     */
    async take(file) {
      const number = ++choices;
      state.refused = "";
      try {
        await (SPOT.test(file.name) ? takeSpot(file, number) : takeGame(file, number));
      } catch (error) {
        if (!(error.status >= 0) || number !== choices) throw error;
        state.refused = `${file.name}: ${error.message}`;
        show("file");
      }
    },

    /** Delete a file. @param {string} name */
    async remove(name) {
      await drop(name);
      state.known = await readGames();
      if (state.game === "file") show("file");
    },

    /** Return the built-in games as they are listed: name, title, and what is said of them. */
    games: () =>
      state.known.games.map(({ name, about }) => {
        const [text, rest] = about.split(/: (.*)/);
        return { name, text, about: rest };
      }),

    /** Return other sources of games. */
    sources() {
      const { openspiel, uploads } = state.known;
      const file = { name: "file", text: uploads.length ? `A file (${uploads.length})` : "A file …" };
      return openspiel ? [{ name: "openspiel", text: "OpenSpiel …" }, file] : [file];
    },

    /** Return the built-in game that is chosen; the first one where there is none of the name. */
    builtIn() {
      const about = state.known.games.find(({ name }) => name === state.game) ?? state.known.games[0];
      state.game = about.name;
      return about;
    },
  };
}

/** @typedef {ReturnType<typeof newRunStore>} NewRunStore */
