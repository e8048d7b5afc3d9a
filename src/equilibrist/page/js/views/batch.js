// A batch while it grows: a report over boards with its map by texture, or a study with its curves.
import { href, runPath } from "../base/address.js";
import { address, events, get, jobs, post } from "../base/api.js";
import { clear, h, later } from "../base/dom.js";
import { ago, duration, moment } from "../base/format.js";
import { failed } from "../parts/toast.js";
import { boardReport } from "../poker/board-report.js";
import { batchViewStore } from "../runs/batch-view-store.js";
import { lineOfCode } from "../runs/estimate.js";
import { button, jobActions } from "../runs/job-actions.js";
import { studyTable } from "../runs/study-table.js";

/** @typedef {import("../runs/batch-view-store.js").BatchViewStore} BatchViewStore */

const WORDS = { queued: "waits", starting: "starts", running: "solving", stopping: "stops" };
const PAUSE = 1500; // ms between two looks at a batch that grows

/**
 * Return the address of a table of a batch as a file.
 *
 * @param {BatchViewStore} store
 */
function tableAddress(store, what, format = "csv") {
  const { about, fields } = store.state;
  return address("/batches/{batch}/table", { batch: about.id, what, format, line: fields.line, by: fields.by });
}

/** Return the button that goes on with a batch which nobody solves. */
function resumeButton({ id }, state) {
  if (state === "done") return null;
  return button("Resume", () => post("/jobs", { resume: id }), "primary");
}

/** Return how far a batch is in words. */
function progressInWords({ done, failed: wrong, total }, seconds) {
  const failures = wrong ? `, ${wrong} failed` : "";
  const remaining = seconds ? `, about ${duration(seconds)} left` : "";
  return `${done} of ${total} done${failures}${remaining}`;
}

/**
 * Return the state of a batch in words, how far it is, and what can be done.
 *
 * @param {BatchViewStore} store
 */
function headPanel(store) {
  const element = h("header", {});

  /** Return the name of the batch, its state, and its buttons. */
  function titleBar(about, job) {
    const state = job?.state ?? about.state;
    const report = { href: address("/reports/{report}", { report: about.id }), target: "_blank" };
    const file = (format, text) =>
      h("a", { class: "button", href: tableAddress(store, "rows", format), download: "" }, text);
    return h(
      "div",
      { class: "toolbar" },
      h("h1", {}, about.title),
      h("span", { class: `tag ${WORDS[state] ? "live" : ""}` }, WORDS[state] ?? state),
      h("span", { class: "grow" }),
      job ? jobActions({ ...job, saved: false }) : resumeButton(about, state),
      state === "done" && h("a", { class: "button", ...report }, "Report"),
      file("csv", "CSV"),
      file("parquet", "Parquet"),
    );
  }

  function progressBar(about, job) {
    const ended = about.done + about.failed;
    return h(
      "div",
      { class: "toolbar" },
      h("progress", { max: about.total || 1, value: ended, "aria-label": "Runs that have ended" }),
      h("span", { class: "note", role: "status" }, progressInWords(about, job?.seconds_left?.[1])),
      h("span", { class: "note", title: moment(about.saved) }, ago(about.saved)),
    );
  }

  function show() {
    const { about } = store.state;
    const job = jobs.get(about.id) ?? null;
    clear(
      element,
      titleBar(about, job),
      progressBar(about, job),
      job?.error && h("p", { class: "wrong", role: "alert" }, job.error),
      job?.warnings.map((sentence) => h("p", { class: "warn help" }, sentence)),
    );
  }
  return { element, show };
}

/** Return the lines that would solve the same batch elsewhere. */
const linesPanel = ({ file, command, python }) =>
  h(
    "details",
    { class: "card lines" },
    h("summary", {}, "The same elsewhere"),
    file && lineOfCode("Study file", file),
    lineOfCode("Command", command),
    lineOfCode("Python", python),
  );

/**
 * Return the rows of a batch: a report over boards, or the runs of a study.
 *
 * @param {BatchViewStore} store
 */
function bodyPanel(store, { query, navigate }) {
  const { about, fields } = store.state;
  const isOfBoards = about.kind === "boards";
  const set = (changes, how) => store.change(changes, how).catch(failed);
  const open = (row, line = "") =>
    row.run && (isOfBoards ? href(runPath(row.run, "spot"), { line }) : runPath(row.run));
  const table = (what) => tableAddress(store, what);
  const make = isOfBoards ? boardReport : studyTable;
  return make({ about, fields, query, set, table, open, navigate });
}

/** Call `onNews` for each event of a batch, and `look` some time after the first of them. */
function onProgress(batch, { onNews, look, signal }) {
  const often = later(look, PAUSE);
  let waits = false;
  events(
    (event) => {
      if (event.type !== "connected" && !(event.type === "job" && event.job.id === batch)) return;
      onNews();
      if (waits) return;
      waits = true;
      setTimeout(() => ((waits = false), often()), PAUSE);
    },
    { signal },
  );
}

export async function show(root, { params, query, navigate, signal }) {
  const { batch } = params;
  const read = (line) => get("/batches/{batch}", { batch, line }, { signal });
  const store = batchViewStore({ batch, read, query });
  await store.load();
  document.title = `${store.state.about.name} · Equilibrist`;
  const head = headPanel(store);
  const body = bodyPanel(store, { query, navigate });

  function draw() {
    head.show();
    body.update(store.state.about);
  }

  store.subscribe((what) => {
    if (what !== "about") history.replaceState(null, "", store.address());
    if (what === "about") draw();
    else if (what === "fields") body.update(store.state.about);
  });
  root.append(head.element, body, linesPanel(store.state.about));
  draw();
  onProgress(batch, { onNews: head.show, look: () => store.load().catch(failed), signal });
  return {};
}
