// The panels of the lab of regret matching: numbers at the top, who plays what, rounds, and what a player has learned.

import { clear, h, svg } from "../../page/js/base/dom.js";
import { board, mixer } from "./regret-board.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard } from "./regret-controls.js";
import { GAMES } from "./regret-games.js";
import { fixed, fraction, signed, small } from "./regret-numbers.js";
import { regretTable } from "./regret-table.js";
import { onlyAction } from "./regret-words.js";

/** @typedef {import("./regret-store.js").RegretStore} RegretStore */

const MODES = { you: "You play", mix: "A fixed mix plays", bots: "Two programs" };
/** What both players of a mode are called. */
const NAMES = { you: ["the program", "you"], mix: ["the program", "your mix"], bots: ["program A", "program B"] };
/** Whose something is that belongs to the second. */
const SECOND_OWNS = { you: "your", mix: "your mix’s", bots: "program B’s" };
const BEFORE_ROUNDS = {
  you: "Play a round. The program begins with every action equally often.",
  mix: "Set your mix, and play it.",
  bots: "Each program meets the other’s whole strategy.",
};

const wholeNumber = (value) => value.toLocaleString("en-US");
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const roundsOf = (state) => state.players[0].rounds;

/** Return the score of the reader: title, number and note. */
function readerScore({ score }, rounds) {
  if (!rounds) return ["your score", "0", "no round yet"];
  return ["your score", signed(score), `${signed(score / rounds, fixed)} a round`];
}

/** Return how many predictions were right: title, number and note. */
function predictionScore({ asked, right, predicts }) {
  const share = asked ? `${right} of ${asked}` : "–";
  return ["predicted", share, predicts ? "before each round" : "tick “predict” below"];
}

/**
 * Return the numbers at the top.
 *
 * @param {RegretStore} store
 */
export function scorePanel(store) {
  const { state } = store;
  const scores = scoreboard("How it stands", { score: "value", program: "", other: "", both: "", right: "" });

  function show() {
    const { mode } = state;
    const rounds = roundsOf(state);
    const [program, other] = store.exploitabilities();
    const level = (value) => (rounds ? small(value) : "–");
    const bots = ["rounds", wholeNumber(rounds), "nobody keeps a score"];
    const response = "a best response wins a round";
    scores.show({
      score: mode === "bots" ? bots : readerScore(state, rounds),
      program: [`against ${NAMES[mode][0]}’s average`, level(program), response],
      other: [`against ${SECOND_OWNS[mode]} average`, level(other), response],
      both: ["exploitability", level((program + other) / 2), "of both averages: the mean"],
      right: predictionScore(state),
    });
  }

  return { element: scores.box, show };
}

/**
 * Return the bar of who plays what, and of what runs rounds.
 *
 * @param {RegretStore} store
 * @param {string[]} names of the games to choose from
 * @param {{changed: () => void}} events changed is called when play has begun or ended
 */
export function runBar(store, names, { changed }) {
  const { state } = store;
  const running = runner({ advance: store.playMany, changed });
  const begin = (change = {}) => {
    running.pause();
    store.begin(change);
  };
  const playOnce = () => {
    running.pause();
    store.play();
  };
  const drawActions = () => {
    running.pause();
    store.drawActions(single.checked);
  };
  const labels = Object.fromEntries(names.map((name) => [name, GAMES[name].name]));
  const games = choice("Game", labels, (game) => begin({ game }));
  const modes = choice("Who plays", MODES, (mode) => begin({ mode }));
  const once = h("button", { type: "button", onclick: playOnce }, "One round");
  const hundred = h("button", { type: "button", class: "main", onclick: () => store.playMany(100) }, "Play 100 for me");
  const reset = h("button", { type: "button", onclick: () => begin() }, "Reset");
  const single = h("input", { type: "checkbox", onchange: drawActions });
  const singles = h("label", { class: "check" }, single, "each draws one action");

  function show() {
    const { mode, waiting } = state;
    games.show(state.game);
    modes.show(mode);
    for (const control of [singles, running.speed, running.button]) control.hidden = mode !== "bots";
    once.hidden = mode === "you";
    hundred.hidden = mode !== "mix";
    once.disabled = waiting;
    running.button.disabled = waiting;
    reset.disabled = !roundsOf(state);
  }

  const element = h(
    "section",
    { class: "lab-runs", "aria-label": "Who plays what" },
    h("div", {}, names.length > 1 ? games.box : null, modes.box),
    h("div", {}, hundred, once, running.button, running.speed, reset, singles),
  );
  return { element, show };
}

