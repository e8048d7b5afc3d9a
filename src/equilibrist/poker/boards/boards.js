// Sorts, filters and averages the boards of a report, and draws their bars and grids of hands.
import { actionColour } from "../../page/js/base/colours.js";
import { h, svg } from "../../page/js/base/dom.js";
import { cardText, RANKS } from "../../page/js/cards/cards.js";
import { rangeGrid } from "../../page/js/cards/grid.js";

const { players, lines, boards } = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("boards");
const state = { line: 0, sort: "weight", down: true, chosen: null };
const ANY = "any";

for (const one of lines) one.colours = one.actions.map((action) => actionColour(action, one.actions));

const distinct = (name) => [...new Set(boards.map((board) => String(board[name])))];
const filters = {
  suits: distinct("suits"),
  pairing: distinct("pairing"),
  connected: ["connected", "not connected"],
  high: [...RANKS].filter((rank) => boards.some((board) => board.high === rank)),
};
const selects = Object.fromEntries(
  Object.entries(filters).map(([name, values]) => [
    name,
    h(
      "select",
      { "aria-label": name, onchange: draw },
      [ANY, ...values].map((value) => h("option", {}, value)),
    ),
  ]),
);
const search = h("input", { type: "search", placeholder: "such as Kh or 77", "aria-label": "cards", oninput: draw });
const line = h(
  "select",
  {
    "aria-label": "decision",
    onchange: () => {
      state.line = line.selectedIndex;
      draw();
    },
  },
  lines.map((one) => h("option", {}, `${players[one.player]} ${one.line ? "after " + one.line : "at the start"}`)),
);
const place = h("div");
root.append(
  h(
    "div",
    { class: "filters" },
    h("label", {}, "decision", line),
    Object.entries(selects).map(([name, select]) => h("label", {}, name === "high" ? "high card" : name, select)),
    h("label", {}, "cards", search),
  ),
  place,
);

function shownBoards() {
  const at = lines[state.line].line;
  const words = search.value.trim().split(/\s+/).filter(Boolean);
  return boards.filter(
    (board) =>
      board.nodes[at] &&
      Object.entries(selects).every(([name, select]) => {
        if (select.value === ANY) return true;
        return name === "connected"
          ? board.connected === (select.value === "connected")
          : String(board[name]) === select.value;
      }) &&
      words.every((word) => has(board.board, word)),
  );
}

// Whether a board has the cards (Kh) or ranks (77) of a word, each as often as it is there.
function has(board, word) {
  const cards = board.match(/../g),
    wanted = word.match(/[2-9TJQKA][cdhs]?/gi) ?? [];
  return wanted.every((token) => {
    const rank = token[0].toUpperCase(),
      suit = (token[1] ?? "").toLowerCase();
    const found = cards.findIndex((card) => card[0] === rank && (!suit || card[1] === suit));
    return found >= 0 && cards.splice(found, 1);
  });
}

const known = (number) => (number === null || Number.isNaN(number) ? "–" : null);
const chips = (number) => known(number) ?? number.toFixed(2);
const percent = (number) => known(number) ?? (100 * number).toFixed(1);

function columns(one) {
  const found = [
    ["board", (board) => board.board, null],
    ["weight", (board) => board.weight, (value) => String(+value.toFixed(2))],
  ];
  const value = (name, who) => (board) => board.nodes[one.line][name][who];
  one.actions.forEach((action, at) => found.push([`${action} %`, (board) => board.nodes[one.line].mix[at], percent]));
  for (const [name, label, show] of [
    ["ev", "EV", chips],
    ["equity", "equity %", percent],
    ["eqr", "EQR %", percent],
  ])
    players.forEach((player, who) => found.push([`${player} ${label}`, value(name, who), show]));
  found.push(["exploit. %", (board) => board.exploitability, (number) => known(number) ?? number.toPrecision(2)]);
  return found;
}

function mean(list, one, of) {
  let sum = 0,
    total = 0;
  for (const board of list) {
    const weight = board.weight * board.nodes[one.line].mass,
      value = of(board);
    if (weight > 0 && value !== null) {
      sum += weight * value;
      total += weight;
    }
  }
  return total > 0 ? sum / total : null;
}

function means(list, one, all) {
  const found = all.map(([name, of]) => (name === "board" || name === "weight" ? null : mean(list, one, of)));
  const at = (name) => all.findIndex(([label]) => label === name);
  for (const player of players) {
    const [ev, equity] = [found[at(`${player} EV`)], found[at(`${player} equity %`)]];
    found[at(`${player} EQR %`)] = equity > 1e-6 ? ev / (equity * one.pot) : null;
  }
  found[1] = list.reduce((sum, board) => sum + board.weight, 0);
  return found;
}

const cards = (name) => name.match(/../g).map((card) => h("span", { class: card[1] }, cardText(card)));
const bar = (mix, one) =>
  h(
    "span",
    { class: "bar", "aria-hidden": "true" },
    mix.map((share, at) => h("i", { css: { flex: share, background: one.colours[at] } })),
  );

