// The infoset that is chosen: what an iteration does there, each number unfolding into what it was computed from.
import { clear, h } from "../../page/js/base/dom.js";
import { exact, signed } from "./fraction.js";
import { infosetOf } from "./kuhn-game.js";
import { termsOf } from "./kuhn-terms.js";
import { because, described } from "./kuhn-words.js";
import { ALGORITHMS } from "./update-rules.js";

/** @typedef {import("./kuhn-terms.js").Term} Term */

const BRACKETS = new Set([" · ", " + ", " − ", " / "]);

/**
 * Return a number as an element, which unfolds below `room` if it was computed from others.
 * @param {Term} term
 * @param {HTMLElement} room
 * @param {{unfolded: Set<string>, path: string}} memory what is unfolded, kept when the numbers change
 */
function number(term, room, { unfolded, path }, { bracket = false, plain = false } = {}) {
  const text = plain ? signed(term.value) : exact(term.value);
  const shown = bracket && term.value < 0 && text !== "0" ? `(${text})` : text;
  if (!term.of) return h("span", { class: "term" }, h("span", { class: "value" }, shown), h("small", {}, term.label));
  const open = () => {
    const is = unfolded.has(path);
    button.setAttribute("aria-expanded", String(is));
    clear(place, is && expression(term, { unfolded, path }));
    place.hidden = !is;
  };
  const place = h("div", { class: "unfolded" });
  const button = h(
    "button",
    {
      type: "button",
      class: "term",
      "aria-expanded": "false",
      onclick: () => {
        if (unfolded.has(path)) unfolded.delete(path);
        else unfolded.add(path);
        open();
      },
    },
    h("span", { class: "value" }, shown),
    h("small", {}, term.label),
  );
  room.append(place);
  open();
  return button;
}

/** Return what a number was computed from: `= 1/6 · 1/2 · (−1)`. */
function expression(term, { unfolded, path }) {
  const below = h("div", { class: "below" });
  const line = h("p", { class: "expression" }, h("span", { class: "sign" }, `${exact(term.value)} =`));
  for (const [i, part] of term.of().entries()) {
    if (typeof part === "string") line.append(h("span", { class: "sign" }, part.trim()));
    else {
      const before = term.of()[i - 1];
      const bracket = typeof before === "string" && BRACKETS.has(before);
      line.append(number(part, below, { unfolded, path: `${path}/${i}` }, { bracket }));
    }
  }
  return [line, below];
}

/**
 * Return the panel of the infoset that is chosen.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 */
export function detailPanel(store) {
  /** Whether the next iteration is shown rather than the last. */
  let ahead = true;
  const unfolded = new Set();
  const title = h("h3");
  const note = h("p", { class: "note" });
  const body = h("div", { class: "updates" });
  const why = h("p", { class: "why" });
  const tabs = [false, true].map((next) =>
    h("button", { type: "button", "aria-pressed": "false", onclick: () => ((ahead = next), show()) }),
  );

  /** Return the numbers of an action in columns that have headings. */
  function action(key, update, move, context) {
    const terms = termsOf(key, update, move, context);
    const room = h("div", { class: "room" });
    const cell = (name, term, options = {}) =>
      h("div", { class: `cell ${name}` }, number(term, room, { unfolded, path: `${key}/${move}/${name}` }, options));
    return h(
      "div",
      { class: "action" },
      h("h4", {}, terms.action),
      h(
        "div",
        { class: "cells" },
        cell("strategy", terms.strategy),
        terms.histories.map((one) => cell(`added ${one.deal}`, one.added, { plain: true })),
        cell("instant", terms.instant, { plain: true }),
        cell("regret", terms.regret),
        cell("next", terms.next),
        cell("average", terms.average),
      ),
      room,
    );
  }

  function show() {
    const key = store.chosen;
    const { actions, player } = infosetOf(key);
    const hidden = store.secret;
    if (!store.last || hidden) ahead = !hidden && !store.last ? true : hidden ? false : ahead;
    const next = ahead ? store.preview() : null;
    const shown = next ?? store.last;
    clear(title, h("b", { class: `of-${player}` }, key), ` ${described(key)}`);
    const t = store.state.t;
    clear(tabs[0], t ? `iteration ${t.toLocaleString("en-US")}` : "no iteration yet");
    clear(tabs[1], `the next: ${(t + 1).toLocaleString("en-US")}`);
    tabs[0].disabled = !store.last;
    tabs[1].disabled = hidden;
    for (const [i, tab] of tabs.entries()) tab.setAttribute("aria-pressed", String(Boolean(i) === ahead));
    if (!shown || (hidden && !store.last)) {
      clear(note, hidden ? "Hidden, until you have predicted it." : "");
      clear(body);
      clear(why);
      return;
    }
    const update = shown.record[key];
    const algorithm = ALGORITHMS[store.settings.algorithm];
    const drawn = shown.deal !== null;
    const unit = /** @type {[number, number]} */ (
      ahead ? [store.state.unit, drawn ? 1 : (t + 1) ** algorithm.gamma] : [store.last.before.unit, store.state.unit]
    );
    const against =
      player === 1 && store.settings.alternating ? " Player 1 is updated against what player 0 has just become." : "";
    const meets = update.mixed
      ? ` Player ${player} meets the model with probability ${exact(update.mixed.trust)}, else player ${1 - player}.`
      : "";
    const place = update.visited.length
      ? ""
      : ` The deal ${shown.deal} does not come here: nothing changes but by discounts.`;
    clear(
      note,
      `What ${ahead ? "the next iteration will do" : "the last iteration has done"} at ${key}; touch a number to see what it is made of.${against}${meets}${place}`,
    );
    clear(
      body,
      actions.map((_, move) => action(key, update, move, { algorithm, unit })),
    );
    clear(why, because(key, update, algorithm));
  }

  store.subscribe((what) => {
    if (what === "settings") ahead = true;
  });
  const element = h(
    "section",
    { class: "panel detail", "aria-label": "The chosen infoset" },
    h("header", {}, title, h("div", { class: "choices", role: "group", "aria-label": "iteration" }, tabs)),
    note,
    body,
    why,
  );
  return {
    element,
    show,
    /** Show the last iteration rather than the next, or the other way round. */
    look(next) {
      ahead = next;
    },
  };
}
