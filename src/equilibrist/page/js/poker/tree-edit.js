// A betting tree that is edited by clicking: lines that are added and removed, and sizes as they are typed.
import { numberOf } from "./spot-settings.js";

const SIZED = /^[BRA]([\d.]+)$/;

/** Return a line without what stands at its end between streets: "X-X |" → "X-X". */
export const plain = (line) => line.replace(/[\s|]+$/, "");

/** Return a line with an action after it; a line that ends with a bar goes on on the next street. */
export function extended(line, action) {
  const before = line.trim();
  return before.endsWith("|") ? `${before} ${action}` : before ? `${before}-${action}` : action;
}

const isBelow = (line, above) => line === above || (line.startsWith(above) && /^[\s|-]/.test(line.slice(above.length)));

/** Return lines to add and to remove after an action was cut off. */
export function cut({ add, remove }, line) {
  const [action, without] = [plain(line), (lines) => lines.filter((one) => !isBelow(one, plain(line)))];
  const wasAdded = add.includes(action);
  return { add: without(add), remove: wasAdded ? without(remove) : [...without(remove), action] };
}

/** Return lines to add and to remove after an action was added. */
export function grown({ add, remove }, line) {
  const action = plain(line);
  return { add: add.includes(action) ? add : [...add, action], remove: remove.filter((one) => one !== action) };
}

/**
 * Return what both players have bet on the street on which a line ends: what is faced, and what who acts has put in.
 * @param {string} line
 */
export function faced(line) {
  const street = line.split("|").at(-1) ?? "";
  const actions = street.trim().split("-").filter(Boolean);
  const bets = [0, 0];
  actions.forEach((action, place) => {
    const sized = SIZED.exec(action);
    if (sized) bets[place % 2] = Number(sized[1]);
  });
  const mover = actions.length % 2;
  return { bet: Math.max(...bets), committed: bets[mover] };
}

/**
 * Return the action that a size is after a line: "75%" of the pot, "2.5x" the bet, "a" all-in, or chips: "B90"; null where
 * it cannot be read.
 *
 * @param {string} text @param {{line: string, pot: number, left: number[], player: number}} row
 */
export function actionOf(text, { line, pot, left, player }) {
  const size = text.trim().toLowerCase().replace(",", ".");
  const { bet, committed } = faced(line);
  const most = committed + left[player];
  if (/^(a|all-?in)$/.test(size)) return `A${most}`;
  const [, digits, unit] = /^([\d.]+)\s*(%|x|c)?$/.exec(size) ?? [];
  const value = numberOf(digits ?? "");
  if (typeof value !== "number" || !(value > 0) || (unit === "x" && !bet)) return null;
  const toCall = bet - committed;
  const chips = unit === "%" ? bet + (value / 100) * (pot + toCall) : unit === "x" ? value * bet : value;
  const whole = pot >= 20 ? Math.round(chips) : Number(chips.toFixed(2));
  return whole >= most ? `A${most}` : `${bet ? "R" : "B"}${whole}`;
}
