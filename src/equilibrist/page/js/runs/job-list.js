// The list of jobs: a card each, with what it has reached and how far it is.
import { href } from "../base/address.js";
import { clear, h } from "../base/dom.js";
import { count, gap, gapsOf } from "../base/format.js";
import { progressNow, shareDone } from "../base/progress.js";

/** @import { JobPoint, JobSummary } from "../base/answers.js" */

export const LIVE = ["starting", "running", "stopping"];

const WORDS = {
  queued: "waits",
  starting: "starts",
  running: "solving",
  paused: "paused",
  stopping: "stops",
  done: "done",
  stopped: "stopped",
  failed: "failed",
  interrupted: "interrupted",
};

/**
 * Return what a run drives to 0: exploitability, of three players and more the largest gain, or of an answer to an
 * opponent how far it is from the best one; payoff per game, and % of the pot where there is one.
 *
 * @param {Pick<JobPoint, "measures" | "deviation_gains">} point
 * @returns {{amount: number | null, percent: number | null}}
 */
export function goalsOf(point) {
  const { response_gap: amount, response_gap_percent: percent = null } = point.measures;
  return amount === undefined ? gapsOf(point) : { amount, percent };
}

/**
 * Return that as a text, in % of the pot where there is one.
 *
 * @param {Pick<JobPoint, "measures" | "deviation_gains"> | null} point
 */
export function gapOfPoint(point) {
  const { amount, percent } = point ? goalsOf(point) : { amount: null, percent: null };
  return percent === null ? gap(amount) : `${gap(percent)} % pot`;
}

/** @param {JobSummary} job */
const rank = (job) => (LIVE.includes(job.state) ? 0 : job.state === "paused" ? 1 : job.state === "queued" ? 2 : 3);

/**
 * Return jobs in the order of the list: at work, paused, waiting, ended; of those that have ended the last first.
 * @param {any[]} jobs
 */
export const sorted = (jobs) =>
  jobs
    .map((job, place) => ({ job, rank: rank(job), place: rank(job) === 3 ? -place : place }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ job }) => job);

/**
 * Return the list as an element with update(jobs, chosen) and tick(job), which draws one card again.
 *
 * @param {(id: string) => any[]} points checkpoints of a job
 * @param {(id: string) => number} passed seconds since its last one came
 */
export function jobList(points, passed) {
  const cards = new Map(); // id → link
  const list = h("ul", { class: "list", "aria-label": "Jobs" });
  let [jobs, chosen] = [[], null];

  function tick(job) {
    const card = cards.get(job.id) ?? h("a", { class: "job" });
    cards.set(job.id, card);
    const known = points(job.id);
    const [done, part] = [progressNow(job, known, passed(job.id)), shareDone(job, known, passed(job.id))];
    const live = LIVE.includes(job.state);
    const several = jobs.filter(({ title }) => title === job.title).length > 1;
    card.href = href("/jobs", { job: job.id });
    if (job.id === chosen) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
    clear(
      card,
      h(
        "span",
        { class: "toolbar" },
        h("b", { class: "title" }, job.title),
        h("span", { class: "grow" }),
        h("span", { class: `tag ${live ? "live" : ""} ${job.state === "failed" ? "wrong" : ""}` }, WORDS[job.state]),
      ),
      h(
        "span",
        { class: "toolbar note" },
        several && h("span", { class: "id" }, job.id),
        h("span", {}, job.batch ? `${job.batch.done ?? 0} of ${job.batch.total ?? "…"} runs` : job.algorithm),
        done && h("span", {}, `${count(done.iteration)} iterations`),
        h("span", { class: "grow" }),
        h("b", { class: "gap" }, job.last ? gapOfPoint(job.last) : ""),
      ),
      live &&
        h("progress", {
          max: "1",
          "aria-label": `Progress of ${job.title}`,
          ...(part === null ? {} : { value: part }),
        }),
    );
    return card;
  }

  list.tick = tick;
  list.update = (next, wanted) => {
    [jobs, chosen] = [next, wanted];
    clear(
      list,
      sorted(jobs).map((job) => h("li", {}, tick(job))),
    );
  };
  return list;
}
