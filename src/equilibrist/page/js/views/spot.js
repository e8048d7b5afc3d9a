// A solved spot of hold'em: the betting tree as a way of columns, the grid, the hands, run-outs, locks, comparison.
import { href, runPath } from "../base/address.js";
import { events, get } from "../base/api.js";
import { clear, h, later, relink, remembered } from "../base/dom.js";
import { amount, useUnit } from "../base/units.js";
import { card, cardText } from "../cards/cards.js";
import { lineColumns } from "../cards/line-columns.js";
import { shortcuts } from "../parts/keys.js";
import { failed } from "../parts/toast.js";
import { notePanel, notesOfRun, notesTag } from "../poker/decision-notes.js";
import { lockEditor } from "../poker/locks.js";
import { runOuts } from "../poker/runouts.js";
import { decisionPanel, MODES, playerOf } from "../poker/spot-decision.js";
import { drawHead, tabOf, wayColumns } from "../poker/spot-head.js";
import { commonest, lineOn, placeBefore } from "../poker/spot-lines.js";
import { exploitPanel } from "../runs/exploit-panel.js";
import { resolvePanel } from "../runs/rerun.js";

/** @import { GET, SpotOverview } from "../base/answers.js" */

const MOST_KEPT = 60;
const OF_HANDS = ["only", "hand", "list", "rare", "mode"]; // fields that only choose what is told of the hands

export async function show(root, { params, query, navigate, signal }) {
  const view = await makeView({ run: params.run, query, navigate, signal });
  const head = h("header", { class: "spot-head" });
  const way = lineColumns("The actions so far");
  const main = h("div", { class: "spot-main" });
  const decision = decisionPanel(view.go);
  root.append(head, way, main);
  const [around, work] = [remembered(), remembered()];
  let asked = 0;

  let drawn = query; // the fields of the place that is shown

  async function update({ query: wanted }) {
    view.fields = wanted;
    const mine = ++asked;
    try {
      const found = await view.read();
      if (mine !== asked || signal.aborted) return;
      if (view.node !== found.node) view.aim = commonest(found.node);
      Object.assign(view, found);
      useUnit(wanted, view.about.settings);
      draw();
      drawn = wanted;
    } catch (error) {
      if (mine !== asked || signal.aborted) return;
      view.fields = drawn;
      throw error;
    }
  }

  function draw() {
    const others = [...view.fields].filter(([name]) => !OF_HANDS.includes(name)).join("&");
    around([view.node, view.before, view.other, view.about, others], () => {
      drawHead(head, view, keys.help);
      way.update(wayColumns(view));
      return true;
    });
    relink(head);
    relink(way);
    const shown = panel(view, work);
    main.classList.toggle("decides", !shown);
    if (!shown) decision.update(view);
    clear(main, shown ?? decision.parts);
  }

  const keys = shortcuts(
    signal,
    keysOf(view, () => {
      way.update(wayColumns(view));
      for (const [k, one] of [...main.querySelectorAll(".actions a")].entries())
        one.classList.toggle("aim", k === view.aim);
    }),
  );

  // A run that is still being solved is looked at as it was saved last.
  const refresh = later(async () => {
    if (await view.renew()) await update({ query: view.fields }).catch(failed);
  }, 400);
  const { run } = params;
  const ofThis = (event) =>
    (event.type === "checkpoint" && event.job === run) || (event.type === "job" && event.job.id === run);
  events((event) => ofThis(event) && refresh(), { signal });

  await update({ query });
  return { update };
}

/**
 * Return what is shown, and where it leads: `about` is the run, `node` the place, `other` and `before` the run that it is
 * compared with and the same place there, `fields` the query of the address, `aim` the action that the keys point at.
 */
