// The unit in which a spot is told: chips, big blinds, EVs in % of the pot, or net of half the pot.
import { clear, h } from "./dom.js";
import { average, chips, percent } from "./format.js";
import { decimal } from "./numbers.js";

export const UNITS = { chips: "Chips", bb: "bb", pot: "% pot", net: "Net" };
const TITLES = {
  chips: "Pots and EVs in chips",
  bb: "Pots and EVs in big blinds",
  pot: "EVs in % of the pot",
  net: "EVs less half of the pot: those of both players sum to 0",
};
const STORED = "unit";
let unit = "chips";
let blind = 1; // chips of a big blind
let typed = false; // whether somebody has said so
let prizes = false; // whether EVs are prizes, which have no other unit
const is = (value) => typeof value === "number";

/**
 * Use the unit of an address, or the last one that was chosen; a big blind is the least bet where `bb` is not given.
 * A spot with prizes is told as it is.
 */
export function useUnit(fields, settings = {}) {
  let stored = null;
  try {
    stored = localStorage.getItem(STORED);
  } catch {} // storage may be forbidden
  prizes = settings.prizes?.length > 0;
  unit = prizes ? "chips" : ([fields.get("unit"), stored].find((name) => name in UNITS) ?? "chips");
  const [wanted, usual] = [Number(fields.get("bb")), Number(settings.min_bet)];
  typed = wanted > 0 && Number.isFinite(wanted);
  blind = typed ? wanted : usual > 0 && Number.isFinite(usual) ? usual : 1;
}

/** The unit of now, a key of UNITS. */
export const unitNow = () => unit;

/** Whether EVs are prizes, of which none is a share of the pot. */
export const inPrizes = () => prizes;

/** Whether amounts are told in big blinds. */
export const inBlinds = () => unit === "bb";

const sized = (value, size = blind) => (unit === "bb" && is(value) ? value / size : value);

/** An amount of chips, such as a pot. */
export const amount = (value) => chips(sized(value));

/** An EV as a number in the unit, from chips at a decision with this pot; null as it is. */
export function evNumber(value, pot) {
  if (!is(value)) return value;
  return unit === "pot" ? (100 * value) / pot : sized(unit === "net" ? value - pot / 2 : value);
}

/** An EV as a text, of two places: points stand below each other in a column. */
export const ev = (value, pot) =>
  unit === "pot" ? percent(is(value) ? value / pot : value, 2) : average(evNumber(value, pot));

/** A difference of two EVs with the same pot, as a text. */
export const evChange = (value, pot) => (unit === "pot" ? percent(value / pot, 2) : average(sized(value)));

const OF_SPOTS = /^(holdem|omaha)\(|\.toml$/; // as a text, or the file that it was read from

/** Return the settings that the text of a spot tells and useUnit reads: the least bet, and the prizes as a text. */
export const settingsIn = (game) => ({
  min_bet: /\bmin_bet=([\d.]+)/.exec(game ?? "")?.[1],
  prizes: /\bprizes=(\S)/.exec(game ?? "")?.[1],
});

/** Return whether a game, as a text, is a spot: payoffs of others have no unit. */
export const isSpot = (game) => OF_SPOTS.test(game ?? "");

/**
 * Return what was won at a table, or what an action costs there, in the unit; its pot is that at the start, and its big
 * blind that of its game, if nobody has typed another. Payoffs are net of half the pot in any unit, as what one wins the
 * other loses.
 *
 * @param {number} value
 * @param {{game: string, unit: number}} table
 */
export const payoffAt = (value, { game, unit: pot }) =>
  isSpot(game) ? (unit === "pot" ? (100 * value) / pot : sized(value, blindOf(game))) : value;

const blindOf = (game) => (typed ? blind : Number(settingsIn(game).min_bet) || blind);

/** Return the EV of an action at a table, likewise; half the pot is taken from it where the unit says so. */
export const evAt = (value, table) =>
  payoffAt(unit === "net" && isSpot(table.game) ? value - table.unit / 2 : value, table);

/** Return what stands behind such a payoff: "%" or "bb". */
export const signAt = ({ game }) => (isSpot(game) ? ({ pot: " %", bb: " bb" }[unit] ?? "") : "");

/**
 * Return the switch of a view that draws itself anew: draw(changes of the address) is called after a choice.
 * settings() are those of the spot. It has update(), for settings that have changed.
 *
 * @param {URLSearchParams} query
 * @param {() => any} settings
 * @param {(changes: any) => void} draw
 */
export function liveUnitSwitch(query, settings, draw) {
  const box = h("span", {});
  const go = (changes) => {
    const fields = new URLSearchParams(location.search);
    for (const each of [query, fields]) for (const [name, value] of Object.entries(changes)) each.set(name, value);
    history.replaceState(null, "", `${location.pathname}?${fields}`);
    box.update();
    draw(changes);
    box.querySelector('[aria-pressed="true"]')?.focus();
  };
  box.update = () => {
    useUnit(query, settings());
    clear(box, unitSwitch(go));
  };
  box.update();
  return box;
}

/** Return the switch; go(changes) is told what changes in the address. */
export function unitSwitch(go) {
  if (prizes) return h("span", { class: "note" }, "EVs are prizes");
  const choose = (name) => {
    try {
      localStorage.setItem(STORED, name);
    } catch {} // as above
    go({ unit: name });
  };
  const size = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "exact",
    value: String(blind),
    "aria-label": "Chips of a big blind",
    title: "Chips of a big blind",
    onchange: () => go({ bb: decimal(size.value) }),
  });
  return h(
    "span",
    { class: "units" },
    h(
      "span",
      { class: "segmented", role: "group", "aria-label": "Unit" },
      Object.entries(UNITS).map(([name, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "button small",
            title: TITLES[name],
            "aria-pressed": String(name === unit),
            onclick: () => choose(name),
          },
          text,
        ),
      ),
    ),
    unit === "bb" && size,
  );
}
