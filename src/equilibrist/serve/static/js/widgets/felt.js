// A table at which a hand is played: cards, chips and words, the choices, and afterwards what each of them cost.
import { actionColour } from "../colours.js";
import { clear, closest, h } from "../dom.js";
import { chips, payoff, percent } from "../format.js";
import { card, splitCards } from "./cards.js";

export const GRADES = ["best", "inaccuracy", "mistake", "blunder"];
const TOTALS = { payoff: "Payoff", "best play": "= best play", choices: "+ your choices", luck: "+ luck" };
const POKER = /^(?:[XFC]|[BRA]\d[\d.]*)$/;
const WORDS = { X: "Check", C: "Call", F: "Fold", B: "Bet", R: "Raise to", A: "All-in" };
const OWN = /^your (?:cards?|hand|dice)$/;
const BOARD = /^(?:board|public cards?)$/;
const FEW = 6;

/** Return an action in words: "B120" → "Bet 120" where all actions of its decision are written so. */
export function inWords(label, actions) {
  if (actions.every((one) => POKER.test(one)))
    return `${WORDS[label[0]]} ${label.length > 1 ? chips(Number(label.slice(1))) : ""}`.trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Return a number with its sign: "+1.5", "−2", "0". */
export const signed = (value, places = 2) =>
  Math.abs(value) < 0.5 * 10 ** -places ? "0" : `${value > 0 ? "+" : ""}${trim(payoff(value, places))}`;
const trim = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Return the cards or dice that a text names, or null: "AsKd", "Q", "1 2 3". */
function pieces(label, text) {
  if (/dice$/.test(label))
    return [...text.replace(/[\s,]+/g, "")].map((face) =>
      h("span", { class: "die", role: "img", "aria-label": `die ${face}` }, face),
    );
  const compact = text.replace(/[\s,]+/g, "");
  const suited = splitCards(text);
  if (suited.length && suited.join("").toLowerCase() === compact.toLowerCase())
    return suited.map((name) => card(name, { size: "large" }));
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (!words.length || words.some((word) => word.length > 3)) return null;
  return words.map((word) =>
    h("span", { class: "pc large", role: "img", "aria-label": `card ${word}` }, h("b", {}, word)),
  );
}

/** Return an EV as it is shown at a table: two places where chips are counted in tens, else three. */
const places = (state) => (state.unit >= 20 ? 2 : 3);
const amount = (value, state) => signed(value, places(state));
const lossOf = (cost, state) => (cost >= 0.5 * 10 ** -places(state) ? `−${trim(payoff(cost, places(state)))}` : "");

/** Return the name of a game in a few words: a spot by its board and pot. */
export function gameInWords(text) {
  const spot = /^holdem\(board='([^']+)'.*?\bpot=([\d.]+), stack=([\d.]+)/s.exec(text);
  return spot ? `Hold'em ${spot[1]}, pot ${spot[2]}, stack ${spot[3]}` : text;
}

/** Return what the rules say of each seat, from a row such as "you 1, player 1 2", the own seat first; null if they do not. */
function bySeat(text, own, players) {
  const found = new Map();
  for (const part of text.split(", ")) {
    const [, who, number] = /^(.*) ([\d.]+)$/.exec(part) ?? [];
    if (number === undefined) return null;
    const other = /^player (\d+)$/.exec(who);
    found.set(who.startsWith("you") ? own : other ? Number(other[1]) : 1 - own, number);
  }
  return players === found.size ? found : null;
}

const rowOf = (table, pattern) => table.find(([label]) => pattern.test(label));

/** Return a line of actions in words, a street a part. */
export function lineInWords(line) {
  return line
    .split("|")
    .map((street) => {
      const actions = street.trim().split("-").filter(Boolean);
      return actions.map((action) => (POKER.test(action) ? inWords(action, [action]) : action)).join(", ");
    })
    .join(" | ");
}

function stack(amount) {
  return h("span", { class: "stack" }, h("i", { "aria-hidden": "true" }), h("b", {}, amount));
}

