// A table at which a hand is played: cards, chips and words, the choices, and afterwards what each of them cost.
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { inWords } from "../base/words.js";
import { infosetInWords } from "../infosets/infoset-name.js";
import { countdown } from "../parts/countdown.js";
import { reviewOf, verdict } from "./review.js";
import { amount } from "./score.js";
import { backs, chipsOf, faceOf, middle, ownRow, publicRows, seat } from "./seats.js";

/** @import { LastHand, TableState, Turn } from "../base/answers.js" */

const FEW = 6; // moves that are told before a choice
const NOT_OURS = "input, select, textarea, a, summary, button:not(.choice)";

const nameOf = (player, own, players) => (player === own ? "You" : players === 2 ? "Opponent" : `Player ${player}`);
/** @param {TableState} state */
const seatsOf = (state) => Array.from({ length: state.players }, (_, player) => player);
const others = (seats) => seats.length > 0 && h("div", { class: "others" }, seats);

/**
 * Return the cloth while somebody is asked: nothing of the others' hands is seen.
 *
 * @param {TableState} state
 * @param {Turn} turn
 */
function clothOfTurn(state, { table, seat: own }) {
  const coins = chipsOf(table, own, state.players);
  const opponents = seatsOf(state).filter((player) => player !== own);
  return [
    others(opponents.map((player) => seat(nameOf(player, own, state.players), coins.text(player), backs(table)))),
    middle(table, { without: coins.labels }),
    h("div", { class: "you" }, seat("You", coins.text(own) ?? `player ${own}`, faceOf(ownRow(table)))),
  ];
}

/**
 * Return the cloth after a hand: what each player held at the last choice, and the cards that came afterwards.
 *
 * @param {TableState} state
 * @param {LastHand} hand
 */
function clothOfEnd(state, hand) {
  const last = new Map();
  hand.moves.forEach((move, step) => move.player >= 0 && last.set(move.player, { move, step }));
  const newest = Math.max(-1, ...[...last.values()].map((one) => one.step));
  const afterwards = hand.moves.slice(newest + 1).filter((move) => move.player < 0);
  const face = (player) => faceOf(ownRow(last.get(player)?.move.table ?? []));
  const result = (player) => (hand.payoffs.length ? amount(hand.payoffs[player], state) : null);
  const opponents = seatsOf(state).filter((player) => player !== hand.seat);
  return [
    others(opponents.map((player) => seat(nameOf(player, hand.seat, state.players), result(player), face(player)))),
    middle(publicRows(newest >= 0 ? last.get(hand.moves[newest].player).move.table : []), {
      later: afterwards.map((move) => move.taken),
    }),
    h("div", { class: "you" }, seat("You", `player ${hand.seat}`, face(hand.seat))),
  ];
}

/**
 * Return the moves so far in words.
 *
 * @param {{player: number, action: string, actions?: string[]}[]} moves
 */
const told = (moves, own, players) =>
  moves.map(({ player, action, actions }) =>
    player < 0
      ? `[${action}]`
      : `${nameOf(player, own, players)}: ${inWords(action, actions ?? [action]).toLowerCase()}`,
  );

/**
 * @param {TableState} state
 * @param {Turn} turn
 */
function sayTurn(state, turn) {
  const log = told(turn.moves, turn.seat, state.players);
  return [
    h("p", { class: "lead" }, h("strong", {}, `Hand ${turn.hand}. `), log.slice(-FEW).join(", ") || "Your move."),
    h(
      "p",
      { class: "note" },
      turn.random && [h("strong", { class: "random" }, `Random number ${turn.random}`), " of 100. "],
      "You know ",
      infosetInWords(turn.infoset),
    ),
  ];
}

/**
 * @param {TableState} state
 * @param {LastHand} hand
 */
function sayEnd(state, hand) {
  const played = hand.moves.slice(hand.moves.findIndex((move) => move.player >= 0));
  const moves = played.map((move) => ({ ...move, action: move.taken }));
  return [verdict(state, hand), h("p", { class: "note" }, told(moves, hand.seat, state.players).join(", "))];
}

