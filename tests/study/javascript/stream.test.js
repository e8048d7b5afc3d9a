import assert from "node:assert/strict";
import { test } from "node:test";

import { learn, nothing, openStream, retold } from "../../../src/equilibrist/page/js/base/stream.js";

const told = (...events) => {
  const known = nothing();
  for (const event of events) learn(known, event);
  return known;
};
const job = (id, state) => ({ type: "job", job: { id, state } });

test("events add up to what is known", () => {
  const first = { type: "jobs", jobs: [{ id: "a", state: "queued" }], workers: 2, compiling: false };
  const known = told(
    { type: "connected" },
    first,
    job("a", "running"),
    job("b", "queued"),
    { type: "gone", job: "b" },
    { type: "compiling", active: true },
  );
  assert.deepEqual([...known.jobs.values()], [{ id: "a", state: "running" }]);
  assert.equal(known.compiling, true);
});

test("a page that comes later is told all that is known, in the events of the server", () => {
  const known = told(
    { type: "connected" },
    { type: "jobs", jobs: [], workers: 3, compiling: true },
    job("a", "running"),
  );
  assert.deepEqual(told(...retold(known)), known);
});

test("nothing is told of a stream that is lost", () => {
  assert.deepEqual(retold(told({ type: "connected" }, { type: "disconnected" })), []);
});

test("a stream that is lost is told, also while the browser tries again, and so is a server that wants a token", async () => {
  const [opened, events] = [[], []];
  globalThis.EventSource = class {
    static CONNECTING = 0;
    constructor() {
      opened.push(this);
    }
    close() {}
  };
  globalThis.fetch = async () => ({ status: 401 });
  const stream = openStream((event) => events.push(event.type));
  opened[0].onopen();
  opened[0].readyState = 0;
  opened[0].onerror(); // no answer: the browser tries again by itself
  assert.deepEqual(events, ["connected", "disconnected"]);
  opened[0].readyState = 2;
  opened[0].onerror(); // an answer that is no stream
  stream.close();
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(events, ["connected", "disconnected", "disconnected", "locked"]);
});

test("a stream that is refused is opened again, at once when asked to", () => {
  const opened = [];
  globalThis.EventSource = class {
    static CONNECTING = 0;
    readyState = 2;
    constructor() {
      opened.push(this);
    }
    close() {}
  };
  const events = [];
  const stream = openStream((event) => events.push(event.type));
  opened[0].onerror();
  stream.retry();
  stream.retry(); // it is on its way already
  assert.equal(opened.length, 2);
  opened[1].onopen();
  opened[1].onmessage({ data: '{"type": "jobs"}' });
  stream.close();
  assert.deepEqual(events, ["disconnected", "connected", "jobs"]);
});
