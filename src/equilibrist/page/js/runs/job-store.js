// The jobs as the server tells them, with their checkpoints, and the one that is looked at.
import { href } from "../base/address.js";
import { LIVE, sorted } from "./job-list.js";

/** @import { JobPoint, JobSummary } from "../base/answers.js" */
/** @import { StreamEvent } from "../base/stream.js" */

/**
 * Return the store of the page of jobs.
 *
 * @param {{readPoints: (id: string) => Promise<{points: JobPoint[]}>, query: URLSearchParams}} options readPoints asks for
 *   the checkpoints of a job; query is that of the address
 */
export function jobStore({ readPoints, query }) {
  const state = {
    all: /** @type {JobSummary[]} */ ([]),
    workers: 1, // runs at a time
    isLost: false, // whether the server does not answer
    chosen: /** @type {string | null} */ (null), // the id of the job that is looked at
    byIterations: true, // what its curve runs over; else seconds
  };
  /** @type {Map<string, JobPoint[]>} */
  const checkpoints = new Map(); // by id, where they were asked for
  /** @type {Map<string, number>} */
  const lastHeard = new Map(); // by id: when the last checkpoint came, ms
  /** @type {StreamEvent[] | null} */
  let since = null; // events since all jobs were asked for

  const get = (id) => state.all.find((job) => job.id === id);
  const points = (id) => checkpoints.get(id) ?? [];

  function replace({ jobs, workers }) {
    state.all = jobs;
    state.workers = workers;
    checkpoints.clear();
  }

  /** Take in one job; return whether its state has changed. */
  function put(job) {
    const place = state.all.findIndex(({ id }) => id === job.id);
    const before = state.all[place];
    if (place < 0) state.all.push(job);
    else state.all[place] = job;
    if (job.state === "running" && before?.state !== "running") checkpoints.delete(job.id); // it may go on from less
    return before?.state !== job.state;
  }

  function addPoint(id, point) {
    lastHeard.set(id, performance.now());
    const known = checkpoints.get(id);
    if (known && point.iteration > (known.at(-1)?.iteration ?? 0)) known.push(point);
  }

  /** Take in an event; return what is to be drawn: "all", "job" (event.job alone), "lost" (whether it is), or "". */
  function hear(event) {
    since?.push(event);
    switch (event.type) {
      case "connected":
      case "disconnected":
        state.isLost = event.type === "disconnected";
        return "lost";
      case "jobs":
        replace(event);
        return "all";
      case "gone":
        state.all = state.all.filter((job) => job.id !== event.job);
        return "all";
      case "job":
        return put(event.job) ? "all" : "job";
      case "checkpoint":
        addPoint(event.job, event.point);
        return "";
      default:
        return "";
    }
  }

  /** Look at what an address names. @param {URLSearchParams} query */
  function open(query) {
    state.chosen = query.get("job") ?? state.chosen;
    state.byIterations = query.get("x") !== "time";
  }
  open(query);

  return {
    state,
    points,
    hear,
    open,

    /** Return the seconds since a checkpoint of a job came. @param {string} id */
    passed: (id) => (performance.now() - (lastHeard.get(id) ?? performance.now())) / 1000,

    /**
     * Take in all jobs, and then once more what has been heard since they were asked for: it may be newer.
     *
     * @param {Promise<{jobs: JobSummary[], workers: number}>} asked
     */
    async load(asked) {
      const events = /** @type {StreamEvent[]} */ ([]);
      since = events;
      replace(await asked);
      since = null;
      for (const event of events) hear(event);
    },

    /**
     * Ask for the checkpoints of a job, where they are not known; return whether there are new ones.
     *
     * @param {string | null} id
     */
    async loadPoints(id) {
      if (!id || checkpoints.has(id)) return false;
      /** @type {JobPoint[]} */
      const newer = []; // those that come meanwhile
      checkpoints.set(id, newer);
      const { points } = await readPoints(id);
      if (checkpoints.get(id) !== newer) return false; // it has begun anew since
      const last = points.at(-1)?.iteration ?? 0;
      checkpoints.set(id, [...points, ...newer.filter((point) => point.iteration > last)]);
      return true;
    },

    /** Return the job that is looked at, the first one of the list where the one that was is gone; or null. */
    current() {
      const named = get(state.chosen) ?? null;
      const isExpected = since !== null && state.chosen !== null; // among the jobs that are asked for
      if (named || isExpected) return named;
      const first = sorted(state.all)[0] ?? null;
      state.chosen = first?.id ?? null;
      return first;
    },

    /** Return how many jobs are at work, and how many wait, in words. */
    inWords() {
      if (!state.all.length) return "";
      const live = state.all.filter((job) => LIVE.includes(job.state));
      const waiting = state.all.filter((job) => job.state === "queued");
      return `${live.length} at work, ${waiting.length} waiting`;
    },

    /** Let the curve run over iterations, or over seconds. */
    showAxis(byIterations) {
      state.byIterations = byIterations;
    },

    /** Return the address of what is shown. */
    address: () => href("/jobs", { job: state.chosen, x: state.byIterations ? "" : "time" }),
  };
}

/** @typedef {ReturnType<typeof jobStore>} JobStore */