/** Return what is seen of a seat and of the middle of the table, from the rows of the rules. */
function middle(table, later = [], shown = []) {
  const board = rowOf(table, BOARD);
  const known = board ? pieces(board[0], board[1]) : null;
  const cards = [...(known ?? []), ...later.flatMap((text) => pieces("card", text) ?? [])];
  const pot = rowOf(table, /^pot$/);
  const call = rowOf(table, /^to call$/);
  const rest = table.filter(
    ([label]) => !OWN.test(label) && !BOARD.test(label) && !/^(?:pot|to call)$/.test(label) && !shown.includes(label),
  );
  return h(
    "div",
    { class: "middle" },
    board && h("div", { class: "board", "aria-label": board[0] }, cards.length ? cards : card("", { size: "large" })),
    pot &&
      h(
        "div",
        { class: "pot" },
        h("span", { class: "note" }, "pot"),
        stack(pot[1]),
        call && Number(call[1]) > 0 && h("span", { class: "call" }, `${call[1]} to call`),
      ),
    rest.length > 0 &&
      h(
        "dl",
        { class: "rows" },
        rest.map(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]),
      ),
  );
}

/** Return what each player has paid or has left, and the labels of these rows. */
function chipsOf(table, own, players) {
  const found = ["paid", "stacks"].flatMap((label) => {
    const row = rowOf(table, new RegExp(`^${label}$`));
    const seats = row && bySeat(row[1], own, players);
    return seats ? [{ label, seats }] : [];
  });
  const text = (player) =>
    found.map(({ label, seats }) => `${label === "paid" ? "paid" : "stack"} ${seats.get(player)}`).join(", ");
  return { text: (player) => (found.length ? text(player) : null), shown: found.map((one) => one.label) };
}

function seat(name, own, tag) {
  const held = own ? pieces(own[0], own[1]) : null;
  const face = held ?? (own ? h("span", { class: "words" }, own[1]) : null);
  return h(
    "div",
    { class: "seat" },
    h("span", { class: "who" }, name, tag && h("span", { class: "note" }, tag)),
    face && h("div", { class: "holding" }, face),
  );
}

/**
 * Return a table: update(state) shows a state of the API; `act(action)` and `next()` are called for choices and for the
 * next hand; `ask` says what the button of the next hand is called.
 */
