// A batch while it grows: a report over boards with its map by texture, or a study with its curves.
import { href, runPath } from "../base/address.js";
import { address, events, get, jobs, post } from "../base/api.js";
import { clear, h, later } from "../base/dom.js";
import { ago, duration, moment } from "../base/format.js";
import { failed } from "../parts/toast.js";
import { boardReport } from "../poker/board-report.js";
import { lineOfCode } from "../runs/estimate.js";
import { button, jobActions } from "../runs/job-actions.js";
import { studyTable } from "../runs/study-table.js";

const WORDS = { queued: "waits", starting: "starts", running: "solving", stopping: "stops" };
const PAUSE = 1500; // ms between two looks at a batch that grows

export async function show(root, { params, query, navigate, signal }) {
  const { batch } = params;
  const path = `/batches/${encodeURIComponent(batch)}`;
  const fields = Object.fromEntries(query);
  const read = () => get("/batches/{batch}", { batch, line: fields.line }, { signal });
  let about = await read();
  document.title = `${about.name} · Equilibrist`;
  const head = h("header", {});
  const set = (changes, { again = false } = {}) => {
    Object.assign(fields, changes);
    history.replaceState(null, "", href(path, fields));
    if (again) refresh();
    else body.update(about);
  };
  const table = (what, format = "csv") =>
    address("/batches/{batch}/table", { batch, what, format, line: fields.line, by: fields.by });
  const open = (row, line = "") =>
    row.run && (about.kind === "boards" ? href(runPath(row.run, "spot"), { line }) : runPath(row.run));
  const make = about.kind === "boards" ? boardReport : studyTable;
  const body = make({ about, fields, query, set, table, open, navigate });

  /** Draw the state in words, how far it is, and what can be done. */
  function drawHead() {
    const job = jobs.get(batch) ?? null;
    const state = job?.state ?? about.state;
    const { done, failed: wrong, total } = about;
    const left = job?.seconds_left?.[1];
    clear(
      head,
      h(
        "div",
        { class: "toolbar" },
        h("h1", {}, about.title),
        h("span", { class: `tag ${WORDS[state] ? "live" : ""}` }, WORDS[state] ?? state),
        h("span", { class: "grow" }),
        job ? jobActions({ ...job, saved: false }) : goOn(state),
        state === "done" &&
          h(
            "a",
            { class: "button", href: address("/reports/{report}", { report: batch }), target: "_blank" },
            "Report",
          ),
        h("a", { class: "button", href: table("rows"), download: "" }, "CSV"),
        h("a", { class: "button", href: table("rows", "parquet"), download: "" }, "Parquet"),
      ),
      h(
        "div",
        { class: "toolbar" },
        h("progress", { max: total || 1, value: done + wrong, "aria-label": "Runs that have ended" }),
        h(
          "span",
          { class: "note", role: "status" },
          `${done} of ${total} done${wrong ? `, ${wrong} failed` : ""}${left ? `, about ${duration(left)} left` : ""}`,
        ),
        h("span", { class: "note", title: moment(about.saved) }, ago(about.saved)),
      ),
      job?.error && h("p", { class: "wrong", role: "alert" }, job.error),
      job?.warnings.map((sentence) => h("p", { class: "warn help" }, sentence)),
    );
  }

  const goOn = (state) => {
    if (state === "done") return null;
    return button("Resume", () => post("/jobs", { resume: batch }), "primary");
  };

  function draw() {
    drawHead();
    body.update(about);
  }

  async function refresh() {
    try {
      about = await read();
      draw();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  const often = later(refresh, PAUSE);
  let waits = false;
  events(
    (event) => {
      if (event.type === "connected" || (event.type === "job" && event.job.id === batch)) {
        drawHead();
        if (waits) return;
        waits = true;
        setTimeout(() => ((waits = false), often()), PAUSE);
      }
    },
    { signal },
  );
  root.append(
    head,
    body,
    h(
      "details",
      { class: "card lines" },
      h("summary", {}, "The same elsewhere"),
      about.file && lineOfCode("Study file", about.file),
      lineOfCode("Command", about.command),
      lineOfCode("Python", about.python),
    ),
  );
  draw();
  return {};
}
