// What choices have cost together: the columns of tables of sums.
import { percent } from "../base/format.js";
import { apart, gradeBar, OF_UNIT } from "./score.js";

/** @import { ScoreRow } from "../base/answers.js" */

/** Return the columns of what choices have cost; a row of several games has its share alone. */
export function costColumns() {
  const numeric = { numeric: true, descending: true };
  /** @type {(row: ScoreRow) => number | null} */
  const each = (row) => (row.known ? Number(row.lost) / row.known : null);
  return [
    { key: "decisions", title: "Choices", ...numeric },
    {
      key: "lost",
      title: "Lost",
      ...numeric,
      show: (row) => (row.cost === null ? percent(row.lost) : apart(row.cost, row)),
      tip: (row) => `${percent(row.lost)} ${OF_UNIT}`,
    },
    {
      key: "each",
      title: "per choice",
      ...numeric,
      value: each,
      show: (row) => percent(each(row)),
      tip: () => OF_UNIT,
    },
    { key: "score", title: "Score", numeric: true, show: (row) => percent(row.score, 0), class: "hide-narrow" },
    {
      key: "grades",
      title: "Grades",
      sort: false,
      class: "wide hide-narrow",
      show: (row) => gradeBar(row.grades).firstChild,
    },
  ];
}
