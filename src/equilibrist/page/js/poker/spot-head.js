// The head of a spot: where the place is, how good the solution is, what else can be done; and the way that led there.
import { href, runPath } from "../base/address.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { amount, ev, evChange, unitSwitch } from "../base/units.js";
import { cardRow, cardText } from "../cards/cards.js";
import { quality, stat } from "../parts/stats.js";
import { carriedFields } from "../runs/carried.js";
import { lockTag } from "./lock-list.js";
import { lineBefore, lineOf, lineOn } from "./spot-lines.js";

/** What a run of three ranges has not: it is looked at, played, and saved. */
const OF_TWO = ["again", "exploit"];
const OF_TWO_CARDS = ["lock", ...OF_TWO];
const TABS = { "": "Strategy", lock: "Lock", again: "Re-solve", exploit: "Exploit" };

/** Return the tabs that a run has not. @param {{players: string[], hole_cards: number}} about */
function lackingOf({ players, hole_cards }) {
  if (hole_cards === 4) return OF_TWO_CARDS;
  return players.length > 2 ? OF_TWO : [];
}

/**
 * Return the tab that an address asks for: that of the strategy where a run has no such one.
 *
 * @param {{about: {players: string[], hole_cards: number}, fields: URLSearchParams}} view
 */
export function tabOf({ about, fields }) {
  const tab = fields.get("tab") ?? "";
  return lackingOf(about).includes(tab) ? "" : tab;
}

/** Draw the head of a view of a spot (views/spot.js); `help` shows the keys. */
export function drawHead(head, view, help) {
  const { about, node, other } = view;
  const { after } = about.settings;
  clear(
    head,
    h("h1", {}, cardRow(node.board, { board: true }), h("span", { class: "sr" }, node.board)),
    h(
      "dl",
      { class: "stats" },
      stat("Pot", amount(node.pot)),
      stat(`${about.players.join(" / ")} behind`, node.stacks.map(amount).join(" / ")),
      node.to_call > 0 && stat("To call", amount(node.to_call)),
    ),
    after &&
      h("p", { class: "tag", title: `This run is a part of a spot: what follows after ${after}.` }, `after ${after}`),
    h("span", { class: "grow" }),
    quality(about),
    unitSwitch((changes) => view.go(changes, { replace: true })),
    links(view),
    h("button", { class: "button small quiet", type: "button", onclick: help, "aria-label": "Keys" }, "?"),
    about.folded && h("p", { class: "note folded" }, `Dealt with ${about.folded}.`),
    about.locks.length > 0 && lockTag(about.locks),
    view.noted,
    other && compared(view),
  );
}

/** Return the tabs of a decision, and where else the run leads. */
function links({ run, about, node, other, to, fields }) {
  const shown = tabOf({ about, fields });
  const id = encodeURIComponent(run);
  const decides = node.kind === "decision";
  const later = node.board.slice(about.board.length);
  const isOfTwo = about.players.length === 2;
  const isOmaha = about.hole_cards === 4;
  const link = (text, address) => h("a", { class: "button small", href: address }, text);
  const tab = ([key, text]) =>
    h(
      "a",
      {
        class: "button small",
        role: "tab",
        "aria-selected": String(shown === key),
        href: () => to({ tab: key }),
      },
      text,
    );
  const lacking = lackingOf(about);
  const tabs = Object.entries(TABS).filter(([key]) => !lacking.includes(key));
  return [
    decides &&
      !isOmaha &&
      h("div", { class: "segmented", role: "tablist", "aria-label": "What is shown" }, tabs.map(tab)),
    isOmaha && link("Infosets", runPath(run)),
    decides &&
      isOfTwo &&
      !isOmaha &&
      link("Side by side", href("/side", besideOf({ run, about, node, other, fields }))),
    isOfTwo &&
      !about.settings.after &&
      about.carried &&
      link(
        "Edit the tree",
        href("/new/spot", { spot: JSON.stringify(about.settings), line: node.line, ...carriedFields(about.carried) }),
      ),
    link("Play", `/play/${id}`),
    isOmaha && link("Train", `/train/${id}`),
    decides && isOfTwo && !isOmaha && link("Train", href(`/train/${id}`, { line: node.line, board: later })),
    link("Export", href(`/export/${id}`, decides ? { line: node.line, board: later && node.board } : {})),
  ];
}

