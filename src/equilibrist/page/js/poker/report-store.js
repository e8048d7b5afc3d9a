// A report over boards as its page has it: the answer, filters and choices of the address, and what follows from both.
import { measuresOf } from "./board-columns.js";
import { actionsOf, fitsFilters, meansOf, TEXTURES } from "./board-rows.js";

const BY = "high,suits"; // what tells boards apart until somebody chooses

/** Return the textures of the map that fields of an address name, one or two. */
function texturesBy(fields) {
  const names = (fields.by || BY).split(",").filter((name) => name in TEXTURES);
  return names.length ? [...new Set(names)].slice(0, 2) : BY.split(",");
}

/**
 * Return the store of a report.
 *
 * @param {{about: any, fields: any}} options as boardReport() is given them; others change the fields
 */
export function reportStore({ about, fields }) {
  const state = {
    about,
    fields,
    rows: /** @type {any[]} */ ([]), // boards that pass the filters
    mean: /** @type {any} */ (null), // of these
    chosen: /** @type {any} */ (null), // the board whose hands are seen
  };

  return {
    state,

    /** Take over an answer, and read the fields anew. */
    update(about) {
      state.about = about;
      state.rows = about.rows.filter((row) => fitsFilters(row, fields));
      state.mean = meansOf(state.rows);
      if (!state.rows.includes(state.chosen)) state.chosen = null;
    },

    /** Show the hands of a board, or no longer. */
    choose(row) {
      state.chosen = state.chosen === row ? null : row;
    },

    textures: () => texturesBy(fields),

    /** Return the textures by which the map is drawn once another one is told for its rows (0) or columns (1). */
    texturesWith(place, name) {
      const [down, across] = texturesBy(fields);
      const next = place ? [name === down ? across : down, name] : [name, name === across ? down : across];
      return next.filter(Boolean).join(",");
    },

    /** Return the measure that the map shows: by default how often the last action is taken. */
    measure() {
      const measures = measuresOf(state.about.rows);
      const last = measures[Math.max(0, actionsOf(state.about.rows).length - 1)];
      return measures.find(({ name }) => name === fields.measure) ?? last;
    },

    /** Return what tells the columns of the list: the decision and its actions. */
    listed: () => `${state.about.line} ${actionsOf(state.about.rows)}`,
  };
}

/** @typedef {ReturnType<typeof reportStore>} ReportStore */
