// The worker that all pages of a browser share: it holds the one stream of events, as a browser opens no more than six
// connections to a host, and a stream for each page would take them all.
import { learn, nothing, openStream, retold } from "./stream.js";

const ports = new Set();
const known = nothing();
let stream = null;

function publish(event) {
  learn(known, event);
  for (const port of ports) port.postMessage(event);
}

self.addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  ports.add(port);
  port.onmessage = () => {
    // a page says one thing: that it is left
    ports.delete(port);
    if (ports.size) return;
    stream.close();
    stream = null;
    known.connected = false;
  };
  for (const event of retold(known)) port.postMessage(event);
  if (stream) stream.retry();
  else stream = openStream(publish);
});
