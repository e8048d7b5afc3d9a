// A study as its page has it: the runs that fit the filters, and what is drawn of them.
import { chosenName } from "../base/choices.js";
import { category } from "../base/colours.js";
import { duration, gap, gapHeadingOf, gapNameOf, short } from "../base/format.js";
import { differs } from "./batches.js";

/** @import { BatchOfRuns } from "../base/answers.js" */
/** @typedef {{[name: string]: any}} StudyRow a run of a study */
/** @typedef {{label: string, place: number, format: (value: number) => string}} Axis where points have their number */

const MOST_LINES = 24;
const MOST_COMPARED = 12;
const GAP = 3; // where points have how far they are

/** What curves run over, by name. @type {Record<string, Axis>} */
export const AXES = {
  iteration: { label: "Iterations", place: 0, format: short },
  seconds: { label: "Time", place: 1, format: duration },
  nodes_touched: { label: "Nodes touched", place: 2, format: short },
};

/**
 * Return the store of a study.
 *
 * @param {{about: BatchOfRuns, fields: Record<string, string>}} options fields are those of the address; others change them
 */
export function studyStore({ about, fields }) {
  const state = {
    about,
    fields,
    rows: /** @type {StudyRow[]} */ ([]), // those that fit
    chosen: /** @type {Set<string>} */ (new Set()), // ids of rows
  };
  const filterOf = (name) => fields[`f.${name}`] ?? "";
  const names = () => [...state.about.varied, "state"];
  const isFitting = (row) => names().every((name) => !filterOf(name) || String(row[name]) === filterOf(name));

  /** Return the name of what curves run over. */
  const axis = () => chosenName(AXES, "axis of curves", fields.x, "iteration");

  /** Return the heading above how far some runs are: rows of three players and more have their largest gain. */
  const gapHeading = (rows) => gapHeadingOf(rows.map((row) => gapNameOf("largest_gain" in row ? 3 : 2)));

  /** Return the rows that have a curve. */
  const drawn = () => state.rows.filter((row) => state.about.curves[row.id]);

  /** Return the name of a curve: the settings by which its run differs from the others. */
  function curveName(row, varied) {
    const values = varied.map((name) => row[name]).filter((value) => value !== undefined);
    return values.join(" · ") || state.about.name;
  }

  return {
    state,
    axis,
    drawn,

    /** Return the heading above how far the runs that fit are. */
    gapHeading: () => gapHeading(state.rows),

    /** Take over an answer, and read the filters anew. @param {BatchOfRuns} next */
    update(next) {
      state.about = next;
      state.rows = next.rows.filter(isFitting);
    },

    /** Return the filters that leave something out: name, values, and the one that is chosen, or "". */
    filters() {
      const all = names().map((name) => {
        const values = [...new Set(state.about.rows.map((row) => String(row[name])))];
        return { name, values, chosen: filterOf(name) };
      });
      return all.filter(({ values }) => values.length > 1);
    },

    /** Return the curves as the chart draws them; `dashes` tell those of one colour apart. */
    chart(dashes) {
      const rows = drawn();
      const varied = differs(rows, state.about.varied);
      const { label, place, format } = AXES[axis()];
      const series = rows.slice(0, MOST_LINES).map((row, k) => ({
        name: curveName(row, varied),
        colour: category(k),
        dash: dashes[(k + Math.trunc(k / dashes.length)) % dashes.length],
        points: state.about.curves[row.id].map((point) => [point[place], point[GAP]]),
      }));
      return { series, x: { label, log: true, format }, y: { label: gapHeading(rows), log: true, format: gap } };
    },

    /** Return what is to be said of the curves. */
    note() {
      const rows = drawn();
      const more = `The first ${MOST_LINES} of ${rows.length} are drawn: filter the others.`;
      const games = new Set(rows.map((row) => row.game));
      const sentences = [
        rows.length > MOST_LINES && more,
        games.size > 1 && "These are different games: numbers in payoff do not compare.",
      ];
      return sentences.filter(Boolean).join(" ");
    },

    /** Return the chosen runs where they can be compared; nothing of one, or of too many. */
    compared() {
      const { chosen } = state;
      const runs = state.about.rows.filter((row) => chosen.has(row.id) && row.run).map((row) => row.run);
      return runs.length > 1 && runs.length <= MOST_COMPARED ? runs : [];
    },
  };
}

/** @typedef {ReturnType<typeof studyStore>} StudyStore */