export function felt({ act, next, signal, ask = "Next hand" }) {
  const cloth = h("div", { class: "cloth" });
  const say = h("div", { class: "say", role: "status", "aria-live": "polite" });
  const buttons = h("div", { class: "choices", role: "group", "aria-label": "Your choices" });
  const review = h("div", { class: "review" });
  const root = h("section", { class: "felt card" }, cloth, say, buttons);
  let keys = new Map();

  function update(state) {
    keys = new Map();
    if (state.turn) showTurn(state, state.turn);
    else showEnd(state, state.last);
  }

  function name(player, own, players) {
    if (player === own) return "You";
    return players === 2 ? "Opponent" : `Player ${player}`;
  }

  function showTurn(state, turn) {
    const { table, seat: own } = turn;
    const others = Array.from({ length: state.players }, (_, player) => player).filter((player) => player !== own);
    const hidden = rowOf(table, /^your (?:card|hand)$/);
    const coins = chipsOf(table, own, state.players);
    const backs = hidden && pieces(hidden[0], hidden[1]);
    clear(
      cloth,
      others.length > 0 &&
        h(
          "div",
          { class: "others" },
          others.map((player) =>
            h(
              "div",
              { class: "seat" },
              h(
                "span",
                { class: "who" },
                name(player, own, state.players),
                h("span", { class: "note" }, coins.text(player)),
              ),
              backs &&
                h(
                  "div",
                  { class: "holding" },
                  backs.map(() => card("", { size: "" })),
                ),
            ),
          ),
        ),
      middle(table, [], coins.shown),
      h("div", { class: "you" }, seat("You", rowOf(table, OWN), [coins.text(own) ?? `player ${own}`])),
    );
    const log = turn.moves.map((move) =>
      move.player < 0
        ? `[${move.action}]`
        : `${name(move.player, own, state.players)}: ${inWords(move.action, [move.action]).toLowerCase()}`,
    );
    clear(
      say,
      h(
        "p",
        { class: "lead" },
        h("strong", {}, `Hand ${turn.hand}. `),
        log.length ? log.slice(-FEW).join(", ") : "Your move.",
      ),
      h("p", { class: "note" }, "You know ", h("code", {}, turn.infoset)),
    );
    const initials = turn.actions.map((action) => inWords(action, turn.actions).charAt(0).toLowerCase());
    const numeric = turn.actions.some((action) => /^\d/.test(action));
    clear(
      buttons,
      turn.actions.map((action, number) => {
        const letter = initials[number];
        const lone = !numeric && initials.filter((one) => one === letter).length === 1 && /[a-z]/.test(letter);
        const button = h(
          "button",
          {
            class: "button choice",
            type: "button",
            css: { "--colour": actionColour(action, turn.actions) },
            dataset: { action },
            onclick: () => act(action),
          },
          inWords(action, turn.actions),
          (number < 9 || lone) && h("kbd", { "aria-hidden": "true" }, lone ? letter.toUpperCase() : String(number + 1)),
        );
        if (number < 9) keys.set(String(number + 1), button);
        if (lone) keys.set(letter, button);
        return button;
      }),
    );
    if (!root.contains(document.activeElement)) buttons.querySelector("button")?.focus({ preventScroll: true });
    clear(review);
  }

  function showEnd(state, hand) {
    if (!hand) return;
    const last = new Map();
    hand.moves.forEach((move, step) => move.player >= 0 && last.set(move.player, { move, step }));
    const newest = Math.max(-1, ...[...last.values()].map((one) => one.step));
    const seen = newest >= 0 ? hand.moves[newest].table : [];
    const later = hand.moves
      .slice(newest + 1)
      .filter((move) => move.player < 0)
      .map((move) => move.taken);
    const seats = Array.from({ length: state.players }, (_, player) => player);
    const held = (player) => {
      const own = last.get(player)?.move.table ?? [];
      return rowOf(own, OWN);
    };
    clear(
      cloth,
      state.players > 1 &&
        h(
          "div",
          { class: "others" },
          seats
            .filter((player) => player !== hand.seat)
            .map((player) =>
              seat(
                name(player, hand.seat, state.players),
                held(player),
                hand.payoffs.length ? signed(hand.payoffs[player]) : null,
              ),
            ),
        ),
      middle(
        seen.filter(([label]) => BOARD.test(label) || label === "pot"),
        later,
      ),
      h("div", { class: "you" }, seat("You", held(hand.seat), `player ${hand.seat}`)),
    );
    const told = hand.moves
      .slice(hand.moves.findIndex((move) => move.player >= 0))
      .map((move) =>
        move.player < 0
          ? `[${move.taken}]`
          : `${name(move.player, hand.seat, state.players)}: ${inWords(move.taken, move.actions).toLowerCase()}`,
      );
    clear(say, verdict(state, hand), h("p", { class: "note" }, told.join(", ")));
    const button = h(
      "button",
      { class: "button primary choice next", type: "button", onclick: () => next() },
      ask,
      h("kbd", { "aria-hidden": "true" }, "Enter"),
    );
    clear(buttons, button);
    keys.set("n", button);
    keys.set(" ", button);
    keys.set("Enter", button);
    button.focus({ preventScroll: true });
    clear(review, reviewOf(state, hand));
  }

  document.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]"))
        return;
      const typed = closest(event, "input, select, textarea, a, summary, button:not(.choice)");
      if (typed) return;
      const button = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
      if (!button || button.disabled) return;
      if ((event.key === "Enter" || event.key === " ") && closest(event, ".choice")) return; // the button's own
      event.preventDefault();
      button.click();
    },
    { signal },
  );
  root.update = update;
  root.review = review;
  root.busy = (busy) => buttons.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  return root;
}