function draw() {
  const one = lines[state.line],
    all = columns(one),
    list = shownBoards();
  const sorted = all.find(([name]) => name === state.sort) ?? all[1];
  const key = sorted[0] === "board" ? (board) => boards.indexOf(board) : sorted[1];
  list.sort((a, b) => ((key(a) ?? -Infinity) < (key(b) ?? -Infinity) ? -1 : 1) * (state.down ? -1 : 1));
  if (!list.includes(state.chosen)) state.chosen = null;
  const average = means(list, one, all);
  const head = h(
    "tr",
    {},
    all.map(([name]) =>
      h(
        "th",
        {
          scope: "col",
          class: name === "board" ? null : "n",
          "aria-sort": name === sorted[0] ? (state.down ? "descending" : "ascending") : null,
        },
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              state.down = state.sort === name ? !state.down : name !== "board";
              state.sort = name;
              draw();
            },
          },
          name,
        ),
      ),
    ),
  );
  head.firstChild.after(h("th", {}, "plays"));
  const first = all.findIndex(([name]) => name === `${one.actions[0]} %`);
  const top = h(
    "tr",
    { class: "mean" },
    all.map(([name, , show], at) =>
      h(
        "td",
        { class: name === "board" ? null : "n" },
        name === "board" ? `mean of ${list.length}` : average[at] === null ? "–" : show(average[at]),
      ),
    ),
  );
  top.firstChild.after(
    h(
      "td",
      {},
      bar(
        average.slice(first, first + one.actions.length).map((share) => share ?? 0),
        one,
      ),
    ),
  );
  const rows = list.map((board) => {
    const row = h(
      "tr",
      {
        "aria-selected": board === state.chosen ? "true" : null,
        tabindex: 0,
        onclick: () => {
          state.chosen = state.chosen === board ? null : board;
          draw();
        },
        onkeydown: (event) => {
          if (event.key === "Enter") {
            state.chosen = state.chosen === board ? null : board;
            draw();
          }
        },
      },
      all.map(([name, of, show]) =>
        h("td", { class: name === "board" ? null : "n" }, name === "board" ? cards(board.board) : show(of(board))),
      ),
    );
    row.firstChild.after(h("td", {}, bar(board.nodes[one.line].mix, one)));
    return row;
  });
  const legend = h(
    "div",
    { class: "legend" },
    one.actions.map((action, at) => {
      const square = h("i", { css: { background: one.colours[at] } });
      return h("span", {}, square, `${action} ${one.words[at]}: ${percent(average[first + at])} %`);
    }),
  );
  const scroll = place.querySelector(".scroll")?.scrollTop ?? 0;
  place.replaceChildren(
    legend,
    chart(list, one),
    h(
      "div",
      { class: "both" },
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, top, rows))),
      grid(list, one),
    ),
  );
  place.querySelector(".scroll").scrollTop = scroll;
}

// A stacked bar for each board, in the order of the table.
function chart(list, one) {
  const gap = list.length > 300 ? 0 : 0.08;
  const columns = list.map((board, x) => {
    const mix = board.nodes[one.line].mix;
    const words = one.actions.map((action, at) => `${action} ${percent(mix[at])} %`).join(", ");
    let y = 100;
    const parts = mix.map((share, at) => {
      y -= 100 * share;
      return svg("rect", {
        x: x + gap,
        y,
        width: 1 - 2 * gap,
        height: 100 * share,
        css: { fill: one.colours[at] },
      });
    });
    const choose = () => {
      state.chosen = board;
      draw();
    };
    return svg("g", { onclick: choose }, svg("title", {}, `${board.board}: ${words}`), parts);
  });
  return svg(
    "svg",
    {
      viewBox: `0 0 ${Math.max(1, list.length)} 100`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "what is played on each board, in the order of the table",
    },
    columns,
  );
}

// What each class of hands plays: on the board that is chosen, or in the mean over those shown.
function grid(list, one) {
  const from = state.chosen ? [state.chosen] : list;
  if (!boards.some((board) => board.nodes[one.line]?.classes))
    return h("p", { class: "note" }, "Hands by class are in classes.parquet: for a page there are too many.");
  const total = new Map();
  for (const board of from) {
    const node = board.nodes[one.line];
    for (const [name, [probability, ev, equity, ...mix]] of Object.entries(node.classes ?? {})) {
      const weight = board.weight * node.mass * probability,
        sum = total.get(name) ?? { weight: 0, ev: 0, equity: 0, mix: mix.map(() => 0) };
      sum.weight += weight;
      sum.ev += weight * ev;
      sum.equity += weight * equity;
      mix.forEach((share, at) => {
        sum.mix[at] += weight * share;
      });
      total.set(name, sum);
    }
  }
  const cells = new Map();
  for (const [name, sum] of total) {
    const mix = sum.mix.map((part) => part / sum.weight);
    const words = one.actions.map((action, at) => `${action} ${percent(mix[at])} %`).join(", ");
    cells.set(name, {
      segments: mix.map((share, at) => ({ share, colour: one.colours[at] })),
      title: `${name}: ${words}; EV ${chips(sum.ev / sum.weight)}, equity ${percent(sum.equity / sum.weight)} %`,
    });
  }
  const title = state.chosen ? cards(state.chosen.board) : [`mean of ${list.length} boards`];
  return h(
    "div",
    {},
    h("h3", {}, `${players[one.player]}, hands by class: `, title),
    h("div", { class: "hands" }, rangeGrid({ cells, label: "The 169 classes of hands" })),
  );
}

draw();
