// The API: JSON both ways, errors as one sentence, events.

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

async function request(method, path, { params, data, file, signal } = {}) {
  const options = { method, signal, headers: {} };
  if (data !== undefined) {
    options.body = JSON.stringify(data);
    options.headers["content-type"] = "application/json";
  }
  if (file !== undefined) options.body = file;
  let response;
  try {
    response = await fetch(address(path, params), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer: is it still running?");
  }
  const answer = await response.json().catch(() => null);
  const program = answer?.untrusted ?? answer?.error?.untrusted;
  if (program && (await mayRun(program))) return request(method, path, { params, data, signal });
  if (response.ok && answer !== null) return answer;
  const { message, field, span } = answer?.error ?? {};
  throw new ApiError(message ?? `The server answers ${response.status}.`, field ?? null, response.status, span ?? null);
}

export const get = (path, params, { signal } = {}) => request("GET", path, { params, signal });
export const post = (path, data = {}, { signal } = {}) => request("POST", path, { data, signal });
export const put = (path, data = {}, { signal } = {}) => request("PUT", path, { data, signal });
export const patch = (path, data = {}) => request("PATCH", path, { data });
export const del = (path) => request("DELETE", path);

/** Send a file as it is; its name is the parameter `name`. */
export const upload = (path, file, params = {}) =>
  request("POST", path, { params: { name: file.name, ...params }, file });

/** The jobs of the server by their ids, which are those of their runs; kept up to date while the page is open. */
export const jobs = new Map();
const AT_WORK = ["starting", "running", "stopping"];

/** Return the state of a run that is being solved, or null. */
export const atWork = (run) => (AT_WORK.includes(jobs.get(run)?.state) ? jobs.get(run).state : null);

const listeners = new Set();
let source = null;
let wait = 500;

function connect() {
  source = new EventSource("/api/events");
  source.onopen = () => {
    wait = 500;
    for (const listener of listeners) listener({ type: "connected" });
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "jobs") {
      jobs.clear();
      for (const job of event.jobs) jobs.set(job.id, job);
    } else if (event.type === "job") jobs.set(event.job.id, event.job);
    else if (event.type === "gone") jobs.delete(event.job);
    for (const listener of listeners) listener(event);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CONNECTING) return; // it tries by itself
    source.close();
    source = null;
    for (const listener of listeners) listener({ type: "disconnected" });
    setTimeout(() => listeners.size && !source && connect(), wait);
    wait = Math.min(2 * wait, 10_000);
  };
}

/**
 * Listen to the events of the server, over one connection for the whole page: `{type, …}`, and "connected" after each
 * (re)connection, when whatever may have been missed is to be asked for again. Return a function that ends it.
 */
export function events(onEvent, { signal } = {}) {
  listeners.add(onEvent);
  if (!source) connect();
  const stop = () => {
    listeners.delete(onEvent);
    if (!listeners.size && source) {
      source.close();
      source = null;
    }
  };
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