/** Return what came of a hand, in words. */
function verdict(state, hand) {
  const costs = hand.cost;
  const parts = [];
  if (hand.payoff === null) {
    const move = hand.moves.at(-1);
    const number = hand.grades.at(-1);
    parts.push(
      h(
        "p",
        { class: `lead ${number === 0 ? "good" : number > 1 ? "wrong" : ""}` },
        h(
          "strong",
          {},
          number === null
            ? "Unknown. "
            : number === 0
              ? "Right. "
              : `${GRADES[number][0].toUpperCase()}${GRADES[number].slice(1)}. `,
        ),
        costs > 0 && number > 0
          ? `${inWords(move.taken, move.actions)} costs ${trim(payoff(move.cost, places(state)))}; best is ${move.best.map((one) => inWords(one, move.actions)).join(" or ")}.`
          : `${inWords(move.taken, move.actions)} is ${move.best.length > 1 ? "as good as any other" : "the best"}.`,
      ),
    );
  } else {
    const won = hand.payoff;
    parts.push(
      h(
        "p",
        { class: `lead ${won > 0 ? "good" : won < 0 ? "wrong" : ""}` },
        h(
          "strong",
          {},
          won === 0 ? "You win and lose nothing." : `You ${won > 0 ? "win" : "lose"} ${trim(payoff(Math.abs(won)))}.`,
        ),
      ),
    );
  }
  if (hand.luck !== null) {
    parts.push(
      h(
        "p",
        {
          class: "note",
          title: "payoff = what the best play from here earns on average − cost of your choices + luck",
        },
        `${amount(hand.payoff, state)} = best play ${amount(hand.best_response_value, state)} − choices ${trim(payoff(costs, places(state)))} ${hand.luck < 0 ? "−" : "+"} luck ${trim(payoff(Math.abs(hand.luck), places(state)))}`,
      ),
    );
  } else if (hand.payoff !== null && hand.cost === null)
    parts.push(h("p", { class: "note" }, `What choices cost is unknown. ${state.reason ?? ""}`));
  return parts;
}

/** Return the decisions of a hand: what each action was worth, what the strategy plays, what was taken. */
export function reviewOf(state, hand) {
  const rows = hand.moves
    .map((move, step) => ({ move, step }))
    .filter(({ move, step }) => move.player >= 0 && step >= hand.begun);
  if (!rows.length) return [h("p", { class: "note" }, "Nobody chose.")];
  return rows.map(({ move, step }) => decision(move, hand.grades[step], move.player === hand.seat, state));
}

function decision(move, grade, own, state) {
  const mix = own ? move.mix : move.probabilities;
  const order = move.actions.map((_, number) => number);
  const weight = (number) => (move.action_values ? move.action_values[number] : (mix?.[number] ?? 0));
  const best = Math.max(...(move.action_values ?? [0]));
  let shown = order;
  if (order.length > FEW)
    shown = [...order]
      .sort(
        (a, b) =>
          Number(b === move.actions.indexOf(move.taken)) - Number(a === move.actions.indexOf(move.taken)) ||
          weight(b) - weight(a),
      )
      .slice(0, FEW);
  const who = own ? "You" : state.players === 2 ? "Opponent" : `Player ${move.player}`;
  const title = h(
    "div",
    { class: "toolbar" },
    h("strong", {}, `${who}: ${inWords(move.taken, move.actions)}`),
    h("code", { class: "note" }, move.infoset),
    h("span", { class: "grow" }),
    own &&
      grade !== null &&
      grade !== undefined &&
      h("span", { class: `grade g${grade}` }, grade === 0 ? "best" : `${GRADES[grade]} ${lossOf(move.cost, state)}`),
  );
  const lines = shown.map((number) => {
    const action = move.actions[number];
    const share = mix?.[number] ?? 0;
    return h(
      "tr",
      { class: action === move.taken ? "taken" : "" },
      h(
        "th",
        { scope: "row" },
        h("span", { class: "dot", css: { "--colour": actionColour(action, move.actions) }, "aria-hidden": "true" }),
        " ",
        inWords(action, move.actions),
        action === move.taken && h("span", { class: "sr" }, " (taken)"),
      ),
      h(
        "td",
        { class: "share" },
        h(
          "span",
          { class: "shared" },
          mix &&
            h(
              "span",
              { class: "bar-of" },
              h("span", { css: { "--share": share, "--colour": actionColour(action, move.actions) } }),
            ),
          mix && h("span", { class: "num" }, percent(share, share > 0.0004 && share < 0.0995 ? 1 : 0)),
        ),
      ),
      own && h("td", { class: "num" }, move.action_values ? amount(move.action_values[number], state) : "–"),
      own && h("td", { class: "num loss" }, move.action_values ? lossOf(best - move.action_values[number], state) : ""),
    );
  });
  return h(
    "article",
    { class: `decision ${own ? "own" : ""}` },
    title,
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "action"),
          h("th", { scope: "col" }, own ? "strategy plays" : "played with"),
          own && h("th", { scope: "col", class: "num" }, "EV"),
          own && h("th", { scope: "col", class: "num" }, "loss"),
        ),
      ),
      h("tbody", {}, lines),
    ),
    order.length > FEW && h("p", { class: "note" }, `and ${order.length - FEW} more`),
  );
}

