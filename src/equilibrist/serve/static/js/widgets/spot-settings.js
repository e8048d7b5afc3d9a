// Settings of a spot as the form of a new one has them: texts of its fields, sizes by player and street, and back.
import { splitCards, SUITS } from "./cards.js";

export const STREETS = ["flop", "turn", "river"];
export const PARTS = ["bet", "raise", "donk"];
/** Fields that are a share of the pot, written in percent. */
const SHARES = ["add_all_in", "force_all_in", "merge", "rake"];
const LINES = ["add_lines", "remove_lines"];
export const FIELDS = [
  "pot",
  "stack",
  ...SHARES.slice(0, 3),
  "max_raises",
  "min_bet",
  "chip",
  "rake",
  "rake_cap",
  ...LINES,
  "deck",
];
/** Decks by name, the usual one first; of others than it, ranks from the sixes up alone. */
export const DECKS = {
  full: "52 cards",
  short: "Short deck",
  "short, trips beat straights": "Short deck, trips beat straights",
};
const USUAL_DECK = Object.keys(DECKS)[0];
const USUAL_BETS = "50%, a; a";
export const EXAMPLE = {
  board: "Td9d6hQc",
  oop: "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
  ip: "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
  pot: 200,
  stack: 900,
  bets: "50%, 100%; 2.5x",
  add_all_in: 1.5,
  force_all_in: 0.15,
  merge: 0.1,
};

/** Return [bet, raise, donk] of sizes, which settings write as a text or as a table. */
export function partsOf(sizes) {
  if (!sizes) return ["", "", ""];
  if (typeof sizes === "object") return PARTS.map((part) => sizes[part] ?? "");
  const parts = sizes.split(";").map((part) => part.trim());
  return PARTS.map((_, place) => parts[place] ?? "");
}

/**
 * Return sizes as spot files write them, from those of PioSOLVER (33, 75) and GTO+ (33 75, g2): a plain number is a share
 * of the pot, gN geometric over N bets. A text without either is left as it is.
 *
 * @param {string} text
 */
export function sizesOfTools(text) {
  const tokens = text.split(/[\s,]+/).filter(Boolean);
  const [plain, unit] = [/^(\d*\.?\d+|g\d)$/i, /^[xc%]$/i]; // a unit by itself: "1.5 x"
  if (!tokens.some((token) => plain.test(token)) || tokens.some((token) => unit.test(token))) return text;
  return tokens
    .map((token) =>
      token
        .replace(/^\d*\.?\d+$/, "$&%")
        .replace(/^g1$/i, "a")
        .replace(/^g(\d)$/i, "$1e"),
    )
    .join(", ");
}

/** Return the number that a text is; null where it is empty, and the text where it is none, for the server to refuse. */
export function numberOf(text) {
  const value = text.trim().replaceAll(/[\s_](?=\d{3})/g, "");
  return value === "" ? null : Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Return a form: {board: cards, texts: field → text, sizes: "both", "oop", "ip" → "bets" or street → parts, ranges}. */
export function formOf(settings) {
  const rangeOf = (who) => (typeof who === "object" && who ? who.range : who) ?? "";
  return {
    board: splitCards(settings.board ?? ""),
    texts: Object.fromEntries(FIELDS.map((name) => [name, textOf(name, settings[name])])),
    sizes: {
      both: { bets: partsOf(USUAL_BETS), ...sizesOf(settings) },
      oop: sizesOf(settings.oop),
      ip: sizesOf(settings.ip),
    },
    ranges: { oop: rangeOf(settings.oop), ip: rangeOf(settings.ip) },
  };
}

function textOf(name, value) {
  if (Array.isArray(value)) return value.join("\n");
  if (name === "deck") return value ?? USUAL_DECK;
  if (!SHARES.includes(name)) return String(value ?? "");
  return typeof value === "string"
    ? value.replace("%", "")
    : value
      ? String(Number((100 * value).toPrecision(12)))
      : "";
}

function sizesOf(settings) {
  if (typeof settings !== "object" || !settings) return {};
  const rows = ["bets", ...STREETS].filter((row) => settings[row]);
  return Object.fromEntries(rows.map((row) => [row, partsOf(settings[row])]));
}

/** Return the cards that a deck lacks. */
export const missingCards = (deck) =>
  deck === USUAL_DECK ? [] : [..."2345"].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

/** Return the settings of a form, those that are usual left out. */
export function settingsOf({ board, texts, sizes, ranges }) {
  /** @type {any} */
  const settings = { board: board.join("") };
  for (const name of FIELDS) {
    const text = texts[name].trim();
    if (!text || (name === "deck" && text === USUAL_DECK)) continue;
    if (SHARES.includes(name)) settings[name] = `${text.replace("%", "").trim()}%`;
    else if (LINES.includes(name))
      settings[name] = text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    else settings[name] = numberOf(text);
  }
  settings.bets = (sizes.both.bets ?? []).join("; ").replace(/[;\s]+$/, "");
  const { bets: _, ...streets } = written(sizes.both);
  Object.assign(settings, streets);
  for (const who of ["oop", "ip"]) {
    const own = written(sizes[who]);
    settings[who] = Object.keys(own).length && ranges[who] ? { range: ranges[who], ...own } : ranges[who];
  }
  return settings;
}

/** Return sizes by row as settings write them: tables of the parts that there are. */
function written(rows) {
  const tables = Object.entries(rows).map(([row, parts]) => [
    row,
    Object.fromEntries(PARTS.map((part, place) => [part, parts[place]]).filter(([, text]) => text)),
  ]);
  return Object.fromEntries(tables.filter(([, table]) => Object.keys(table).length));
}

/** Return what holds where a size is left out: that of all streets, or of both players. */
export function inherited(sizes, scope, row, place) {
  const sources =
    scope === "both"
      ? [row !== "bets" && sizes.both.bets]
      : row === "bets"
        ? [sizes.both.bets]
        : [sizes[scope].bets, sizes.both[row], sizes.both.bets];
  return sources.map((parts) => parts && parts[place]).find(Boolean) || (place === 2 ? "as bets" : "none");
}
