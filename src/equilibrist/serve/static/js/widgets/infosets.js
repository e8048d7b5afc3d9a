// The infosets of a run: lines under the histories that they share, of which only those in sight are asked for and drawn.
import { get, pathOf } from "../api.js";
import { actionColour } from "../colours.js";
import { clear, h, later } from "../dom.js";
import { count, gap, payoff, percent } from "../format.js";
import { lineChart } from "./chart.js";
import { mixBar } from "./strip.js";
import { failed } from "./toast.js";

const PART = 100; // lines of a request
const MOST_COLOURS = 16; // of a legend
const ORDERS = { game: "As the game goes", reach: "By reach", loss: "By what is lost", regret: "By regret" };

export function infosetList({ run, about, signal, fields, to, go }) {
  let parts = new Map(); // number of a part → its lines, or a promise of them
  let total = 0;
  let asked = null;
  const wanted = () => ({
    player: fields().get("player") ?? "",
    search: fields().get("search") ?? "",
    order: fields().get("order") ?? "game",
  });
  const search = h("input", {
    type: "search",
    class: "search",
    placeholder: "Search infosets",
    "aria-label": "Search infosets",
    value: wanted().search,
    autocomplete: "off",
  });
  search.addEventListener(
    "input",
    later(() => go({ search: search.value.trim() }, { replace: true }), 200),
  );
  const players = h(
    "select",
    { "aria-label": "Player", onchange: () => go({ player: players.value }, { replace: true }) },
    h("option", { value: "" }, "All players"),
    Array.from({ length: about.players }, (_, k) => h("option", { value: k }, `Player ${k}`)),
  );
  const order = h(
    "select",
    {
      "aria-label": "Order",
      onchange: () => go({ order: order.value === "game" ? "" : order.value }, { replace: true }),
    },
    Object.entries(ORDERS).map(([key, text]) => h("option", { value: key }, text)),
  );
  const status = h("span", { class: "note", role: "status" });
  const space = h("div", { class: "space" });
  const lines = h("div", { class: "lines" });
  const legend = h("div", { class: "legend", role: "group", "aria-label": "Colours of the actions in sight" });
  const scroller = h(
    "div",
    {
      class: "infosets",
      tabindex: "0",
      role: "listbox",
      "aria-label": "Infosets",
      onscroll: () => draw(),
    },
    space,
    lines,
  );
  const detail = h("section", { class: "infoset-detail" });
  const columns = h(
    "div",
    { class: "line columns", "aria-hidden": "true" },
    h("span", {}, "Infoset"),
    h("span", {}, "Strategy"),
    h("span", { class: "num" }, "Value"),
    h("span", { class: "num" }, "Regret"),
    h("span", { class: "num" }, "Reach"),
  );
  const box = h(
    "div",
    { class: "study-infosets" },
    h(
      "section",
      { class: "side-list" },
      h("div", { class: "toolbar" }, search, players, order, status),
      columns,
      scroller,
      legend,
    ),
    detail,
  );

  const height = () => Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--line-height")) || 30;

  async function read(part) {
    const mine = asked;
    const found = await get(pathOf(run, "infosets"), { ...wanted(), start: part * PART, count: PART }, { signal });
    if (mine !== asked) return;
    parts.set(part, found.rows);
    total = found.total;
    space.style.setProperty("height", `${total * height()}px`);
    status.textContent = `${count(found.infosets)} ${found.infosets === 1 ? "infoset" : "infosets"}`;
    if (found.lacking) status.title = found.lacking;
    draw();
  }

  function draw() {
    const size = height();
    const first = Math.max(0, Math.floor(scroller.scrollTop / size) - 6);
    const last = Math.min(total, first + Math.ceil(scroller.clientHeight / size) + 12);
    for (let part = Math.floor(first / PART); part <= Math.floor(Math.max(first, last - 1) / PART); part++) {
      if (parts.has(part)) continue;
      parts.set(part, null);
      read(part).catch((error) => (parts.delete(part), failed(error)));
    }
    const drawn = [];
    for (let k = first; k < last; k++) {
      const row = parts.get(Math.floor(k / PART))?.[k % PART];
      drawn.push(line(row, k));
    }
    lines.style.setProperty("top", `${first * size}px`);
    clear(lines, drawn);
    drawLegend(
      Array.from({ length: last - first }, (_, k) => parts.get(Math.floor((first + k) / PART))?.[(first + k) % PART]),
    );
  }

  /** Say which action each colour is; one may stand for several, where infosets have different actions. */
  function drawLegend(rows) {
    const labels = new Map();
    for (const { actions } of rows.filter((row) => row?.actions)) {
      for (const action of actions) {
        const colour = actionColour(action, actions);
        labels.set(colour, (labels.get(colour) ?? new Set()).add(action));
      }
    }
    const rank = (colour) => ["fold", "passive", "bet", "cat"].findIndex((kind) => colour.includes(kind)) + colour;
    const all = [...labels]
      .sort(([a], [b]) => rank(a).localeCompare(rank(b)))
      .map(([colour, own]) => [colour, [...own]]);
    clear(
      legend,
      all
        .slice(0, MOST_COLOURS)
        .map(([colour, own]) =>
          h(
            "span",
            { title: own.join(", ") },
            h("span", { class: "dot", css: { "--colour": colour } }),
            own.slice(0, 3).join(", ") + (own.length > 3 ? " …" : ""),
          ),
        ),
    );
  }

  const chosen = (row) => fields().get("infoset") === row.infoset && Number(fields().get("of") ?? -1) === row.player;

  function line(row, place) {
    if (!row) return h("div", { class: "line" }, h("span", { class: "note" }, "…"));
    if (row.group !== undefined)
      return h(
        "div",
        { class: "line group" },
        h("b", {}, `Player ${row.player}`),
        " ",
        row.group === "" ? "first move" : row.group,
      );
    const colours = row.actions.map((action) => actionColour(action, row.actions));
    const mix = row.actions.map((action, k) => `${action} ${percent(row.probabilities[k])}`).join(", ");
    return h(
      "a",
      {
        class: "line",
        role: "option",
        tabindex: "-1",
        dataset: { place },
        "aria-selected": String(chosen(row)),
        href: to({ infoset: row.infoset, of: row.player }),
        title: `${row.infoset}: ${mix}`,
      },
      h(
        "span",
        { class: "name" },
        row.holding || row.infoset,
        row.history === "" && row.holding === row.infoset ? h("span", { class: "note" }, ` P${row.player}`) : null,
      ),
      mixBar(row.probabilities, colours, mix),
      h("span", { class: "num" }, payoff(row.value)),
      h("span", { class: "num" }, gap(row.regret)),
      h("span", { class: "num note" }, percent(row.reach)),
    );
  }

  async function showDetail() {
    const [key, player] = [fields().get("infoset"), fields().get("of")];
    if (key === null) {
      return clear(
        detail,
        h(
          "p",
          { class: "note" },
          "Choose an infoset: what each action is worth, what it would have been better by, and how it came about. Colours are actions; a bar is the strategy.",
        ),
      );
    }
    const found = await get(pathOf(run, "infoset"), { player, infoset: key }, { signal });
    if (fields().get("infoset") !== key) return;
    const { actions } = found;
    const colours = actions.map((action) => actionColour(action, actions));
    const numbers = [
      ["Probability", found.probabilities, (value) => percent(value, 2)],
      ["Value", found.action_values, payoff, "What the action is worth, with the strategy afterwards; payoff"],
      ["Regret", found.regrets, (value) => payoff(value, 5), "Value of the action less value of the infoset; payoff"],
      ["Best value", found.best_values, payoff, "What it is worth with the best play afterwards; payoff"],
      [
        "Regret sum",
        found.regret_sums,
        (value) => gap(value),
        "What the algorithm has summed up; payoff × probability",
      ],
    ].filter(([, values]) => values);
    clear(
      detail,
      h("h2", {}, h("code", {}, key), h("span", { class: "tag" }, `player ${player}`)),
      mixBar(found.probabilities, colours),
      h(
        "table",
        { class: "plain" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", {}, "Action"),
            numbers.map(([name, , , tip]) => h("th", { class: "num", title: tip }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          actions.map((action, k) =>
            h(
              "tr",
              {},
              h("td", {}, h("span", { class: "dot", css: { "--colour": colours[k] } }), ` ${action}`),
              numbers.map(([, values, form]) => h("td", { class: "num" }, form(values[k]))),
            ),
          ),
        ),
      ),
      h(
        "dl",
        { class: "stats" },
        [
          ["Value", payoff(found.value)],
          ["Reach", percent(found.reach, 3)],
          ["Reach of chance and the others", percent(found.cf_reach, 3)],
          ["Lost here", gap(found.loss)],
        ].map(([name, value]) => h("div", { class: "stat" }, h("dt", {}, name), h("dd", {}, value))),
      ),
      h(
        "div",
        { class: "toolbar" },
        h("a", { class: "button small", href: to({ tab: "tree", path: "" }) }, "In the tree"),
        about.explains && h("a", { class: "button small", href: to({ tab: "explain" }) }, "Explain an iteration here"),
      ),
      found.recorded && recorded(found),
    );
  }

  function recorded({ actions, recorded: kept }) {
    const series = (name, label, dash) =>
      actions.map((action, k) => ({
        name: `${action}, ${label}`,
        points: kept.iteration.map((t, n) => [t, kept[name][n][k]]),
        colour: actionColour(action, actions),
        dash,
      }));
    return lineChart({
      series: [...series("average_strategy", "average"), ...series("strategy", "current", "2 3")],
      x: { label: "iteration", log: true },
      y: { label: "probability", format: (value) => value.toFixed(2) },
      height: 220,
      title: "How the strategy moved",
    });
  }

  function key(name) {
    const rows = [...lines.querySelectorAll("a.line")];
    const now = rows.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const next = rows[now + { up: -1, down: 1 }[name]] ?? (now < 0 ? rows[0] : null);
    if (!next) return;
    const top = Number(next.dataset.place) * height();
    if (top < scroller.scrollTop) scroller.scrollTop = top - height();
    else if (top + 2 * height() > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + 2 * height() - scroller.clientHeight;
    const url = new URL(next.href);
    go({ infoset: url.searchParams.get("infoset"), of: url.searchParams.get("of") }, { replace: true });
  }
  scroller.addEventListener("keydown", (event) => {
    const name = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!name) return;
    key(name);
    event.preventDefault();
  });
  new ResizeObserver(() => total && draw()).observe(scroller);

  box.key = (name) => ["up", "down"].includes(name) && key(name);
  box.update = async () => {
    const now = JSON.stringify(wanted());
    players.value = wanted().player;
    order.value = wanted().order;
    if (asked !== now) {
      asked = now;
      parts = new Map([[0, null]]);
      scroller.scrollTop = 0;
      await read(0);
    } else draw();
    await showDetail();
  };
  return box;
}
