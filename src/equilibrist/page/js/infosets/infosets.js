// The infosets of a run: lines under the histories that they share, of which only those in sight are asked for and drawn.
import { get } from "../base/api.js";
import { clear, h, later } from "../base/dom.js";
import { count } from "../base/format.js";
import { capital, playerName } from "../base/words.js";
import { failed } from "../parts/toast.js";
import { infosetDetail } from "./infoset-detail.js";
import { drawLegend, groupLine, infosetLine } from "./infoset-lines.js";

const PART = 100; // lines of a request
const AROUND = 6; // lines that are drawn above and below those in sight
const ORDERS = { game: "In the game's order", reach: "By reach", loss: "By loss", regret: "By regret" };
const COLUMNS = ["Infoset", "Strategy", "%", "Value", "Regret", "Reach"];

/** Lines of the list that were asked for, part by part. */
class Lines {
  constructor(read) {
    this.read = read; // (start, count) → {rows, total, …}
    this.parts = new Map(); // number of a part → its lines; null while they are asked for
    this.total = 0;
  }

  get = (place) => this.parts.get(Math.floor(place / PART))?.[place % PART];

  /** Ask for a part; return what the server tells. */
  async load(part) {
    this.parts.set(part, null);
    try {
      const found = await this.read(part * PART, PART);
      this.parts.set(part, found.rows);
      this.total = found.total;
      return found;
    } catch (error) {
      this.parts.delete(part);
      throw error;
    }
  }

  /** Return the parts of some places that were not asked for yet. */
  missing(first, last) {
    const [from, to] = [Math.floor(first / PART), Math.floor(Math.max(first, last - 1) / PART)];
    return Array.from({ length: to - from + 1 }, (_, k) => from + k).filter((part) => !this.parts.has(part));
  }
}

/** Return the controls above the list: search, player, order. */
function makeFilters(about, go) {
  const search = h("input", {
    type: "search",
    class: "search",
    placeholder: "Search infosets",
    "aria-label": "Search infosets",
    autocomplete: "off",
    oninput: later(() => go({ search: search.value.trim() }, { replace: true }), 200),
  });
  const players = h(
    "select",
    { "aria-label": "Player", onchange: () => go({ player: players.value }, { replace: true }) },
    h("option", { value: "" }, "All players"),
    Array.from({ length: about.players }, (_, k) => h("option", { value: k }, capital(playerName(about.names, k)))),
  );
  const order = h(
    "select",
    {
      "aria-label": "Order",
      onchange: () => go({ order: order.value === "game" ? "" : order.value }, { replace: true }),
    },
    Object.entries(ORDERS).map(([key, text]) => h("option", { value: key }, text)),
  );
  return { search, players, order };
}

/** Return the element of the list and its parts. */
function makeBox(filters) {
  const status = h("span", { class: "note", role: "status" });
  const space = h("div", { class: "space" });
  const lines = h("div", { class: "lines" });
  const legend = h("div", { class: "legend", role: "group", "aria-label": "Colours of the actions in sight" });
  const list = { class: "infosets", tabindex: "0", role: "listbox", "aria-label": "Infosets" };
  const scroller = h("div", list, space, lines);
  const detail = h("section", { class: "infoset-detail" });
  const heads = COLUMNS.map((text, place) => h("span", { class: place > 2 ? "num" : "" }, text));
  const box = h(
    "div",
    { class: "inspect-infosets" },
    h(
      "section",
      { class: "side-list" },
      h("div", { class: "toolbar" }, filters.search, filters.players, filters.order, status),
      h("div", { class: "line columns", "aria-hidden": "true" }, heads),
      scroller,
      legend,
    ),
    detail,
  );
  return { box, status, space, lines, legend, scroller, detail };
}

