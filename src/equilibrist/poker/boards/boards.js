// The page of a report over boards that stands alone: the report of the page, with all its data given at once.
import { boardReport } from "../../page/js/poker/board-report.js";

const data = JSON.parse(document.getElementById("data").textContent);
const query = new URLSearchParams(location.search);
const fields = Object.fromEntries(query);

/** Return what the report shows of the decision that is chosen, by default the first. */
function aboutLine() {
  const line = data.lines.includes(fields.line) ? fields.line : data.lines[0];
  return { ...data, line, rows: data.rows[line] ?? [] };
}

const set = (changes) => {
  Object.assign(fields, changes);
  report.update(aboutLine());
};
const report = boardReport({ about: aboutLine(), fields, query, set });
report.update(aboutLine());
document.getElementById("main").append(report);
