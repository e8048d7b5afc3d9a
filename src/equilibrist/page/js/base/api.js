// The API: JSON both ways, errors as one sentence, events.
import { learn, nothing, openStream } from "./stream.js";

/** An error of the server: a sentence, the field that is wrong (or null), where in its text, and the status (0: no answer). */
export class ApiError extends Error {
  constructor(message, field = null, status = 0, span = null) {
    super(message);
    this.field = field;
    this.status = status;
    this.span = span;
  }
}

/** Return the path of a run in the API; `pathOf("kuhn", "tree")` is "/runs/kuhn/tree". */
export const pathOf = (run, ...rest) => ["", "runs", encodeURIComponent(run), ...rest].join("/");

/** Return the address of a path below /api with its parameters; empty ones are left out, lists are repeated. */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "")
        query.append(name, one === true ? 1 : one === false ? 0 : one);
    }
  }
  return `/api${path}${query.size ? `?${query}` : ""}`;
}

const PATIENCE = 2_000; // ms after which the page says that it waits
let unanswered = 0;

/** Tell listeners that a request waits, if it does for long; return a function that says it does not any more. */
function waiting() {
  let late = 0;
  const count = (by) => {
    late += by;
    unanswered += by;
    tell({ type: "waiting", requests: unanswered });
  };
  const timer = setTimeout(() => count(1), PATIENCE);
  return () => {
    clearTimeout(timer);
    if (late) count(-1);
  };
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{params?: object, data?: object, file?: Blob, signal?: AbortSignal}} options
 */
async function request(method, path, { params, data, file, signal }) {
  /** @type {RequestInit} */
  const options = { method, signal };
  if (data !== undefined) {
    options.body = JSON.stringify(data);
    options.headers = { "content-type": "application/json" };
  }
  if (file !== undefined) options.body = file;
  let response, answer;
  const answered = waiting();
  try {
    response = await fetch(address(path, params), options);
    answer = await response.json().catch((error) => {
      if (error.name === "AbortError") throw error;
      return null; // no JSON
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer: is it still running?");
  } finally {
    answered();
  }
  const program = answer?.untrusted ?? answer?.error?.untrusted;
  if (program && (await mayRun(program))) return request(method, path, { params, data, signal });
  if (response.ok && answer !== null) return answer;
  if (response.status === 401) tell({ type: "locked" });
  const { message, field, span } = answer?.error ?? {};
  throw new ApiError(message ?? `The server answers ${response.status}.`, field ?? null, response.status, span ?? null);
}

/** @typedef {{signal?: AbortSignal}} Abortable */
/** @type {(path: string, params?: object, options?: Abortable) => Promise<any>} */
export const get = (path, params, { signal } = {}) => request("GET", path, { params, signal });
/** @type {(path: string, data?: object, options?: Abortable) => Promise<any>} */
export const post = (path, data = {}, { signal } = {}) => request("POST", path, { data, signal });
/** @type {(path: string, data?: object, options?: Abortable) => Promise<any>} */
export const put = (path, data = {}, { signal } = {}) => request("PUT", path, { data, signal });
export const patch = (path, data = {}) => request("PATCH", path, { data });
export const del = (path) => request("DELETE", path, {});

/** Send a file as it is; its name is the parameter `name`. */
export const upload = (path, file, params = {}) =>
  request("POST", path, { params: { name: file.name, ...params }, file });

const known = nothing();

/** The jobs of the server by their ids, which are those of their runs; kept up to date while the page is open. */
export const jobs = known.jobs;
const AT_WORK = ["starting", "running", "stopping"];

/** Return the state of a run that is being solved, or null. */
export const atWork = (run) => (AT_WORK.includes(jobs.get(run)?.state) ? jobs.get(run).state : null);

const listeners = new Set();
let disconnect = null;

function tell(event) {
  for (const listener of listeners) listener(event);
}

function hear(event) {
  learn(known, event);
  tell(event);
}

/**
 * Open the page for the token of a server that was started anew; a whole address that ends in one will do. Throw an
 * ApiError where it is another.
 *
 * @param {string} text
 */
export async function unlock(text) {
  const token = text.trim().split("token=").at(-1);
  const params = new URLSearchParams({ token });
  const response = await fetch(`/?${params}`).catch(() => null);
  if (!response) throw new ApiError("The server does not answer: is it still running?");
  if (!response.ok) throw new ApiError("This is not the token of the server that runs now.", null, response.status);
  disconnect?.();
  connect();
}

/** Connect to the worker that holds the stream of all pages, or where there are no such workers to the server itself. */
function connect() {
  const alone = () => (disconnect = openStream(hear).close);
  if (!globalThis.SharedWorker) return alone();
  const worker = new SharedWorker("/static/js/base/events-worker.js", { type: "module", name: "events" });
  worker.onerror = alone;
  worker.port.onmessage = ({ data }) => hear(data);
  disconnect = () => {
    worker.port.postMessage("left");
    worker.port.close();
  };
}

// A page that is left may stay in memory for the back button: without the stream, and with a new one when it is back.
addEventListener("pagehide", () => {
  disconnect?.();
  disconnect = null;
});
addEventListener("pageshow", (event) => event.persisted && listeners.size && connect());

/**
 * Listen to the events of the server, over one connection for all pages of the browser: `{type, …}`, and "connected" after
 * each (re)connection, when whatever may have been missed is to be asked for again; "disconnected" when it is lost;
 * "locked" where the server wants the token of a new start; "waiting" with the number of
 * requests that the server has not answered for a while. Return a function that ends it.
 *
 * @param {(event: any) => void} onEvent
 * @param {Abortable} options
 */
export function events(onEvent, { signal } = {}) {
  listeners.add(onEvent);
  if (!disconnect) connect();
  const stop = () => listeners.delete(onEvent);
  signal?.addEventListener("abort", stop);
  return stop;
}

const programs = new Map();

/**
 * Return whether a file of Python may be run, which the record of a run names as its game: asked once for each.
 * @param {string} file
 * @returns {boolean | Promise<boolean>}
 */
function mayRun(file) {
  const question = `The record of this run names ${file} as its game. That file runs as a program. Run it?`;
  if (!programs.has(file)) programs.set(file, confirm(question) && post("/trust", { file }).then(() => true));
  return programs.get(file);
}