export function infosetList({ run, about, signal, fields, to, go }) {
  const field = (name) => fields().get(name) ?? "";
  const wanted = () => ({ player: field("player"), search: field("search"), order: field("order") || "game" });
  const filters = makeFilters(about, go);
  filters.search.value = wanted().search;
  const { box, status, space, lines, legend, scroller, detail } = makeBox(filters);
  const linesOf = (wish) =>
    new Lines((start, number) => get("/runs/{run}/infosets", { run, ...wish, start, count: number }, { signal }));
  let rows = linesOf(wanted());
  let listed = null; // which lines these are
  let grouped = false;
  let shown = new AbortController(); // of the infoset that is shown
  signal.addEventListener("abort", () => shown.abort());

  const height = () => Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--line-height")) || 30;
  const selected = (row) => field("infoset") === row.infoset && Number(fields().get("of") ?? -1) === row.player;

  async function read(part) {
    const asked = rows;
    const found = await asked.load(part);
    if (asked === rows) takeIn(found);
  }

  /** Take in a part of the lines. */
  function takeIn(found) {
    grouped = found.grouped;
    space.style.setProperty("height", `${rows.total * height()}px`);
    status.textContent = `${count(found.infosets)} ${found.infosets === 1 ? "infoset" : "infosets"}`;
    if (found.lacking) status.title = found.lacking;
    draw();
  }

  function line(row, place) {
    if (!row) return h("div", { class: "line" }, h("span", { class: "note" }, "…"));
    if (row.group !== undefined) return groupLine(row, about.names);
    const href = to({ infoset: row.infoset, of: row.player });
    return infosetLine(row, { place, selected: selected(row), href, grouped, names: about.names });
  }

  function draw() {
    const size = height();
    const first = Math.max(0, Math.floor(scroller.scrollTop / size) - AROUND);
    const last = Math.min(rows.total, first + Math.ceil(scroller.clientHeight / size) + 2 * AROUND);
    for (const part of rows.missing(first, last)) read(part).catch(failed);
    const found = Array.from({ length: last - first }, (_, k) => rows.get(first + k));
    lines.style.setProperty("top", `${first * size}px`);
    clear(
      lines,
      found.map((row, k) => line(row, first + k)),
    );
    drawLegend(legend, found);
    box.classList.toggle(
      "of-cards",
      found.some((row) => row?.made),
    );
  }

  function showDetail(found, key, player) {
    const links = [
      h("a", { class: "button small", href: to({ tab: "tree", path: "" }) }, "In the tree"),
      about.explains && h("a", { class: "button small", href: to({ tab: "explain" }) }, "Explain an iteration here"),
    ];
    shown.abort();
    shown = new AbortController();
    clear(
      detail,
      infosetDetail(found, { key, player: playerName(about.names, Number(player)), links, signal: shown.signal }),
    );
  }

  function key(name) {
    const all = /** @type {HTMLAnchorElement[]} */ ([...lines.querySelectorAll("a.line")]);
    const now = all.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const next = all[now + { up: -1, down: 1 }[name]] ?? (now < 0 ? all[0] : null);
    if (!next) return;
    const top = Number(next.dataset.place) * height();
    if (top < scroller.scrollTop) scroller.scrollTop = top - height();
    else if (top + 2 * height() > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + 2 * height() - scroller.clientHeight;
    const { searchParams } = new URL(next.href);
    go({ infoset: searchParams.get("infoset"), of: searchParams.get("of") }, { replace: true });
  }
  scroller.addEventListener("scroll", draw);
  scroller.addEventListener("keydown", (event) => {
    const name = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!name) return;
    key(name);
    event.preventDefault();
  });
  new ResizeObserver(() => rows.total && draw()).observe(scroller);

  box.key = (name) => ["up", "down"].includes(name) && key(name);
  /** Draw what is known, under the filters that it is of. */
  box.draw = () => {
    filters.players.value = wanted().player;
    filters.order.value = wanted().order;
    if (document.activeElement !== filters.search) filters.search.value = wanted().search;
    draw();
  };
  box.update = async () => {
    const [wish, key, player] = [wanted(), field("infoset"), field("of")];
    const text = JSON.stringify(wish);
    const next = text === listed ? null : linesOf(wish);
    const [lineRows, found] = await Promise.all([
      next?.load(0),
      key && get("/runs/{run}/infoset", { run, player, infoset: key }, { signal }),
    ]);
    const isWanted = JSON.stringify(wanted()) === text && field("infoset") === key && field("of") === player;
    if (!isWanted) return;
    if (next) {
      rows = next;
      listed = text;
      scroller.scrollTop = 0;
      takeIn(lineRows);
    }
    box.draw();
    showDetail(found, key, player);
  };
  return box;
}
