// The numbers of a regret matcher, an action a line: each is a button that says how it comes about.

import { clear, h } from "../../page/js/base/dom.js";
import { parse } from "./fraction.js";
import { fraction, signed } from "./regret-numbers.js";
import { averageOf, instantRegrets } from "./regret-rule.js";
import { inWords } from "./regret-words.js";

const KINDS = {
  instant: "regret, this round",
  sum: "regret sum",
  next: "plays next",
  average: "average",
};
const FEW = 7;
const TOLERANCE = 0.005;

/**
 * Return the table, with `show(view)`.
 *
 * @param {any} game
 * @param {{answered: (right: boolean) => void}} events
 */
export function regretTable(game, { answered }) {
  let view;
  let open = null;
  let all = false;
  const body = h("tbody");
  const words = h("div", { class: "made-of", "aria-live": "polite" });
  const more = h("button", { type: "button", class: "quiet", onclick: () => ((all = !all), draw()) });
  const check = h("button", { type: "button", class: "main", onclick: answer }, "Check");
  const reveal = h("button", { type: "button", onclick: () => answered(false) }, "Show it");
  const verdict = h("span", { class: "note", role: "status" });
  const asking = h("div", { class: "asking" }, check, reveal, verdict);
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, ""),
    Object.entries(KINDS).map(([kind, label]) => h("th", { scope: "col", class: kind }, label)),
  );
  const box = h(
    "div",
    { class: "regrets" },
    h("table", { class: "numbers-of" }, h("thead", {}, head), body),
    asking,
    words,
    more,
  );
  box.addEventListener(
    "keydown",
    (event) => event.key === "Enter" && event.target instanceof HTMLInputElement && answer(),
  );

  /** The actions that are asked for: all of a small game, else the one with the largest regret sum. */
  const asked = () => {
    const { regretSums } = view.round.after;
    return regretSums.length <= FEW ? regretSums.map((_, a) => a) : [regretSums.indexOf(Math.max(...regretSums))];
  };

  function answer() {
    const inputs = [...body.querySelectorAll("input")];
    const wrong = inputs.filter((input) => {
      const right = Math.abs(parse(input.value) - view.round.after.strategy[Number(input.dataset.action)]) <= TOLERANCE;
      input.setAttribute("aria-invalid", String(!right));
      return !right;
    });
    if (!wrong.length) return answered(true);
    verdict.textContent = Number.isNaN(parse(wrong[0].value))
      ? "Type a number: 0, 1/3, 0.33 or 33 %."
      : "Not yet: positive sums, divided by their total.";
    wrong[0].focus();
  }

  /** Return a number with a bar below it, which unfolds when it is pressed. */
  function number(kind, a, value, text, share) {
    const pressed = open?.kind === kind && open.action === a;
    return h(
      "td",
      { class: kind },
      h(
        "button",
        {
          type: "button",
          class: `cell-value ${value < -1e-12 ? "below" : ""}`,
          "aria-expanded": String(pressed),
          "data-cell": `${kind}-${a}`,
          css: { "--share": `${(100 * share).toFixed(1)}%` },
          onclick: () => ((open = pressed ? null : { kind, action: a }), draw(`${kind}-${a}`)),
        },
        text,
      ),
    );
  }

  function draw(focused) {
    const { round, hidden } = view;
    const { after } = round;
    const average = averageOf(after);
    const instant = round.before ? instantRegrets(game.payoffs, round.played, round.other) : after.regretSums;
    const largest = Math.max(1e-9, ...after.regretSums.map(Math.abs));
    const order = after.regretSums.map((_, a) => a);
    const many = order.length > FEW;
    if (many) order.sort((a, b) => after.regretSums[b] - after.regretSums[a] || a - b);
    const asks = hidden ? asked() : [];
    const rows = (many && !all ? order.slice(0, FEW) : order).map((a) => {
      const next = asks.includes(a)
        ? h(
            "td",
            { class: "next" },
            h("input", {
              type: "text",
              inputmode: "text",
              "data-action": a,
              autocomplete: "off",
              "aria-label": `next probability of ${game.actions[a]}`,
              placeholder: "?",
            }),
          )
        : hidden
          ? h("td", { class: "next" }, h("span", { class: "cell-value" }, "?"))
          : number("next", a, after.strategy[a], fraction(after.strategy[a]), after.strategy[a]);
      return h(
        "tr",
        { class: round.played?.[a] === 1 ? "played" : null },
        h("th", { scope: "row" }, game.actions[a]),
        number("instant", a, instant[a], signed(instant[a]), 0),
        number("sum", a, after.regretSums[a], fraction(after.regretSums[a]), Math.abs(after.regretSums[a]) / largest),
        next,
        number("average", a, average[a], fraction(average[a]), average[a]),
      );
    });
    clear(body, rows);
    asking.hidden = !hidden;
    verdict.textContent = "";
    more.hidden = !many;
    more.textContent = all ? `Show the ${FEW} largest regret sums` : `Show all ${order.length}`;
    const shown = open && round.before && !(hidden && open.kind === "next");
    clear(
      words,
      shown
        ? inWords(open.kind, game, open.action, round).map((line) => h("p", {}, line))
        : h(
            "p",
            { class: "note" },
            round.before
              ? "Press a number to see how it comes about."
              : "After a round, press a number to see how it comes about.",
          ),
    );
    if (focused) box.querySelector(`[data-cell="${focused}"]`)?.focus();
    else if (hidden) body.querySelector("input")?.focus({ preventScroll: true });
  }

  return { box, show: (next) => ((view = next), draw()) };
}
