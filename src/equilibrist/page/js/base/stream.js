// The stream of events of the server, as a page or the worker that all pages share opens it.

/** @import { Event, JobSummary } from "./answers.js" */
/** @typedef {Event | {type: "connected" | "disconnected" | "locked"}} StreamEvent */
/** @typedef {{connected: boolean, jobs: Map<string, JobSummary>, workers: number, compiling: boolean}} Known */

/**
 * Open the stream. `onEvent` gets `{type, …}`; "connected" after each (re)connection, "disconnected" when it is lost, and
 * "locked" where the server answers, but wants the token of a new start. Return {close, retry}; retry() does not wait for
 * the next attempt.
 *
 * @param {(event: StreamEvent) => void} onEvent
 */
export function openStream(onEvent) {
  /** @type {EventSource | null} */
  let source = null;
  let wait = 500;
  let timer;

  function connect() {
    const stream = new EventSource("/api/events");
    source = stream;
    stream.onopen = () => {
      wait = 500;
      onEvent({ type: "connected" });
    };
    stream.onmessage = (message) => onEvent(JSON.parse(message.data));
    stream.onerror = () => {
      onEvent({ type: "disconnected" });
      if (stream.readyState === EventSource.CONNECTING) return; // it tries by itself
      stream.close();
      source = null;
      isLocked().then((locked) => locked && onEvent({ type: "locked" }));
      timer = setTimeout(connect, wait);
      wait = Math.min(2 * wait, 10_000);
    };
  }

  connect();
  return {
    close: () => {
      clearTimeout(timer);
      source?.close();
    },
    retry: () => {
      if (source) return;
      clearTimeout(timer);
      connect();
    },
  };
}

/** Return whether the server answers, and refuses the token of this page. */
const isLocked = () =>
  fetch("/api/jobs").then(
    (response) => response.status === 401,
    () => false,
  );

/**
 * Return what is known before any event.
 *
 * @returns {Known}
 */
export const nothing = () => ({ connected: false, jobs: new Map(), workers: 0, compiling: false });

/**
 * Take an event into what is known: jobs by their ids, how many run side by side, whether kernels are compiled.
 *
 * @param {Known} known
 * @param {StreamEvent} event
 */
export function learn(known, event) {
  if (event.type === "connected") known.connected = true;
  else if (event.type === "disconnected") known.connected = false;
  else if (event.type === "jobs") {
    known.jobs.clear();
    for (const job of event.jobs) known.jobs.set(job.id, job);
    known.workers = event.workers;
    known.compiling = event.compiling;
  } else if (event.type === "job") known.jobs.set(event.job.id, event.job);
  else if (event.type === "gone") known.jobs.delete(event.job);
  else if (event.type === "compiling") known.compiling = event.active;
}

/**
 * Return the events that tell all that is known to somebody who comes later.
 *
 * @type {(known: Known) => StreamEvent[]}
 */
export const retold = ({ connected, jobs, workers, compiling }) =>
  connected ? [{ type: "connected" }, { type: "jobs", jobs: [...jobs.values()], workers, compiling }] : [];