/** Return the buttons of the choices, and put the keys that press them into a map. */
function choices(actions, keys, act) {
  const initials = actions.map((action) => inWords(action, actions).charAt(0).toLowerCase());
  const numeric = actions.some((action) => /^\d/.test(action));
  return actions.map((action, number) => {
    const letter = initials[number];
    const lone = !numeric && initials.filter((one) => one === letter).length === 1 && /[a-z]/.test(letter);
    const colour = actionColour(action, actions);
    const button = h(
      "button",
      {
        class: "button choice",
        type: "button",
        css: { "--colour": colour },
        dataset: { action },
        onclick: () => act(action),
      },
      inWords(action, actions),
      (number < 9 || lone) && h("kbd", { "aria-hidden": "true" }, lone ? letter.toUpperCase() : String(number + 1)),
    );
    if (number < 9) keys.set(String(number + 1), button);
    if (lone) keys.set(letter, button);
    return button;
  });
}

const CHECK = /^(x|check|pass)$/i;
const FOLD = /^(f|fold)$/i;

/** Return what is done for somebody whose time is over: a check, else a fold, else the first action. */
export const atTimeout = (actions) =>
  actions.find((action) => CHECK.test(action)) ?? actions.find((action) => FOLD.test(action)) ?? actions[0];

/**
 * Return a table: update(state) shows a state of the API; `act(action)` and `next()` are called for choices and for the
 * next hand; `ask` says what the button of the next hand is called. `review` is what is said of the last hand, and
 * `say(text)` tells something until the next update.
 *
 * @param {{act: (action: string) => any, next: () => any, signal: AbortSignal, ask?: string}} options
 */
export function felt({ act, next, signal, ask = "Next hand" }) {
  const cloth = h("div", { class: "cloth" });
  const say = h("div", { class: "say", role: "status", "aria-live": "polite" });
  const buttons = h("div", { class: "choices", role: "group", "aria-label": "Your choices" });
  const review = h("div", { class: "review" });
  const clock = countdown({ onEnd: () => act(atTimeout(actions)), signal });
  const root = h("section", { class: "felt card" }, cloth, say, clock, buttons);
  let actions = [];
  let keys = new Map();

  function showTurn(state, turn) {
    clear(cloth, clothOfTurn(state, turn));
    clear(say, sayTurn(state, turn));
    clear(buttons, choices(turn.actions, keys, act));
    actions = turn.actions;
    if (state.settings.timer) clock.start(state.settings.timer);
    if (!root.contains(document.activeElement)) buttons.querySelector("button")?.focus({ preventScroll: true });
    clear(review);
  }

  function showEnd(state, hand) {
    clear(cloth, clothOfEnd(state, hand));
    clear(say, sayEnd(state, hand));
    const button = h(
      "button",
      { class: "button primary choice next", type: "button", onclick: () => next() },
      ask,
      h("kbd", { "aria-hidden": "true" }, "Enter"),
    );
    clear(buttons, button);
    for (const key of ["n", " ", "Enter"]) keys.set(key, button);
    button.focus({ preventScroll: true });
    clear(review, reviewOf(state, hand));
  }

  /** Press the button of a key, unless somebody types, or the key is the focused button's own. */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]") || target.closest?.(NOT_OURS)) return;
    const button = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!button || button.disabled) return;
    if ((event.key === "Enter" || event.key === " ") && target.closest?.(".choice")) return;
    event.preventDefault();
    button.click();
  }
  document.addEventListener("keydown", press, { signal });

  root.update = (state) => {
    keys = new Map();
    clock.stop();
    if (state.turn) showTurn(state, state.turn);
    else if (state.last) showEnd(state, state.last);
  };
  root.review = review;
  root.say = (text) => clear(say, h("p", { class: "lead" }, text));
  root.busy = (busy) => {
    if (busy) clock.stop();
    buttons.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  };
  return root;
}
