// Regret matching, where the reader is one of the players: a round at a time, a fixed mix a hundred times, or two
// programs against each other. The games are the same for both players.

import { clear, h, svg } from "../../page/js/base/dom.js";
import { board, mixer } from "./regret-board.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard } from "./regret-controls.js";
import { GAMES, mixed } from "./regret-games.js";
import { fixed, fraction, signed, small } from "./regret-numbers.js";
import { averageOf, draw as drawn, drawing, judge, learn, newLearner, pure } from "./regret-rule.js";
import { regretTable } from "./regret-table.js";
import { onlyAction } from "./regret-words.js";

const MODES = { you: "You play", mix: "A fixed mix plays", bots: "Two programs" };
const NAMES = { you: ["the program", "you"], mix: ["the program", "your mix"], bots: ["program A", "program B"] };
const LAST = 100_000;

/**
 * Put the lab into an element.
 *
 * @param {HTMLElement} box
 * @param {{game?: string, seed?: number}} options
 * @param {string[]} names of the games to choose from
 */
export function makeRegretLab(box, options, names) {
  const state = { game: options.game ?? names[names.length - 1], mode: "you", whose: 0 };
  const random = drawing(options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  let game, table, pad, mix;

  const games = choice("Game", Object.fromEntries(names.map((name) => [name, GAMES[name].name])), (name) =>
    begin({ game: name }),
  );
  const modes = choice("Who plays", MODES, (mode) => begin({ mode }));
  const whose = choice("Whose numbers", { 0: "", 1: "" }, (player) => ((state.whose = Number(player)), draw()));
  const predict = h("input", { type: "checkbox", onchange: draw });
  const single = h("input", { type: "checkbox", onchange: () => begin() });
  const place = { pad: h("div", { class: "pad" }), table: h("div") };
  const outcome = h("p", { class: "outcome", role: "status" });
  const chart = svg("svg", { class: "course", role: "img" });
  const count = h("span", { class: "count" });
  const caption = h("p", { class: "note" });
  const scores = scoreboard("How it stands", { score: "value", program: "", other: "", both: "", right: "" });
  const running = runner({ advance: many, changed: () => draw() });
  const once = h("button", { type: "button", onclick: () => (running.pause(), play()) }, "One round");
  const hundred = h("button", { type: "button", class: "main", onclick: () => many(100) }, "Play 100 for me");
  const reset = h("button", { type: "button", onclick: () => begin() }, "Reset");
  const predicts = h("label", { class: "check" }, predict, "predict");
  const singles = h("label", { class: "check" }, single, "each draws one action");

  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores.box,
      h(
        "section",
        { class: "lab-runs", "aria-label": "Who plays what" },
        h("div", {}, names.length > 1 ? games.box : null, modes.box),
        h("div", {}, hundred, once, running.button, running.speed, reset, singles),
      ),
      h(
        "div",
        { class: "two play-and-table" },
        panel("Rounds", count, place.pad, outcome, caption, chart),
        panel("Numbers", [whose.box, predicts], place.table),
      ),
    ),
  );
  box.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = game.keys.indexOf(event.key.toLowerCase());
    if (action < 0) return;
    event.preventDefault();
    event.stopPropagation(); // the site has keys of its own
    if (state.mode === "you") play(action);
  });

  /** Begin anew, with another game or mode. */
  function begin(change = {}) {
    running.pause();
    const renewed = !game || change.game || change.mode;
    Object.assign(state, change);
    game = GAMES[state.game];
    const actions = game.actions.length;
    Object.assign(state, {
      players: [newLearner(actions), newLearner(actions)],
      last: null,
      score: 0,
      curve: [],
      waiting: false,
      right: 0,
      asked: 0,
    });
    if (renewed) {
      pad = board(game, play);
      mix = mixer(game, draw);
      table = regretTable(game, { answered });
      clear(place.pad, state.mode === "you" ? pad.box : state.mode === "mix" ? mix.box : null);
      clear(place.table, table.box);
    }
    draw();
  }

  /** Play a round; `action` is the reader's. */
  function play(action) {
    if (state.waiting) return;
    turn(action);
    state.waiting = predict.checked && state.mode !== "mix";
    if (state.waiting) state.whose = 0;
    draw();
  }

  function turn(action) {
    const actions = game.actions.length;
    const before = state.players;
    const one = (strategy) => pure(actions, drawn(strategy, random()));
    const played =
      state.mode === "bots"
        ? before.map(({ strategy }) => (single.checked ? one(strategy) : strategy))
        : [one(before[0].strategy), action === undefined ? one(mixed(game, mix.weights)) : pure(actions, action)];
    const averaged = state.mode === "bots" ? undefined : played[1];
    state.players = [
      learn(before[0], game.payoffs, played[0], played[1]),
      learn(before[1], game.payoffs, played[1], played[0], { averaged }),
    ];
    const { value } = judge(game.payoffs, played[1], played[0]);
    state.score += value;
    state.last = { before, played, value };
    const { rounds } = state.players[0];
    const point = state.mode === "bots" ? exploitabilities() : [state.score];
    if (state.mode !== "bots" || rounds > 1.02 * (state.curve.at(-1)?.[0] ?? 0)) state.curve.push([rounds, ...point]);
  }

  function many(count) {
    for (let i = 0; i < count; i++) turn();
    draw();
    return state.players[0].rounds < LAST;
  }

  /** What a best response wins a round against the average of each player. */
  const exploitabilities = () => {
    const [program, reader] = state.players.map(averageOf);
    return [-judge(game.payoffs, program, reader).floor, -judge(game.payoffs, reader, program).floor];
  };

  function answered(right) {
    state.asked += 1;
    state.right += Number(right);
    state.waiting = false;
    draw();
  }

  function draw() {
    const { mode, players, last } = state;
    const names = NAMES[mode];
    const hides = state.waiting && state.whose === 0;
    if (!predict.checked) state.waiting = false;
    const [program] = players;
    const actions = last?.played.map(onlyAction) ?? [-1, -1];
    pad.show({
      next: program.strategy,
      hidden: state.waiting,
      mine: actions[1],
      theirs: actions[0],
      disabled: state.waiting,
    });
    games.show(state.game);
    modes.show(mode);
    whose.show(
      String(state.whose),
      names.map((name) => `${name[0].toUpperCase()}${name.slice(1)}`),
    );
    table.show({
      hidden: hides && state.waiting,
      round: {
        before: last?.before[state.whose] ?? null,
        after: players[state.whose],
        played: last?.played[state.whose],
        other: last?.played[1 - state.whose],
        own: names[state.whose],
        theirs: ["your", "the program’s", "program B’s", "program A’s"][state.whose + (mode === "bots" ? 2 : 0)],
        averages: state.whose === 0 || mode === "bots",
      },
    });
    singles.hidden = running.speed.hidden = running.button.hidden = mode !== "bots";
    once.hidden = mode === "you";
    hundred.hidden = mode !== "mix";
    predicts.hidden = mode === "mix";
    once.disabled = running.button.disabled = state.waiting;
    reset.disabled = !program.rounds;
    clear(count, "t = ", h("b", {}, program.rounds.toLocaleString("en-US")));
    drawNumbers(actions, program.rounds);
  }

  function drawNumbers([theirs, mine], rounds) {
    const { mode, last, score } = state;
    const names = NAMES[mode];
    const bots = mode === "bots";
    const result = () =>
      last.value > 0
        ? `you win ${fraction(last.value)}`
        : last.value < 0
          ? `you lose ${fraction(-last.value)}`
          : "a tie";
    clear(
      outcome,
      !last
        ? {
            you: "Play a round. The program begins with every action equally often.",
            mix: "Set your mix, and play it.",
            bots: "Each program meets the other’s whole strategy.",
          }[mode]
        : bots
          ? "Both meet the whole strategy of the other, unless each draws one action."
          : [
              `Round ${rounds.toLocaleString("en-US")}: ${mode === "mix" ? "your mix" : "you"} played `,
              h("span", { class: "name" }, game.actions[mine]),
              ", the program ",
              h("span", { class: "name" }, game.actions[theirs]),
              ": ",
              h("b", {}, result()),
              ".",
            ],
    );
    const [program, other] = exploitabilities();
    const level = (value) => (rounds ? small(value) : "–");
    const [first, second] = [names[0], { you: "your", mix: "your mix’s", bots: "program B’s" }[mode]];
    scores.show({
      score: bots
        ? ["rounds", rounds.toLocaleString("en-US"), "nobody keeps a score"]
        : [
            "your score",
            rounds ? signed(score) : "0",
            rounds ? `${signed(score / rounds, fixed)} a round` : "no round yet",
          ],
      program: [`against ${first}’s average`, level(program), "a best response wins a round"],
      other: [`against ${second} average`, level(other), "a best response wins a round"],
      both: ["exploitability", level((program + other) / 2), "of both averages: the mean"],
      right: [
        "predicted",
        state.asked ? `${state.right} of ${state.asked}` : "–",
        predict.checked ? "before each round" : "tick “predict” below",
      ],
    });
    const lines = bots
      ? [1, 2].map((i) => ({ points: state.curve.map((point) => [point[0], point[i]]), kind: i > 1 ? "second" : "" }))
      : [{ points: state.curve.map(([round, total]) => [round, total]), kind: "" }];
    chart.toggleAttribute("hidden", !rounds);
    caption.textContent = !rounds
      ? ""
      : bots
        ? "What a perfect opponent wins against each average, over rounds."
        : "Your score over rounds.";
    if (rounds) drawChart(chart, { lines, log: bots, title: caption.textContent });
  }

  begin();
}
