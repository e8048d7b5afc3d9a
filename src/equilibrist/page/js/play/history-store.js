// What was played, as its page has it: the filters of the address, and the choices, hands and tables that fit them.
import { chosenName } from "../base/choices.js";
import { makeListeners } from "../base/listeners.js";
import { isSpot } from "../base/units.js";

/** @import { HandRows, HistoryScores, TableRow } from "../base/answers.js" */

/** What choices are summed up by. */
export const GROUPS = {
  game: "Game",
  pupil: "Pupil",
  line: "Line",
  street: "Street",
  class: "Class",
  infoset: "Infoset",
  action: "Action",
  grade: "Grade",
};
const FILTERS = [
  "game",
  "run",
  "kind",
  "table",
  "line",
  "street",
  "class",
  "infoset",
  "action",
  "seat",
  "grade",
  "pupil",
];
const FIRST = "game";

/**
 * Return the store of what was played. `subscribe` has a function called after every answer.
 *
 * @param {{
 *   read: (question: {by: string, order: string, filters: Record<string, string>}) => Promise<{
 *     sums: HistoryScores, hands: HandRows["hands"], tables: TableRow[],
 *   }>,
 *   query: URLSearchParams,
 * }} options read asks the server; query is that of the address
 */
export function historyStore({ read, query }) {
  const { subscribe, changed } = makeListeners();
  const by = chosenName(GROUPS, "group of choices", query.get("by"), FIRST);
  const order = query.get("order");
  const names = FILTERS.filter((name) => query.has(name));
  /** @type {Record<string, any>} */
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  const state = {
    by,
    order: order ?? "played", // of hands
    filters,
    sums: /** @type {any} */ ({ rows: [], total: null }),
    hands: /** @type {HandRows["hands"]} */ ([]),
    tables: /** @type {TableRow[]} */ ([]),
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  /** Return the runs of the hands that fit. */
  const runs = () => [...new Set(state.hands.map(({ run }) => run))].filter(Boolean);

  return {
    state,

    subscribe,
    async load() {
      const number = ++asked;
      const answer = await read({ by, order: state.order, filters });
      if (number !== asked) return;
      Object.assign(state, answer);
      changed();
    },

    /** Return the fields of an address with some of them changed; null takes one away. */
    fields: (changes) => ({ by, order, ...filters, ...changes }),

    /** Return the changes that lead into a row of the sums: the games of a pupil, lines of a game, infosets of a line. */
    within(row) {
      if (by === "pupil") return { pupil: row.name, by: FIRST };
      if (by === "game") return { game: row.name, by: "line" };
      return { [by]: row.name, game: row.game, by: by === "line" ? "infoset" : by };
    },

    /** Return the game by which the unit of amounts is told: a spot, or undefined. */
    spot() {
      const games = [...state.sums.rows.map(({ game }) => game), ...state.tables.map(({ game }) => game)];
      return games.find(isSpot);
    },

    /** Return the run at which the mistakes that fit can be trained, where there are some and they are all of one. */
    trained() {
      const { grades, known } = state.sums.total;
      return runs().length === 1 && grades.best < known ? runs()[0] : null;
    },

    /** Return the filters of mistakes that are trained at a run. */
    mistakes() {
      const { run: _, ...others } = filters;
      return others;
    },
  };
}

/** @typedef {ReturnType<typeof historyStore>} HistoryStore */