/** Return what a round has brought the reader, in words. */
function resultInWords(value) {
  if (value > 0) return `you win ${fraction(value)}`;
  if (value < 0) return `you lose ${fraction(-value)}`;
  return "a tie";
}

/** Return what is said of the last round: texts and elements. */
function outcomeOf({ mode, last, players }, actions) {
  if (!last) return [BEFORE_ROUNDS[mode]];
  if (mode === "bots") return ["Both meet the whole strategy of the other, unless each draws one action."];
  const [theirs, mine] = last.played.map(onlyAction);
  const who = mode === "mix" ? "your mix" : "you";
  return [
    `Round ${wholeNumber(players[0].rounds)}: ${who} played `,
    h("span", { class: "name" }, actions[mine]),
    ", the program ",
    h("span", { class: "name" }, actions[theirs]),
    ": ",
    h("b", {}, resultInWords(last.value)),
    ".",
  ];
}

/** Return the lines of the curve: the score, or the exploitability of both programs. */
function linesOf({ mode, curve }) {
  const line = (column, kind) => ({ points: curve.map((point) => [point[0], point[column]]), kind });
  if (mode === "bots") return [line(1, ""), line(2, "second")];
  return [line(1, "")];
}

/** Return what is said above the curve. */
function captionOf({ mode }, rounds) {
  if (!rounds) return "";
  if (mode === "bots") return "What a perfect opponent wins against each average, over rounds.";
  return "Your score over rounds.";
}

/**
 * Return the panel of rounds: what the reader plays with, what the last one was, and how it went so far. `renew()` is
 * for another game or mode.
 *
 * @param {RegretStore} store
 */
export function roundPanel(store) {
  const { state } = store;
  const place = h("div", { class: "pad" });
  const count = h("span", { class: "count" });
  const outcome = h("p", { class: "outcome", role: "status" });
  const caption = h("p", { class: "note" });
  const chart = svg("svg", { class: "course", role: "img" });
  let pad;
  let mix;

  function renew() {
    pad = board(store.game(), store.play);
    mix = mixer(store.game(), store.weigh);
    const controls = { you: pad.box, mix: mix.box, bots: null };
    clear(place, controls[state.mode]);
  }

  function show() {
    const rounds = roundsOf(state);
    const [theirs, mine] = state.last?.played.map(onlyAction) ?? [-1, -1];
    pad.show({
      next: state.players[0].strategy,
      hidden: state.waiting,
      mine,
      theirs,
      disabled: state.waiting,
    });
    mix.show(state.weights);
    clear(count, "t = ", h("b", {}, wholeNumber(rounds)));
    clear(outcome, outcomeOf(state, store.game().actions));
    caption.textContent = captionOf(state, rounds);
    chart.toggleAttribute("hidden", !rounds);
    if (rounds) drawChart(chart, { lines: linesOf(state), log: state.mode === "bots", title: caption.textContent });
  }

  renew();
  return { element: panel("Rounds", count, place, outcome, caption, chart), renew, show };
}

/** Return the last round as the table of a player's numbers is given it. */
function roundOf({ mode, last, players, whose }) {
  const bots = mode === "bots";
  const owners = bots ? ["program B’s", "program A’s"] : ["your", "the program’s"];
  return {
    before: last?.before[whose] ?? null,
    after: players[whose],
    played: last?.played[whose],
    other: last?.played[1 - whose],
    own: NAMES[mode][whose],
    theirs: owners[whose],
    averages: whose === 0 || bots,
  };
}

/**
 * Return the panel of the numbers of a player, some of which the reader may predict. `renew()` is for another game or
 * mode.
 *
 * @param {RegretStore} store
 */
export function numberPanel(store) {
  const { state } = store;
  const whose = choice("Whose numbers", { 0: "", 1: "" }, (player) => store.lookAt(Number(player)));
  const predict = h("input", { type: "checkbox", onchange: () => store.predict(predict.checked) });
  const predicts = h("label", { class: "check" }, predict, "predict");
  const place = h("div");
  let table;

  function renew() {
    table = regretTable(store.game(), { answered: store.countPrediction });
    clear(place, table.box);
  }

  function show() {
    whose.show(String(state.whose), NAMES[state.mode].map(capital));
    table.show({ hidden: state.waiting && state.whose === 0, round: roundOf(state) });
    predicts.hidden = state.mode === "mix";
  }

  renew();
  return { element: panel("Numbers", [whose.box, predicts], place), renew, show };
}
