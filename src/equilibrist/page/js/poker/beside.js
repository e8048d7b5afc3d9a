// Two decisions side by side, class by class: cells of the grids of both, and of what differs.
import { percent } from "../base/format.js";
import { splitCards } from "../cards/cards.js";
import { possible } from "../cards/range-cells.js";

const is = (value) => typeof value === "number";

/**
 * Return a Map of class → {held, mixes, ev, difference}: of both sides, means over its hands by their weight there.
 * @param {any[]} hands rows of /compare/node
 */
export function byClassOf(hands) {
  const found = new Map();
  for (const row of hands) {
    const one = found.get(row.class) ?? {
      name: row.class,
      sides: [0, 1].map(() => ({ held: 0, known: 0, mix: null, ev: 0 })),
      apart: 0,
      weight: 0,
      ev: 0,
      known: 0,
    };
    found.set(row.class, one);
    row.range.forEach((weight, k) => {
      const side = one.sides[k];
      side.held += weight;
      if (weight > 0 && row.mixes[k].some(is)) {
        side.known += weight;
        side.mix = row.mixes[k].map((share, n) => (side.mix?.[n] ?? 0) + weight * (share ?? 0));
      }
    });
    const weight = Math.max(...row.range);
    if (is(row.difference)) [one.apart, one.weight] = [one.apart + weight * row.difference, one.weight + weight];
    if (is(row.ev_difference)) [one.ev, one.known] = [one.ev + weight * row.ev_difference, one.known + weight];
  }
  return new Map(
    [...found].map(([name, { sides, apart, weight, ev, known }]) => [
      name,
      {
        held: sides.map((side) => side.held),
        mixes: sides.map((side) => side.mix && side.mix.map((share) => share / side.known)),
        difference: weight ? apart / weight : null,
        ev_difference: known ? ev / known : null,
      },
    ]),
  );
}

/** Return the cells of the grid of one side: what it plays on its board. */
export const sideCells = (classes, k, colours, actions, board) =>
  new Map(
    [...classes]
      .filter(([, one]) => one.held[k] > 0)
      .map(([name, one]) => {
        const weight = Math.max(0.06, Math.min(1, one.held[k] / Math.max(1, possible(name, splitCards(board)).length)));
        const mix = one.mixes[k];
        const segments = mix
          ? mix.map((share, n) => ({ colour: colours[n], share }))
          : [{ colour: "var(--range)", share: 1 }];
        const words = mix ? actions.map((action, n) => `${action} ${percent(mix[n], 0)}`).join(", ") : "in the range";
        return [name, { segments, weight, title: `${name}: ${words}`, label: "" }];
      }),
  );

/** Return what differs in a class: by the name of a number, or of an action, second − first; null where nobody knows. */
export function changeOf(one, what, actions) {
  if (what === "difference" || what === "ev_difference") return one[what];
  const n = actions.indexOf(what);
  return one.mixes[0] && one.mixes[1] ? one.mixes[1][n] - one.mixes[0][n] : null;
}

/** Return the cells of what differs: blue for less, amber for more in the second, of the largest there is. */
export function changeCells(classes, what, actions) {
  const known = [...classes].map(([name, one]) => [name, changeOf(one, what, actions)]);
  const most = Math.max(1e-9, ...known.map(([, value]) => Math.abs(value ?? 0)));
  const text = (value) =>
    what === "ev_difference" ? value.toFixed(Math.abs(value) < 10 ? 1 : 0) : String(Math.round(100 * value));
  return new Map(
    known.map(([name, value]) => {
      if (!is(value))
        return [name, { segments: [{ colour: "var(--held)", share: 1 }], title: `${name}: not known`, label: "" }];
      const colour = `color-mix(in oklab, ${value >= 0 ? "var(--bet-1)" : "var(--fold)"} ${Math.round((100 * Math.abs(value)) / most)}%, var(--held))`;
      const label = text(value).replace("-", "−");
      const words = what === "ev_difference" ? `EV ${label}` : `${label} %`;
      return [
        name,
        { segments: [{ colour, share: 1 }], weight: 1, title: `${name}: ${words}`, label: value ? label : "" },
      ];
    }),
  );
}
