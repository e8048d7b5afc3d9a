// A part of a spot that is solved again; and any run that is made from another one, followed until it can be shown.
import { runPath } from "../base/address.js";
import { ApiError } from "../base/api-error.js";
import { events, get, post } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { count, whereOf } from "../base/format.js";
import { goal } from "../base/numbers.js";
import { failed, toast } from "../parts/toast.js";
import { carriedNote, usualGoal } from "./carried.js";
import { gapOfPoint } from "./job-list.js";

/** @import { JobPoint, JobSummary } from "../base/answers.js" */

const ENDED = ["done", "stopped", "failed", "interrupted"];

/**
 * Return how far a job is in words.
 *
 * @param {JobSummary} job
 * @param {JobPoint | null} point
 */
const reached = (job, point) =>
  point
    ? `${gapOfPoint(point).replace("pot", "of the pot")} after ${count(point.iteration)} iterations`
    : job.stage || "starting";

/**
 * Wait until a job has ended, telling in an element how far it is; return it, or throw what went wrong.
 *
 * @param {any} job
 * @param {HTMLElement} box
 * @param {{signal: AbortSignal}} options
 * @returns {Promise<any>}
 */
export function followed(job, box, { signal }) {
  const tell = (one, point) =>
    clear(
      box,
      h(
        "p",
        {},
        one.state === "queued" ? "Waiting for the runs before it …" : `Solving ${job.id}: ${reached(one, point)} …`,
      ),
      h("progress", { "aria-label": "Solving" }),
      h(
        "p",
        { class: "note" },
        "It continues when this page is closed; ",
        h("a", { href: "/jobs" }, "all that is being solved"),
        ".",
      ),
    );
  tell(job);
  return new Promise((resolve, reject) => {
    const hear = (one) => {
      if (!ENDED.includes(one.state)) return;
      stop();
      clear(box);
      if (one.saved && one.state !== "failed") resolve(one);
      else reject(new ApiError(one.error ?? `The run was ${one.state}.`, one.error_field ?? null));
    };
    /** It is off the list: its run is there, or nothing is. */
    const missed = (error = /** @type {ApiError | null} */ (null)) => {
      if (error && error.status !== 404) return failed(error);
      stop();
      clear(box);
      const gone = () => reject(new ApiError(`${job.id} is not there any more: it was taken off the list.`));
      return get("/runs/{run}", { run: job.id }, { signal }).then(() => resolve(job), gone);
    };
    const stop = events(
      (event) => {
        if (event.type === "checkpoint" && event.job === job.id) tell({ state: "running" }, event.point);
        else if (event.type === "job" && event.job.id === job.id) {
          if (event.job.state !== "running") tell(event.job);
          hear(event.job);
        } else if (event.type === "gone" && event.job === job.id) missed();
        else if (event.type === "connected") get("/jobs/{job}", { job: job.id }).then(hear, missed);
      },
      { signal },
    );
  });
}

/**
 * Go to a run that is ready; where somebody has gone on in the meantime, tell it instead, with a button that goes there.
 *
 * @param {any} job
 * @param {HTMLElement} box where it was followed
 * @param {() => any} go
 */
export function arrive(job, box, go) {
  if (box.isConnected) return go();
  return toast(`${job.id} is solved.`, { action: { label: "Show", run: go }, seconds: 60 });
}

/** Return the panel that solves what follows at a decision again, with the ranges that the run brings there. */
export function resolvePanel({ run, node, about, navigate, signal }) {
  const usual = usualGoal(about.carried, "0.1%", `of the pot of ${node.pot} there`);
  const note = carriedNote(about.carried);
  const until = h("input", { type: "text", value: usual.value, autocomplete: "off" });
  const limit = field(usual.label, until, { name: "until", help: usual.of });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const progress = h("div", { class: "progress", "aria-live": "polite" });
  const start = h("button", { class: "button primary", type: "submit" }, "Re-solve");

  async function solve(event) {
    event.preventDefault();
    wrong.textContent = "";
    limit.fail("");
    start.disabled = true;
    try {
      const { job } = await post(
        "/runs/{run}/spot/resolve",
        { run, line: node.line, board: node.board, until: until.value.trim() ? goal(until.value) : usual.value },
        { signal },
      );
      const done = await followed(job, progress, { signal });
      const compare = node.kind === "unsolved" ? {} : { vs: run, below: node.line };
      start.disabled = false;
      arrive(done, progress, () => navigate(runPath(done.id, "spot"), compare));
    } catch (error) {
      start.disabled = false;
      if (error.name === "AbortError") return;
      if (error.field === "until") limit.fail(error.message);
      else wrong.textContent = error.message;
    }
  }

  const where = `${whereOf(about.settings.after, node.line)} on ${node.board}`;
  return h(
    "form",
    { class: "card notice again", novalidate: true, onsubmit: solve },
    h("h2", {}, node.kind === "unsolved" ? `This run was saved without the ${node.street}` : `Re-solve ${where}`),
    h(
      "p",
      {},
      `Both players have the ranges that they come here with in this run${about.locks.length ? ", locks included" : ""}; all that follows is solved by itself, as closely as you like. The result is a run of its own.`,
    ),
    h(
      "p",
      { class: "note" },
      "Its exploitability is that of this part alone: a player who had played otherwise before would come with another range.",
    ),
    note && h("p", { class: "note" }, note),
    limit,
    h("div", { class: "toolbar" }, start),
    wrong,
    progress,
  );
}