async function makeView({ run, query, navigate, signal }) {
  const kept = new Map(); // nodes by run, line and board
  const overview = (id) => get("/runs/{run}/spot", { run: id }, { signal });
  const here = runPath(run, "spot");
  const all = (changes) => ({ ...Object.fromEntries(view.fields), ...changes });

  async function node(id, line, board) {
    const key = `${id}\n${line}\n${board}`;
    if (!kept.has(key)) {
      kept.set(key, await get("/runs/{run}/spot/node", { run: id, line, board }, { signal }));
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(key);
  }

  /** Return what the filter of the address leaves of a node of Omaha, or why it leaves nothing; of hold'em the page itself filters. */
  async function filtered(node) {
    const only = view.fields.get("only");
    if (view.about.hole_cards !== 4 || !only || node.kind !== "decision") return { part: null, problem: null };
    const player = Number(view.fields.get("player") ?? node.player);
    const { line, board } = node;
    const question = { line, board, player, only, unit: unitOfFilter(view.fields) };
    const key = JSON.stringify(question);
    if (!kept.has(key)) kept.set(key, await filterNode(run, node, question, signal));
    return kept.get(key);
  }

  const notes = notesOfRun(run, signal);
  const toNote = ({ line, board }) => view.to(view.place(line, board));
  const view = {
    run,
    note: notePanel(notes),
    noted: notesTag(notes, { run, to: toNote, visit: (address) => view.visit(address) }),
    navigate,
    signal,
    about: await overview(run),
    fields: query,
    /** @type {GET["/runs/{run}/spot/node"] | null} */
    node: null,
    /** @type {GET["/runs/{run}/spot/node"] | null} */
    before: null,
    /** @type {SpotOverview | null} */
    other: null,
    /** @type {any} what a filter leaves of a node of Omaha, where there is one */
    part: null,
    /** @type {string | null} why a filter leaves nothing */
    problem: null,
    aim: 0,
    /** Return the address of this view with other fields; go there. */
    to: (changes) => href(here, all(changes)),
    go: (changes, options) => navigate(here, all(changes), options),
    /** Return the fields of a place, whose board is given whole or from the first card that is dealt on. */
    place: (line, board) => ({ line, board: view.later(board), hand: "", tab: "" }),
    later: (board) => board.slice(view.about.board.length),
    visit(address) {
      const url = new URL(address, location.href);
      return navigate(url.pathname, Object.fromEntries(url.searchParams));
    },
    /** Return the place of the fields, and what it is compared with. */
    async read() {
      const [line, board, vs, below] = ["line", "board", "vs", "below"].map((name) => view.fields.get(name) ?? "");
      const found = await node(run, line, board);
      if (found.kind === "decision") checkPlayer(view.fields.get("player"), view.about.players);
      const other = vs ? (view.other?.run === vs ? view.other : await overview(vs)) : null;
      const there = [below, line].filter(Boolean).join("-");
      const before = vs ? await node(vs, there, view.about.board + board).catch(() => null) : null;
      return { node: found, other, before, ...(await filtered(found)) };
    },
    /** Read a run that is still being solved again; return whether it has changed. */
    async renew() {
      const found = await overview(run).catch(() => null);
      if (!found || found.iterations === view.about.iterations) return false;
      view.about = found;
      kept.clear();
      return true;
    },
  };
  document.title = `${view.about.board} · Equilibrist`;
  return view;
}

/** Refuse the number of a player, as the address has it, that there is not; null is of who decides. */
function checkPlayer(player, players) {
  const numbers = [...players.keys()];
  if (player === null || numbers.some((number) => String(number) === player)) return;
  throw new Error(`player must be a whole number from 0 to ${numbers.at(-1)}; got '${player}'.`);
}

/** Return the unit in which a filter of an address writes EVs, as the API takes it. */
function unitOfFilter(fields) {
  const [unit, blind] = [fields.get("unit") ?? "chips", fields.get("bb")];
  return unit === "bb" && blind ? `bb=${blind}` : unit;
}

/** Return a node with the hands of a player that pass a filter, as `part`; where none can pass, why, as `problem`. */
async function filterNode(run, node, question, signal) {
  try {
    const { player, hands, cells } = await get("/runs/{run}/spot/filter", { run, ...question }, { signal });
    const instead = (all, own) => all.map((one, who) => (who === player ? own : one));
    const isOwn = player === node.player;
    const tables = isOwn ? { hands } : { others: instead(node.others, hands) };
    return { part: { ...node, ...tables, cells: instead(node.cells, cells) }, problem: null };
  } catch (error) {
    if (error.status !== 400) throw error;
    return { part: null, problem: error.message.replace(/^filter: /, "") };
  }
}

/**
 * Return what stands below the way where that is no decision, or another tab than its strategy; or null. What somebody has
 * begun there is `work`, which is remembered for its place: another unit, or a newer save of the run, takes nothing away.
 */
function panel(view, work) {
  const { run, node, about, navigate, signal, fields, to, place } = view;
  const tab = node.kind === "decision" ? tabOf({ about, fields }) : "";
  if (node.kind === "unsolved" && about.hole_cards === 4) return notKept(node);
  const kind = node.kind === "unsolved" || tab === "again" ? "again" : tab;
  if (kind === "exploit")
    return work([kind], () => exploitPanel({ run, names: about.players, spot: true, navigate, signal }));
  const begun = { again: resolvePanel, lock: lockEditor }[kind];
  if (begun) return work([kind, node.line, node.board], () => begun({ run, node, about, navigate, signal }));
  if (node.kind === "deal") {
    const next = (name) => to(place(node.line, node.board + name));
    if (!about.solved_streets.includes(node.next_street)) return unsolvedCards(node, next);
    const list = work(["run-outs", node.line, node.board], () =>
      runOuts({ run, node, about, board: view.later(node.board), to: next, go: view.go, navigate, signal }),
    );
    const [only, player] = [(fields.get("only") ?? "").trim(), fields.get("player")];
    list.update({ only, player, unit: unitOfFilter(fields), iterations: view.about.iterations });
    return list;
  }
  return node.kind === "end" ? handOver(view) : null;
}

/** Return the cards that may come, where the run has not the street that they begin. */
const unsolvedCards = (node, next) =>
  h(
    "section",
    { class: "card notice" },
    h("h2", {}, `The ${node.next_street} of this run was not kept`),
    h("p", {}, "Choose a card, and what follows is solved again, with the ranges that come there."),
    h(
      "p",
      { class: "pcs cards" },
      node.cards.map(([name]) => h("a", { href: next(name), "aria-label": cardText(name) }, card(name))),
    ),
  );

/** Return what is said of a street of Omaha that the run has not, which the page does not solve again. */
const notKept = (node) =>
  h(
    "section",
    { class: "card notice" },
    h("h2", {}, `The ${node.street} of this run was not kept`),
    h("p", {}, "The command equilibrist resolve solves it again."),
  );

const handOver = ({ node, to, place }) => {
  const { line, board } = placeBefore(node);
  return h(
    "section",
    { class: "card notice" },
    h("h2", {}, node.result === "showdown" ? "Showdown" : node.result),
    h("p", {}, `The pot is ${amount(node.pot)}. The hand is over here.`),
    h("p", {}, h("a", { href: to(place(line, board)) }, "Back")),
  );
};

/** Return the player after the one whose range is shown; nothing for who acts. */
function otherPlayer(view) {
  const next = (playerOf(view) + 1) % view.about.players.length;
  return next === view.node.player ? "" : next;
}

/** Return the keys of a view; `onAim` is told when they point at another action. */
function keysOf(view, onAim) {
  const { to, go, place, visit } = view;
  const decides = () => view.node.kind === "decision";
  const back = () => {
    const { line, board } = placeBefore(view.node);
    return visit(to(place(line, board)));
  };
  const step = (by) => {
    const number = view.node.next?.length ?? 0;
    if (!number) return;
    view.aim = (view.aim + by + number) % number;
    onAim();
  };
  const take = (k) => {
    const action = view.node.next?.[k]?.action;
    return action && visit(to(place(lineOn(view.node, action), view.node.board)));
  };
  const isOfTwo = view.about.players.length === 2;
  const isOmaha = view.about.hole_cards === 4;
  const tab = (name) =>
    decides() && !isOmaha && (isOfTwo || name === "lock") && go({ tab: view.fields.get("tab") === name ? "" : name });
  const names = Object.keys(MODES);
  return {
    ArrowUp: ["the action above", () => step(-1)],
    ArrowDown: ["the action below", () => step(1)],
    ArrowRight: ["take the action", () => take(view.aim)],
    ArrowLeft: ["back one action", back],
    b: ["back one action", back],
    Home: ["to the start", () => visit(to(place("", "")))],
    1: ["1 to 9: take that action", () => take(0)],
    ...Object.fromEntries([...Array(8).keys()].map((k) => [String(k + 2), [null, () => take(k + 1)]])),
    p: ["the other range", () => decides() && go({ player: otherPlayer(view) }, { replace: true })],
    m: [
      "the next thing that the grid shows",
      () => {
        const mode = view.fields.get("mode") || names[0];
        go({ mode: names[(names.indexOf(mode) + 1) % names.length] }, { replace: true });
      },
    ],
    s: ["solve again from here", () => tab("again")],
    l: ["lock this decision", () => tab("lock")],
    x: ["exploit an opponent", () => tab("exploit")],
    Escape: ["all hands", () => view.fields.get("hand") && go({ hand: "" }, { replace: true })],
  };
}
