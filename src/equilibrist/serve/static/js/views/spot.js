// A solved spot of hold'em: the betting tree as a way of columns, the grid, the hands, run-outs, locks, comparison.
import { href, runPath } from "../app.js";
import { events, get, pathOf } from "../api.js";
import { actionColour } from "../colours.js";
import { clear, h, later } from "../dom.js";
import { chips, count, gapOf, percent } from "../format.js";
import { card, cardRow, cardText } from "../widgets/cards.js";
import { lineChart } from "../widgets/chart.js";
import { rangeGrid } from "../widgets/grid.js";
import { resolvePanel } from "../widgets/again.js";
import { byClass, equityCurve, gridCells, handColumns, handRows } from "../widgets/hands.js";
import { shortcuts } from "../widgets/keys.js";
import { lockEditor } from "../widgets/locks.js";
import { runOuts } from "../widgets/runouts.js";
import { mixBar, strip } from "../widgets/strip.js";
import { table } from "../widgets/table.js";
import { failed } from "../widgets/toast.js";

const MODES = { strategy: "Strategy", ev: "EV", equity: "Equity", range: "Range" };
const MOST_KEPT = 60;

export async function show(root, { params, query, navigate, signal }) {
  const { run } = params;
  const here = runPath(run, "spot");
  let about = await get(pathOf(run, "spot"), {}, { signal });
  document.title = `${about.board} · Equilibrist`;
  const kept = new Map(); // nodes by run, line and board
  let fields = query;
  let node = null;
  let before = null; // the same node of the run that this one is compared with; of what follows on `below` there
  let other = null; // what is known of that run
  let aim = 0; // the action that the keys point at
  let asked = 0;

  const to = (changes) => href(here, { ...Object.fromEntries(fields), ...changes });
  const go = (changes, options) => navigate(here, { ...Object.fromEntries(fields), ...changes }, options);
  const place = (line, board) => ({ line, board: laterCards(board), hand: "", tab: "" });
  const laterCards = (board) => (board ?? "").slice(about.board.length);
  const next = (action) =>
    `${node.line}${node.line ? (node.street !== lastStreet(node.steps, node.street) ? " | " : "-") : ""}${action}`;

  const head = h("header", { class: "spot-head" });
  const way = strip("The actions so far");
  const main = h("div", { class: "spot-main" });
  root.append(head, way, main);

  async function read(id, line, board) {
    const key = `${id}\n${line}\n${board}`;
    if (!kept.has(key)) {
      kept.set(key, await get(pathOf(id, "spot", "node"), { line, board }, { signal }));
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(key);
  }

  async function update({ query: wanted }) {
    fields = wanted;
    const mine = ++asked;
    const [line, board, vs, below] = ["line", "board", "vs", "below"].map((name) => fields.get(name) ?? "");
    try {
      const found = await read(run, line, board);
      if (vs && other?.run !== vs) other = await get(pathOf(vs, "spot"), {}, { signal });
      if (!vs) other = null;
      const there = [below, line].filter(Boolean).join("-");
      const compared = vs ? await read(vs, there, about.board + board).catch(() => null) : null;
      if (mine !== asked || signal.aborted) return;
      if (node !== found) aim = best(found);
      [node, before] = [found, compared];
      draw();
    } catch (error) {
      if (mine !== asked || signal.aborted) return;
      if (!node) throw error;
      failed(error);
    }
  }

  const best = (found) => {
    const shares = (found.next ?? []).map((one) => found.frequencies[one.action]);
    return Math.max(0, shares.indexOf(Math.max(...shares)));
  };

  // --- the head: where we are, how good it is ---

  function drawHead() {
    const tabs = [
      ["", "Strategy"],
      ["lock", "Lock"],
      ["again", "Re-solve"],
    ];
    const after = about.settings.after;
    clear(
      head,
      h("h1", {}, cardRow(node.board, { board: true }), h("span", { class: "sr" }, node.board)),
      h(
        "dl",
        { class: "stats" },
        stat("Pot", chips(node.pot)),
        stat("OOP / IP behind", node.stacks.map(chips).join(" / ")),
        node.to_call > 0 && stat("To call", chips(node.to_call)),
      ),
      after &&
        h("p", { class: "tag", title: `This run is a part of a spot: what follows after ${after}.` }, `after ${after}`),
      h("span", { class: "grow" }),
      h(
        "p",
        { class: "quality", title: about.guarantee },
        h("b", {}, gapOf(about)),
        " ",
        h("span", { class: "note" }, about.quality),
      ),
      node.kind === "decision" &&
        h(
          "div",
          { class: "segmented", role: "tablist", "aria-label": "What is shown" },
          tabs.map(([key, text]) =>
            h(
              "a",
              {
                class: "button small",
                role: "tab",
                "aria-selected": String((fields.get("tab") ?? "") === key),
                href: to({ tab: key }),
              },
              text,
            ),
          ),
        ),
      h("a", { class: "button small", href: `/play/${encodeURIComponent(run)}` }, "Play"),
      node.kind === "decision" &&
        h(
          "a",
          {
            class: "button small",
            href: href(`/train/${encodeURIComponent(run)}`, { line: node.line, board: laterCards(node.board) }),
          },
          "Train",
        ),
      h(
        "a",
        {
          class: "button small",
          href: href(
            `/take/${encodeURIComponent(run)}`,
            node.kind === "decision" ? { line: node.line, board: laterCards(node.board) && node.board } : {},
          ),
        },
        "Take along",
      ),
      h(
        "button",
        { class: "button small quiet", type: "button", onclick: () => keys.help(), "aria-label": "Keys" },
        "?",
      ),
      about.locks.length > 0 &&
        h("span", { class: "tag" }, `${about.locks.length} ${about.locks.length === 1 ? "lock" : "locks"}`),
      other && compared(),
    );
  }

  /** What both sides gain or lose against the run that this one is compared with. */
  function compared() {
    const change = (player) => {
      const gain = about.value[player] - other.value[player];
      return h(
        "b",
        {},
        `${about.players[player]} ${chips(about.value[player])} (${gain > 0 ? "+" : ""}${chips(gain)})`,
      );
    };
    const below = fields.get("below");
    const line = [below, node.line].filter(Boolean).join("-");
    const there = h(
      "a",
      { href: href(runPath(other.run, "spot"), { line, board: node.board.slice(other.board.length) }) },
      other.run,
    );
    const end = h("a", { href: to({ vs: "", below: "" }) }, "End the comparison");
    if (below !== null)
      return h(
        "p",
        { class: "card compared" },
        `Solved again after ${below}, with the ranges of `,
        there,
        "; its EVs and frequencies are those that the small numbers are measured from. ",
        end,
      );
    return h(
      "p",
      { class: "card compared" },
      "Compared with ",
      there,
      ", the whole spot is now worth ",
      change(0),
      " and ",
      change(1),
      " chips. ",
      end,
    );
  }

  const combos = (value) => (value < 99.5 ? chips(Math.round(10 * value) / 10) : count(value));
  const stat = (name, value) => h("div", { class: "stat" }, h("dt", {}, name), h("dd", {}, value));

  // --- the way ---

  function drawWay() {
    const columns = node.steps.map((step) => {
      if (step.kind === "deal") {
        const cards = laterCards(step.board).slice(0, -2);
        return {
          card: step.card,
          title: `${step.street}: ${cardText(step.card)}; choose another card`,
          href: to(place(lineBefore(step), about.board + cards)),
        };
      }
      return {
        title: about.players[step.player],
        note: `${step.street} · ${chips(step.pot)}`,
        href: to(place(step.line, step.board)),
        moves: step.actions.map((one) => ({
          label: one.action,
          title: titleOf(one),
          share: one.frequency,
          colour: actionColour(
            one.action,
            step.actions.map((each) => each.action),
          ),
          taken: one.action === step.chosen,
          href: to(place(joined(step, one.action), step.board)),
        })),
      };
    });
    if (node.kind === "decision") {
      columns.push({
        title: `${about.players[node.player]} acts`,
        note: `${node.street} · ${chips(node.pot)}`,
        moves: node.next.map((one, k) => ({
          label: one.action,
          title: titleOf(one),
          share: node.frequencies[one.action],
          colour: actionColour(one.action, node.actions),
          aim: k === aim,
          href: to(place(next(one.action), node.board)),
        })),
      });
    } else
      columns.push({
        title: { deal: `${node.next_street} to come`, unsolved: `${node.street} not kept` }[node.kind] ?? node.result,
        note: `pot ${chips(node.pot)}`,
      });
    way.update(columns);
  }

  const titleOf = (one) =>
    `${one.words}${one.next === "end" ? `: ${one.result}` : one.next === "deal" ? `, then the ${one.street}` : ""}`;
  const lineBefore = (step) => {
    const k = node.steps.indexOf(step);
    const last = node.steps[k - 1];
    return last ? joined(last, last.chosen) : "";
  };
  const joined = (step, action) => `${step.line}${step.line ? (startsStreet(step) ? " | " : "-") : ""}${action}`;
  const startsStreet = (step) => node.steps[node.steps.indexOf(step) - 1]?.kind === "deal";

  // --- the grid and the numbers ---

  const mode = h("div", { class: "segmented", role: "group", "aria-label": "What the grid shows" });
  const grid = rangeGrid({
    onSelect: (name) => go({ hand: name }, { replace: true }),
    label: "The 169 classes of hands",
  });
  const left = h("section", { class: "spot-grid" }, grid, h("div", { class: "toolbar" }, mode));
  const right = h("section", { class: "spot-side" });

  function drawDecision() {
    const player = fields.get("player") === null ? node.player : Number(fields.get("player"));
    const rows = handRows(node, player);
    const classes = byClass(rows);
    const own = player === node.player;
    let shown = fields.get("mode") ?? "strategy";
    if (!own && shown === "strategy") shown = "range";
    clear(
      mode,
      Object.entries(MODES).map(([key, text]) =>
        h(
          "button",
          {
            class: "button small",
            type: "button",
            disabled: key === "strategy" && !own,
            "aria-pressed": String(key === shown),
            onclick: () => go({ mode: key === "strategy" ? "" : key }, { replace: true }),
          },
          text,
        ),
      ),
    );
    grid.dataset.mode = shown;
    grid.update(gridCells(node, shown, classes));
    const hand = fields.get("hand") ?? "";
    if (hand) grid.select(hand);
    else for (const cell of grid.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
    clear(right, sides(player), own && actions(), hands(player, rows, hand));
    if (!main.contains(left)) clear(main, left, right);
  }

  /** Both players: EV, equity and EQR; a click shows the range. */
  function sides(player) {
    const held = (who) =>
      (who === node.player ? node.hands : node.other).range.reduce((sum, weight) => sum + weight, 0);
    return h(
      "div",
      { class: "sides", role: "tablist", "aria-label": "Whose range is shown" },
      about.players.map((name, who) =>
        h(
          "a",
          {
            class: "card side",
            role: "tab",
            "aria-selected": String(who === player),
            href: to({ player: who === node.player ? "" : who }),
          },
          h("h2", {}, name, who === node.player && h("span", { class: "tag live" }, "to act")),
          h(
            "dl",
            { class: "stats" },
            stat("EV", [chips(node.ev[who]), before?.ev && delta(node.ev[who] - before.ev[who])]),
            stat("of the pot", percent(node.ev[who] / node.pot)),
            stat("Equity", percent(node.equity[who])),
            stat("EQR", percent(node.eqr[who], 0)),
            stat("Combos", combos(held(who))),
          ),
        ),
      ),
    );
  }

  const delta = (value, show = chips, kind = value >= 0 ? "good" : "wrong") =>
    h("small", { class: kind }, ` ${value > 0 ? "+" : ""}${show(value)}`);

  /** The actions: how often each is played over the range, and what it earns on average where it is played. */
  function actions() {
    const colours = node.actions.map((action) => actionColour(action, node.actions));
    const shares = node.actions.map((action) => node.frequencies[action]);
    const { probability, range } = node.hands;
    const mean = (action) => {
      let [sum, weight] = [0, 0];
      probability.forEach((own, k) => {
        const played = own > 0 && node.hands[`ev ${action}`][k] !== null ? own * node.hands[action][k] : 0;
        if (!played) return;
        sum += played * node.hands[`ev ${action}`][k];
        weight += played;
      });
      return weight > 1e-9 ? sum / weight : null;
    };
    return h(
      "div",
      { class: "card actions" },
      mixBar(shares, colours, node.actions.map((action, k) => `${action} ${percent(shares[k])}`).join(", ")),
      h(
        "ul",
        { class: "plain-list" },
        node.next.map((one, k) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: to(place(next(one.action), node.board)), class: k === aim ? "aim" : "" },
              h("span", { class: "dot", css: { "--colour": colours[k] } }),
              h("kbd", {}, k + 1),
              h("b", {}, one.words),
              h(
                "span",
                { class: "note" },
                "BRA".includes(one.action[0]) ? `${percent(betShare(one.action), 0)} pot` : "",
              ),
              h(
                "span",
                { class: "num" },
                percent(shares[k]),
                before?.frequencies?.[one.action] !== undefined &&
                  delta(shares[k] - before.frequencies[one.action], percent, "note"),
              ),
              h(
                "span",
                { class: "num note" },
                `${combos(range.reduce((sum, own, n) => sum + own * (node.hands[one.action][n] ?? 0), 0))} combos`,
              ),
              h("span", { class: "num" }, h("span", { class: "note" }, "EV "), chips(mean(one.action))),
            ),
          ),
        ),
      ),
    );
  }

  const betShare = (action) =>
    Math.max(0, Number(action.slice(1)) - (node.to_call > 0 ? node.to_call : 0)) /
    (node.pot + (node.to_call > 0 ? node.to_call : 0));

  function hands(player, rows, hand) {
    const chart = fields.get("list") === "chart";
    const shown = hand ? rows.filter((row) => row.name === hand) : rows.filter((row) => row.range > 1e-6);
    const title = hand
      ? `${hand}: ${shown.length} ${shown.length === 1 ? "hand" : "hands"}`
      : `${about.players[player]}: ${count(shown.length)} hands`;
    return h(
      "div",
      { class: "spot-hands" },
      h(
        "div",
        { class: "toolbar" },
        h("h2", {}, title),
        hand &&
          h(
            "button",
            { class: "button small quiet", type: "button", onclick: () => go({ hand: "" }, { replace: true }) },
            "All hands",
          ),
        h("span", { class: "grow" }),
        h(
          "button",
          {
            class: "button small quiet",
            type: "button",
            "aria-pressed": String(chart),
            onclick: () => go({ list: chart ? "" : "chart" }, { replace: true }),
          },
          "Equity curves",
        ),
      ),
      chart
        ? lineChart({
            series: about.players.map((name, who) => ({
              name,
              points: equityCurve(handRows(node, who)),
              colour: `var(--cat-${who + 1})`,
            })),
            x: { label: "% of the range, best hands first", format: (value) => `${value.toFixed(0)} %` },
            y: { label: "equity, %", format: (value) => value.toFixed(0) },
            height: 250,
            title: "Equity of both ranges",
          })
        : table({
            columns: handColumns(node, player),
            rows: shown,
            key: (row) => row.hand,
            sort: { key: "ev", descending: true },
            label: title,
            height: "max(240px, calc(100vh - var(--above, 470px)))",
            empty: hand ? `${about.players[player]} does not hold ${hand} here.` : "No hand comes here.",
          }),
    );
  }

  /** The cards that may come, where the run has not the street that they begin. */
  function unsolvedCards() {
    const cards = node.cards.map(([name]) =>
      h("a", { href: to(place(node.line, node.board + name)), "aria-label": cardText(name) }, card(name)),
    );
    return h(
      "section",
      { class: "card notice" },
      h("h2", {}, `The ${node.next_street} of this run was not kept`),
      h("p", {}, "Choose a card, and what follows is solved again, with the ranges that come there."),
      h("p", { class: "pcs cards" }, cards),
    );
  }

  function draw() {
    drawHead();
    drawWay();
    if (node.kind === "unsolved" || (node.kind === "decision" && fields.get("tab") === "again"))
      clear(main, resolvePanel({ run, node, about, navigate, signal }));
    else if (node.kind === "deal" && !about.solved_streets.includes(node.next_street)) clear(main, unsolvedCards());
    else if (node.kind === "deal") {
      const cards = laterCards(node.board);
      clear(
        main,
        runOuts({
          run,
          line: node.line,
          board: cards,
          players: about.players,
          navigate,
          signal,
          to: (name) => to({ ...place(node.line, about.board + cards + name) }),
        }),
      );
    } else if (node.kind === "end") {
      clear(
        main,
        h(
          "section",
          { class: "card notice" },
          h("h2", {}, node.result === "showdown" ? "Showdown" : node.result),
          h("p", {}, `The pot is ${chips(node.pot)}. The hand is over here.`),
          h("p", {}, h("a", { href: back() }, "Back")),
        ),
      );
    } else if (fields.get("tab") === "lock") clear(main, lockEditor({ run, node, about, navigate, signal }));
    else drawDecision();
  }

  // --- keys ---

  const back = () => {
    const last = node.steps.at(-1);
    if (!last) return to(place("", ""));
    if (last.kind === "deal") return to(place(lineBefore(last), last.board.slice(0, -2)));
    return to(place(last.line, last.board));
  };
  const visit = (address) => {
    const url = new URL(address, location.href);
    return navigate(url.pathname, Object.fromEntries(url.searchParams));
  };
  const step = (by) => {
    const number = node.next?.length ?? 0;
    if (!number) return;
    aim = (aim + by + number) % number;
    drawWay();
    for (const [k, one] of [...right.querySelectorAll(".actions a")].entries()) one.classList.toggle("aim", k === aim);
  };
  const take = (k) => node.next?.[k] && visit(to(place(next(node.next[k].action), node.board)));
  const keys = shortcuts(signal, {
    ArrowUp: ["the action above", () => step(-1)],
    ArrowDown: ["the action below", () => step(1)],
    ArrowRight: ["take the action", () => take(aim)],
    ArrowLeft: ["back one action", () => visit(back())],
    b: ["back one action", () => visit(back())],
    Home: ["to the start", () => visit(to(place("", "")))],
    1: ["1 to 9: take that action", () => take(0)],
    ...Object.fromEntries([...Array(8).keys()].map((k) => [String(k + 2), [null, () => take(k + 1)]])),
    p: [
      "the other range",
      () =>
        node.kind === "decision" &&
        go({ player: fields.get("player") === null ? 1 - node.player : "" }, { replace: true }),
    ],
    m: [
      "the next thing that the grid shows",
      () => {
        const names = Object.keys(MODES);
        go({ mode: names[(names.indexOf(fields.get("mode") ?? "strategy") + 1) % names.length] }, { replace: true });
      },
    ],
    s: [
      "solve again from here",
      () => node.kind === "decision" && go({ tab: fields.get("tab") === "again" ? "" : "again" }),
    ],
    l: [
      "lock this decision",
      () => node.kind === "decision" && go({ tab: fields.get("tab") === "lock" ? "" : "lock" }),
    ],
    Escape: ["all hands", () => fields.get("hand") && go({ hand: "" }, { replace: true })],
  });

  // A run that is still being solved is looked at as it was saved last.
  const refresh = later(async () => {
    const found = await get(pathOf(run, "spot"), {}, { signal }).catch(() => null);
    if (!found || found.iterations === about.iterations) return;
    about = found;
    kept.clear();
    await update({ query: fields });
  }, 400);
  events(
    (event) =>
      (event.type === "checkpoint" && event.job === run) || (event.type === "job" && event.job?.id === run)
        ? refresh()
        : null,
    { signal },
  );

  await update({ query });
  return { update };
}

/** Return the street of the last decision on the way, or the one given. */
function lastStreet(steps, street) {
  const last = steps.at(-1);
  return last?.kind === "deal" ? null : (last?.street ?? street);
}
