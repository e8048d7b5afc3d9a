// How far a run is: iterations done by now, share of its limits, and time that is left.
import { duration, gapsOf } from "./format.js";

/** @import { JobPoint, JobSummary } from "./answers.js" */
/** @typedef {Pick<JobPoint, "iteration" | "seconds" | "measures" | "deviation_gains">} Point */
/** @typedef {Pick<JobSummary, "state" | "stage" | "limits" | "goal" | "seconds_left" | "batch"> & {last: Point | null}} Job */

const GRID = Math.SQRT2; // from one checkpoint to the next, in iterations

/**
 * Return the iterations and the seconds of solving by now: of the last checkpoint, and while it is solved what the rate
 * of the last two says; never beyond its limits nor beyond the next checkpoint.
 *
 * @param {Job} job
 * @param {Point[]} points its checkpoints
 * @param {number} passed seconds since the last one came
 * @returns {{iteration: number, seconds: number, exact: boolean} | null}
 */
export function progressNow(job, points, passed) {
  const last = points.at(-1) ?? job.last;
  if (!last) return null;
  const before = points.at(-2);
  const iterating = job.state === "running" && !job.stage; // not while kernels are compiled, or a result is certified
  if (!iterating || !before) return { iteration: last.iteration, seconds: last.seconds, exact: true };
  const rate = (last.iteration - before.iteration) / Math.max(last.seconds - before.seconds, 1e-9);
  const limit = job.limits.iterations ?? Infinity;
  const most = Math.min(Math.ceil(last.iteration * GRID), limit);
  const iteration = Math.max(last.iteration, Math.min(most, Math.floor(last.iteration + rate * passed)));
  const end = Math.min(last.seconds + (limit - last.iteration) / rate, job.limits.seconds ?? Infinity);
  const seconds = Math.max(last.seconds, Math.min(last.seconds + passed, end));
  return { iteration, seconds, exact: iteration === last.iteration };
}

/**
 * Return how far a run is, 0 to 1, by its nearest limit; null where that is not known.
 *
 * @param {Job} job
 * @param {Point[]} points
 * @param {number} passed
 * @returns {number | null}
 */
export function shareDone(job, points, passed) {
  if (job.state === "done") return 1;
  const { done: finished = 0, failed = 0, total = 0 } = job.batch ?? {};
  if (total) return (finished + failed) / total;
  const done = progressNow(job, points, passed);
  if (!done) return null;
  const shares = [];
  const { iterations, seconds } = job.limits;
  if (iterations) shares.push(done.iteration / iterations);
  if (seconds) shares.push(done.seconds / seconds);
  const goal = job.goal ?? 0;
  const first = (points[0] && gapsOf(points[0]).amount) ?? 0;
  const last = (job.last && gapsOf(job.last).amount) ?? 0;
  if (goal > 0 && first > 0 && last > 0) shares.push(Math.log(first / last) / Math.log(first / goal));
  return shares.length ? Math.min(1, Math.max(0, ...shares)) : null;
}

/**
 * Return a time from … to … in words, rounded as far as it is known: "1.2 to 4 s", "about 3 min".
 * @param {number[]} seconds from, to
 * @returns {string}
 */
export function timeSpan([least, most]) {
  const [from, to] = [least, most].map((value) => duration(Number(value.toPrecision(value < 60 ? 1 : 2))));
  if (most < 1) return "under a second";
  if (least < 0.5) return `up to ${to}`;
  return from === to ? `about ${to}` : `${from} to ${to}`;
}

/**
 * Return about how long a run still takes, in words, as the forecast before its start says it; "" where nobody knows.
 *
 * @param {Job} job `seconds_left` is a number, or from and to
 * @param {number} passed seconds since that was told
 * @returns {string}
 */
export function timeLeft(job, passed) {
  if (job.seconds_left === null || job.seconds_left === undefined || job.state !== "running") return "";
  const [least, most = least] = [job.seconds_left].flat().map((value) => Math.max(0, value - passed));
  return timeSpan([least, most]);
}