/** Return the totals of a table: payoff = best play + choices + luck, per hand. */
export function totalsOf(state) {
  const entries = Object.entries(state.totals);
  if (!entries.length)
    return h("p", { class: "note" }, "After the first hand: what you won, and how much of it was luck.");
  const without = state.totals["best play"] && state.totals.choices;
  const hands = state.turn ? state.hand - 1 : state.hand;
  return h(
    "div",
    {},
    h(
      "table",
      { class: "plain totals" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, `${hands} ${hands === 1 ? "hand" : "hands"}`),
          h("th", { scope: "col", class: "num" }, "total"),
          h("th", { scope: "col", class: "num" }, "per hand"),
          h("th", { scope: "col", class: "num" }, "± s.e."),
        ),
      ),
      h(
        "tbody",
        {},
        entries.map(([label, one]) =>
          h(
            "tr",
            { class: label },
            h("th", { scope: "row" }, TOTALS[label]),
            h("td", { class: "num" }, amount(one.total, state)),
            h("td", { class: "num" }, amount(one.mean, state)),
            h(
              "td",
              { class: "num note" },
              one.error === null || label === "best play" ? "" : trim(payoff(one.error, places(state))),
            ),
          ),
        ),
      ),
    ),
    without &&
      state.totals.payoff &&
      h(
        "p",
        { class: "note without" },
        "Without luck ",
        h("strong", {}, amount(state.totals["best play"].mean + state.totals.choices.mean, state)),
        " per hand: what to expect of playing on like this.",
      ),
  );
}

/** Return the score of decisions: the share of what was at stake that was kept, and how many of each grade. */
export function scoreOf(score) {
  if (!score.decisions) return h("p", { class: "note" }, "No choice yet.");
  return h(
    "div",
    { class: "score" },
    h(
      "dl",
      { class: "stats" },
      stat(
        "Score",
        score.score === null ? "–" : percent(score.score, 1),
        "1 − what your choices cost / what the worst would have cost",
      ),
      stat("Choices", String(score.decisions)),
      stat("Lost", score.cost === null ? "–" : trim(payoff(score.cost))),
    ),
    gradeBar(score.grades),
  );
}

const stat = (name, value, title) => h("div", { class: "stat", title }, h("dt", {}, name), h("dd", {}, value));

/** Return a bar of the grades of choices, with their numbers. */
export function gradeBar(grades) {
  const total = Object.values(grades).reduce((sum, one) => sum + one, 0) || 1;
  const words = GRADES.map((name) => `${grades[name]} ${name}`).join(", ");
  return h(
    "div",
    { class: "grades" },
    h(
      "div",
      { class: "bar-of", role: "img", "aria-label": words, title: words },
      GRADES.map((name, number) => h("span", { class: `g${number}`, css: { "--share": grades[name] / total } })),
    ),
    h(
      "div",
      { class: "legend note" },
      GRADES.map((name, number) =>
        h("span", {}, h("i", { class: `g${number}`, "aria-hidden": "true" }), `${name} ${grades[name]}`),
      ),
    ),
  );
}
