// The API: JSON both ways, errors as one sentence, events.
import { ApiError } from "./api-error.js";
import { learn, nothing, openStream } from "./stream.js";

/** @import { StreamEvent } from "./stream.js" */
/** @import { DELETE, FilePath, GET, Named, PATCH, POST, PUT } from "./answers.js" */
/** @typedef {{ [name: string]: any }} Fields */
/** @typedef {StreamEvent | {type: "waiting", requests: number}} Heard */
/** @typedef {{signal?: AbortSignal}} Abortable */

/**
 * Return a path with its names in braces filled in, and the fields that have no place in it.
 *
 * @param {string} path
 * @param {Fields} fields
 * @returns {[string, Fields]}
 */
function fillPath(path, fields) {
  const rest = { ...fields };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    delete rest[name];
    return encodeURIComponent(fields[name]);
  });
  return [filled, rest];
}

/**
 * Return the address of a path below /api with its parameters; empty ones are left out, lists are repeated.
 * `address("/runs/{run}/table", { run: "kuhn", what: "trace" })` is "/api/runs/kuhn/table?what=trace".
 *
 * @template {keyof GET | FilePath} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} [params]
 * @returns {string}
 */
export const address = (path, params) => fullAddress(...fillPath(path, params ?? {}));

/**
 * @param {string} path
 * @param {Fields} params
 */
function fullAddress(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "")
        query.append(name, one === true ? "1" : one === false ? "0" : one);
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
 * @param {string} path filled
 * @param {{params?: Fields, data?: Fields, file?: Blob, signal?: AbortSignal}} options
 * @returns {Promise<any>}
 */
async function request(method, path, { params = {}, data, file, signal }) {
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
    response = await fetch(fullAddress(path, params), options);
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

// A path is one of the table of routes in Python, with names in braces that fields fill; the type of the answer is that of
// its handler. Other fields are parameters of the address, or of the body.

/**
 * @template {keyof GET} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} [fields]
 * @param {Abortable} [options]
 * @returns {Promise<GET[Path]>}
 */
export function get(path, fields, { signal } = {}) {
  const [filled, params] = fillPath(path, fields ?? {});
  return request("GET", filled, { params, signal });
}

/**
 * @template {keyof POST} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} [fields]
 * @param {Abortable} [options]
 * @returns {Promise<POST[Path]>}
 */
export function post(path, fields, { signal } = {}) {
  const [filled, data] = fillPath(path, fields ?? {});
  return request("POST", filled, { data, signal });
}

/**
 * @template {keyof PUT} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} fields
 * @returns {Promise<PUT[Path]>}
 */
export function put(path, fields) {
  const [filled, data] = fillPath(path, fields);
  return request("PUT", filled, { data });
}

/**
 * @template {keyof PATCH} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} fields
 * @returns {Promise<PATCH[Path]>}
 */
export function patch(path, fields) {
  const [filled, data] = fillPath(path, fields);
  return request("PATCH", filled, { data });
}

/**
 * @template {keyof DELETE} Path
 * @param {Path} path
 * @param {Named<Path> & Fields} [fields]
 * @returns {Promise<DELETE[Path]>}
 */
export function del(path, fields) {
  const [filled, params] = fillPath(path, fields ?? {});
  return request("DELETE", filled, { params });
}

/**
 * Send a file as it is; its name is the parameter `name`.
 *
 * @param {File} file
 * @returns {Promise<POST["/uploads"]>}
 */
export const upload = (file) => request("POST", "/uploads", { params: { name: file.name }, file });

/**
 * Send a part of a file of hands, which begins at an offset; its name may have folders in it.
 *
 * @param {string} hands
 * @param {string} name
 * @param {number} offset
 * @param {Blob} part
 * @returns {Promise<POST["/hands/{hands}/files"]>}
 */
export const sendPart = (hands, name, offset, part) =>
  request("POST", `/hands/${encodeURIComponent(hands)}/files`, { params: { name, offset }, file: part });

const known = nothing();

/** The jobs of the server by their ids, which are those of their runs; kept up to date while the page is open. */
export const jobs = known.jobs;
const AT_WORK = ["starting", "running", "stopping"];

/** Return the state of a run that is being solved, or null. */
export function atWork(run) {
  const state = jobs.get(run)?.state;
  return state && AT_WORK.includes(state) ? state : null;
}

/** @type {Set<(event: Heard) => void>} */
const listeners = new Set();
/** @type {(() => void) | null} */
let disconnect = null;

/** @param {Heard} event */
function tell(event) {
  for (const listener of listeners) listener(event);
}

/** @param {StreamEvent} event */
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
  const token = text.trim().split("token=").at(-1) ?? "";
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
 * @param {(event: Heard) => void} onEvent
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
