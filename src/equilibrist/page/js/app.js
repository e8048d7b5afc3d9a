// The router: addresses to views, which are loaded when they are first shown.
import { href } from "./base/address.js";
import { atWork, events, get, jobs, unlock } from "./base/api.js";
import { byId, clear, closest, field, h } from "./base/dom.js";
import { useUnit } from "./base/units.js";
import { dialog } from "./parts/dialog.js";
import { failed } from "./parts/toast.js";

const VIEWS = {
  "/": "library",
  "/new": "new",
  "/new/spot": "new-spot",
  "/hands": "hands",
  "/hands/:hands": "graded",
  "/ranges": "ranges",
  "/equity": "equity",
  "/charts": "charts",
  "/batches/new": "new-batch",
  "/batches/:batch": "batch",
  "/jobs": "jobs",
  "/runs/:run": "inspect",
  "/runs/:run/spot": "spot",
  "/play/:run": "play",
  "/train/:run": "train",
  "/watch/:run": "watch",
  "/export/:run": "export",
  "/compare": "compare",
  "/side": "side",
  "/history": "history",
  "/class": "class",
  "/labs": "labs",
};
const NAV = {
  "/": "Library",
  "/new": "New run",
  "/new/spot": "New spot",
  "/jobs": "Solving",
  "/ranges": "Ranges",
  "/hands": "Hands",
  "/history": "Play",
  "/labs": "Labs",
};

const main = byId("main");
let shown = null; // {name, params, controller, view}

/** Return the view of a path and its parameters, or null. */
function found(path) {
  const parts = path.split("/").filter(Boolean);
  for (const [pattern, name] of Object.entries(VIEWS)) {
    const wanted = pattern.split("/").filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params = {};
    const fits = wanted.every((part, place) => {
      if (!part.startsWith(":")) return part === parts[place];
      try {
        params[part.slice(1)] = decodeURIComponent(parts[place]);
        return true;
      } catch {
        return false; // a broken escape
      }
    });
    if (fits) return { name, params };
  }
  return null;
}

/**
 * Go to an address. `replace` leaves no entry in the history of the browser, and within a page only notes what it
 * shows. A view that is shown already, with the
 * same parameters, is asked to `update({query})` where it has such a function, instead of being made anew; where it
 * cannot show the place, it goes on showing what it showed, and throws.
 */
export function navigate(path, query = {}, { replace = false } = {}) {
  const target = href(path, query);
  const recorded = replace && path === location.pathname && !shown?.view?.update; // a view notes what it shows
  if (target !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", target);
  return recorded ? undefined : render();
}

const styled = new Map();

/** Wait until the style sheet of a view is there. */
function style(name) {
  if (!styled.has(name)) {
    styled.set(
      name,
      new Promise((resolve) => {
        const link = h("link", {
          rel: "stylesheet",
          href: `/static/css/${name}.css`,
          onload: () => resolve(null),
          onerror: () => (styled.delete(name), resolve(null)),
        });
        document.head.append(link);
      }),
    );
  }
  return styled.get(name);
}

/** Return the module of a view; where it cannot be had because the server does not answer, say so. */
async function viewOf(name) {
  try {
    return await import(`./views/${name}.js`);
  } catch (error) {
    await get("/jobs"); // which says that the server does not answer, or wants another token
    throw error;
  }
}

async function render() {
  const target = found(location.pathname);
  const query = new URLSearchParams(location.search);
  mark();
  if (!target) return fail("There is no such page.");
  const { name, params } = target;
  const same = shown?.name === name && JSON.stringify(shown.params) === JSON.stringify(params);
  if (same && shown.view?.update) return updated(shown, { params, query });
  shown?.controller.abort();
  const controller = new AbortController();
  const own = { name, params, controller, view: null, address: location.pathname + location.search };
  shown = own;
  const root = h("div", { class: `view ${name}` });
  try {
    const [module] = await Promise.all([viewOf(name), style(name)]);
    if (shown !== own) return;
    document.title = "Equilibrist";
    useUnit(new URLSearchParams("unit=chips")); // a view with the switch says otherwise
    clear(main, root);
    const loading = h("p", { class: "note view", role: "status" }, "Loading…"); // a large run takes the server a moment
    const patience = setTimeout(() => root.childElementCount || root.before(loading), 400);
    const done = () => (clearTimeout(patience), loading.remove());
    new MutationObserver((_, observer) => (done(), observer.disconnect())).observe(root, { childList: true });
    own.view = await module.show(root, { params, query, navigate, signal: controller.signal });
  } catch (error) {
    if (shown !== own || error.name === "AbortError") return;
    if (!(error.status >= 0)) console.error(error);
    fail(error.message, error.status === 401);
  }
}

/** Let a view show another place; where it cannot, the address is again that of the place which it shows. */
async function updated(own, { params, query }) {
  const target = location.pathname + location.search;
  const isWanted = () => shown === own && location.pathname + location.search === target;
  try {
    await own.view.update({ params, query });
    if (isWanted()) own.address = target;
  } catch (error) {
    if (!isWanted()) return; // somebody has gone on since
    history.replaceState(null, "", own.address);
    failed(error);
  }
}

function fail(message, door = false) {
  shown?.controller.abort();
  shown = null;
  const help = door ? "Each start of the server has its own address." : "";
  clear(
    main,
    h(
      "div",
      { class: "view" },
      h(
        "div",
        { class: "card notice", role: "alert" },
        h("h1", {}, "Not shown"),
        h("p", {}, message),
        help && h("p", {}, help),
        h(
          "div",
          { class: "toolbar" },
          h("button", { type: "button", class: "button", onclick: () => location.reload() }, "Try again"),
          h("a", { class: "button", href: "/" }, "To the library"),
        ),
      ),
    ),
  );
}

function mark() {
  for (const link of document.querySelectorAll("#nav a")) {
    const path = link.getAttribute("href");
    if (path === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement} */ (closest(event, "a[href]"));
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  event.preventDefault();
  if (link.getAttribute("href") === "#main") return main.focus();
  if (url.href !== location.href) history.pushState(null, "", url);
  render().then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
});
addEventListener("popstate", render);

const THEMES = { "": "Auto", light: "Light", dark: "Dark" };
const button = byId("theme");

function theme(next) {
  if (next !== undefined) {
    if (next) document.documentElement.dataset.theme = next;
    else delete document.documentElement.dataset.theme;
    try {
      if (next) localStorage.setItem("theme", next);
      else localStorage.removeItem("theme");
    } catch {} // storage may be forbidden: the choice lasts as long as the page
  }
  const now = document.documentElement.dataset.theme ?? "";
  button.textContent = THEMES[now];
  button.setAttribute("aria-label", `Colours: ${THEMES[now]}. Change.`);
}

button.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  theme(names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length]);
});
theme();

