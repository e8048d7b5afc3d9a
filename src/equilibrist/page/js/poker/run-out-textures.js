// Run-outs by texture: means over the cards that do the same to the board, or after which it looks alike.
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { ev } from "../base/units.js";
import { mixColumn } from "../cards/line-columns.js";
import { choice } from "../parts/choice.js";
import { MEANINGS } from "../parts/explain.js";
import { table } from "../parts/table.js";

/** @import { RunOut } from "../base/answers.js" */
/** @typedef {{name: string, cards: number, share: number, pot: number, ev: (number | null)[], equity: (number | null)[], frequencies: {[action: string]: number | null}}} TextureRow */

/** What tells run-outs apart, with what it is called. */
export const TEXTURES = {
  flush: "Suit of the card",
  rank: "Rank of the card",
  straight: "Straights",
  suits: "Suits of the board",
  pairing: "Pairs of the board",
  high: "High card",
};

const MEANING = "What the card does to the board, or what the board then looks like.";

/** Return what a texture is called. */
const textureName = (value) => ({ true: "more straights", false: "no more straights" })[String(value)] ?? String(value);

/**
 * Return the means over the run-outs of each texture, the most frequent first, as RunOutReport.by_texture of Python.
 *
 * @param {RunOut[]} rows @param {string} by
 * @returns {TextureRow[]}
 */
export function byTexture(rows, by) {
  /** @type {Map<string, RunOut[]>} */
  const groups = new Map();
  for (const row of rows.filter((one) => one.weight > 0)) {
    const name = textureName(row[by]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  return [...groups]
    .map(([name, group]) => ({ name, ...meansOf(group, total) }))
    .sort((one, other) => other.share - one.share);
}

/**
 * Return the mean of a number over run-outs, each by its weight; null where none has it.
 *
 * @param {RunOut[]} rows @param {(row: any) => number | null | undefined} value
 */
export function meanOver(rows, value) {
  const known = rows.filter((row) => row.weight > 0 && typeof value(row) === "number");
  const weight = known.reduce((sum, row) => sum + row.weight, 0);
  return weight > 0 ? known.reduce((sum, row) => sum + row.weight * Number(value(row)), 0) / weight : null;
}

/** @param {RunOut[]} rows @param {number} total */
function meansOf(rows, total) {
  const weight = rows.reduce((sum, row) => sum + row.weight, 0);
  const mean = (value) => meanOver(rows, value);
  const [first] = rows;
  return {
    cards: rows.reduce((sum, row) => sum + row.alike.length, 0),
    share: weight / total,
    pot: first.pot ?? 0,
    ev: (first.ev ?? []).map((_, who) => mean((row) => row.ev[who])),
    equity: (first.equity ?? []).map((_, who) => mean((row) => row.equity[who])),
    frequencies: Object.fromEntries(
      Object.keys(first.frequencies ?? {}).map((action) => [action, mean((row) => row.frequencies[action])]),
    ),
  };
}

/**
 * Return the means by texture as an element with update(rows, seats): `seats` are the players whose numbers are known.
 *
 * @param {{players: string[]}} options
 */
export function texturePanel({ players }) {
  /** @type {number[]} */
  let seats = [];
  /** @type {RunOut[]} */
  let rows = [];
  const by = choice(Object.entries(TEXTURES), "flush");
  by.setAttribute("aria-label", "What tells run-outs apart");
  by.addEventListener("change", () => draw());
  const place = h("div", {});
  const element = h(
    "div",
    { class: "stack run-out-textures" },
    h("div", { class: "toolbar" }, h("h3", { class: "grow" }, "By texture"), by),
    place,
  );

  function draw() {
    const means = byTexture(rows, by.value);
    element.hidden = !means.length;
    if (!means.length) return;
    const list = textureTable(means, { players, seats, title: TEXTURES[by.value] });
    clear(place, list);
    list.update(means); // once it has a place, which says how many rows are seen
  }

  element.update = (next, known) => {
    [rows, seats] = [next, known];
    draw();
  };
  element.hidden = true;
  return element;
}

/** @param {TextureRow[]} means @param {{players: string[], seats: number[], title: string}} options */
function textureTable(means, { players, seats, title }) {
  const actions = Object.keys(means[0].frequencies);
  const colours = actions.map((action) => actionColour(action, actions));
  const number = (key, heading, value, show, meaning = /** @type {string | null} */ (null)) => ({
    key,
    meaning,
    title: heading,
    numeric: true,
    descending: true,
    value,
    show: (row) => show(value(row), row.pot),
  });
  return table({
    columns: [
      { key: "name", title, meaning: MEANING, value: (row) => row.name, show: (row) => row.name },
      number("cards", "Cards", (row) => row.cards, count, "How many cards of the deck they are."),
      number(
        "share",
        "Share",
        (row) => row.share,
        (value) => percent(value),
        MEANINGS.Share,
      ),
      ...(actions.length ? [mixColumn((row) => actions.map((action) => row.frequencies[action]), colours)] : []),
      ...actions.map((action) =>
        number(
          action,
          action,
          (row) => row.frequencies[action],
          (value) => percent(value),
          MEANINGS.Frequency,
        ),
      ),
      ...seats.map((who) => number(`ev${who}`, `EV ${players[who]}`, (row) => row.ev[who], ev)),
      number(
        "equity",
        `Equity ${players[seats[0]]}`,
        (row) => row.equity[seats[0]],
        (value) => percent(value),
      ),
    ],
    key: (row) => row.name,
    sort: { key: "share", descending: true },
    label: "Run-outs by texture",
    height: "max(240px, 40vh)",
  });
}