/**
 * Return what stands side by side: the decision in this run and in the one that it is compared with; without one, this
 * decision twice, of which the second is chosen there.
 */
export function besideOf({ run, about, node, other, fields }) {
  const place = { line: node.line, board: node.board.slice(about.board.length) };
  if (!other) return { run: [run, run], ...place };
  const below = fields.get("below");
  const second =
    below === null
      ? {}
      : { line2: [below, node.line].filter(Boolean).join("-"), board2: node.board.slice(other.board.length) };
  return { run: [run, other.run], ...place, ...second };
}

/** Return what both sides gain or lose against the run that this one is compared with. */
function compared({ about, node, other, fields, to }) {
  const below = fields.get("below");
  const change = (player) => {
    const gain = about.value[player] - other.value[player];
    return h(
      "b",
      {},
      `${about.players[player]} ${ev(about.value[player], about.pot)} (${gain > 0 ? "+" : ""}${evChange(gain, about.pot)})`,
    );
  };
  const place = { line: [below, node.line].filter(Boolean).join("-"), board: node.board.slice(other.board.length) };
  const there = h("a", { href: href(runPath(other.run, "spot"), place) }, other.run);
  const end = h("a", { href: () => to({ vs: "", below: "" }) }, "End the comparison");
  return h(
    "p",
    { class: "card compared" },
    below === null
      ? [
          "Compared with ",
          there,
          ", the whole spot is now worth ",
          about.players.map((_, who) => [who ? ", " : "", change(who)]),
          ". ",
        ]
      : [
          `Solved again after ${below}, with the ranges of `,
          there,
          "; its EVs and frequencies are those that the small numbers are measured from. ",
        ],
    end,
  );
}

/** Return the columns of the way to a place: each decision with all its actions, and the cards between them. */
export function wayColumns(view) {
  const { about, node, aim, to, place } = view;
  const columns = node.steps.map((step, k) => {
    if (step.kind === "deal") {
      return {
        card: step.card,
        title: `${step.street}: ${cardText(step.card)}; choose another card`,
        href: () => to(place(lineBefore(node, k), step.board.slice(0, -2))),
      };
    }
    const labels = step.actions.map((one) => one.action);
    return {
      title: about.players[step.player],
      note: `${step.street} · ${amount(step.pot)}`,
      href: () => to(place(step.line, step.board)),
      moves: step.actions.map((one) => ({
        label: one.action,
        title: titleOf(one),
        share: one.frequency,
        colour: actionColour(one.action, labels),
        taken: one.action === step.chosen,
        href: () => to(place(lineOf(node, k, one.action), step.board)),
      })),
    };
  });
  if (node.kind === "decision") {
    columns.push({
      title: `${about.players[node.player]} acts`,
      note: `${node.street} · ${amount(node.pot)}`,
      moves: node.next.map((one, k) => ({
        label: one.action,
        title: titleOf(one),
        share: node.frequencies[one.action],
        colour: actionColour(one.action, node.actions),
        aim: k === aim,
        href: () => to(place(lineOn(node, one.action), node.board)),
      })),
    });
  } else
    columns.push({
      title: { deal: `${node.next_street} to come`, unsolved: `${node.street} not kept` }[node.kind] ?? node.result,
      note: `pot ${amount(node.pot)}`,
    });
  return columns;
}

const titleOf = (one) =>
  `${one.words}${one.next === "end" ? `: ${one.result}` : one.next === "deal" ? `, then the ${one.street}` : ""}`;