// The token has become a cookie: it stays neither in the address nor in the history.
const here = new URL(location.href);
if (here.searchParams.has("token")) {
  here.searchParams.delete("token");
  history.replaceState(null, "", here.pathname + here.search);
}
// How many runs are being solved, whether an answer is waited for, and whether kernels are compiled, on every page.
let told = "";
let connected = true;
let waiting = 0;
events((event) => {
  if (event.type === "locked") askForToken();
  if (event.type === "connected") closeDoor();
  if (event.type === "connected" || event.type === "disconnected") connected = event.type === "connected";
  if (event.type === "disconnected") tellCompiling(false);
  if (event.type === "jobs") tellCompiling(connected && event.compiling);
  if (event.type === "compiling") tellCompiling(connected && event.active);
  if (event.type === "waiting") waiting = event.requests;
  const number = [...jobs.keys()].filter(atWork).length;
  const text = !connected
    ? "The server does not answer"
    : waiting
      ? "Waiting for the server …"
      : number
        ? `${number} solving`
        : "";
  if (text === told) return;
  told = text;
  clear(
    byId("running"),
    text &&
      (connected && !waiting
        ? h("a", { class: "tag live", href: "/jobs" }, text)
        : h("span", { class: connected ? "note" : "wrong" }, text)),
  );
});

let asking = false; // for a token

/** Ask for the token of a server that was started anew, and show again what is at the address. */
async function askForToken() {
  if (asking) return;
  asking = true;
  const input = h("input", { type: "password", name: "token", required: true, autocomplete: "off", class: "door" });
  const done = await dialog({
    title: "The server was started anew",
    body: [
      h(
        "p",
        {},
        "Each start has an address of its own. Give the one that it has printed, or what follows ?token= in it.",
      ),
      field("Address or token", input, { name: "token" }),
    ],
    action: "Open",
    run: async () => {
      await unlock(input.value);
      return true;
    },
  });
  asking = false;
  if (done) render();
}

/** Close the question for a token, which another page of this browser has answered. */
function closeDoor() {
  const box = document.querySelector("dialog input.door")?.closest("dialog");
  if (!box) return;
  box.close();
  render();
}

function tellCompiling(active) {
  clear(
    document.getElementById("compiling"),
    active && [
      h("progress", { "aria-label": "Compiling" }),
      h(
        "p",
        {},
        h("b", {}, "Compiling kernels for this machine: "),
        "once for each installation, up to a minute. What you asked for comes as soon as they are there.",
      ),
    ],
  );
}

clear(
  document.getElementById("nav"),
  Object.entries(NAV).map(([path, text]) => h("a", { href: path }, text)),
);
render();
