// Settings of a spot as the form of a new one has them: texts of its fields, sizes by player and street, and back.
// A setting that has no field is carried along, and what a field cannot hold is refused: no setting is lost.
import { RANKS, splitCards, SUITS } from "../cards/cards.js";

export const STREETS = ["flop", "turn", "river"];
export const PARTS = ["bet", "raise", "donk"];
/** Fields that are a share of the pot, written in percent. */
const SHARES = ["add_all_in", "force_all_in", "merge", "rake"];
const LINES = ["add_lines", "remove_lines"];
/** Fields that are a list of numbers, with commas between. */
const NUMBERS = ["prizes", "others", "surplus"];
export const FIELDS = [
  "pot",
  "stack",
  ...SHARES.slice(0, 3),
  "max_raises",
  "min_bet",
  "chip",
  "rake",
  "rake_cap",
  ...NUMBERS,
  ...LINES,
];
/** Decks by name, the usual one first; of others than it, ranks from the sixes up alone. */
export const DECKS = {
  full: "52 cards",
  short: "Short deck",
  "short, trips beat straights": "Short deck, trips beat straights",
};
const USUAL_DECK = Object.keys(DECKS)[0];
const OMAHA = "omaha";
const NO_LIMIT = "omaha, no limit";
/** The games of a new spot, the usual one first: decks of hold'em, and Omaha. */
export const KINDS = {
  full: "Hold'em",
  short: "Short deck",
  "short, trips beat straights": "Short deck, trips beat straights",
  [OMAHA]: "Omaha, pot limit",
  [NO_LIMIT]: "Omaha, no limit",
};
const OF_KIND = ["deck", "game", "pot_limit"]; // settings that the kind of game stands for
const USUAL_BETS = "50%, a; a";
const USUAL_BETS_OF_OMAHA = "50%, 100%; 100%";
/** Ranges to begin with, of players who have chosen Omaha and nothing else yet. */
export const OMAHA_RANGES = { oop: "AA:xxyy,KKQJ:xxyy,JT98:xxyy", ip: "KK:xxyy,QQJJ,T987:xxyy" };
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

/** Settings of which the form has fields; all others are carried along. */
const WITH_FIELDS = ["board", "oop", "ip", "bets", ...STREETS, ...FIELDS, ...OF_KIND];
const OF_PLAYER = ["range", "bets", ...STREETS];

/** A setting that the form cannot hold: a sentence, and the setting. */
export class SettingError extends Error {
  constructor(message, field = null) {
    super(message);
    this.field = field;
    this.status = 0; // as an error of the API has it
  }
}

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isMissing = (value) => value === null || value === undefined;

/** Return a value as the beginning of what it is written as, for a sentence. */
function asGot(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)} …` : text;
}

function refuse(field, expected, value) {
  throw new SettingError(`${field} must be ${expected}; got ${asGot(value)}.`, field);
}

/** Refuse settings of which the fields of the form cannot hold everything. */
export function checkSettings(settings) {
  if (!isTable(settings)) throw new SettingError(`A spot is an object of settings; got ${asGot(settings)}.`);
  checkKind(settings);
  checkBoard(settings.board);
  for (const who of ["oop", "ip"]) checkPlayer(who, settings[who]);
  for (const row of ["bets", ...STREETS]) checkSizes(row, settings[row]);
  for (const name of FIELDS) checkField(name, settings[name]);
}

function checkKind({ game, deck, pot_limit: limit }) {
  if (!isMissing(game) && !["holdem", OMAHA].includes(game)) refuse("game", '"holdem" or "omaha"', game);
  if (!isMissing(deck) && !(game !== OMAHA && Object.hasOwn(DECKS, deck)))
    refuse("deck", game === OMAHA ? "left out of Omaha" : `one of ${Object.keys(DECKS).map(asGot).join(", ")}`, deck);
  if (!isMissing(limit) && !(game === OMAHA && typeof limit === "boolean"))
    refuse("pot_limit", "true or false, and of Omaha alone", limit);
}

/** Return whether a kind of game has hands of four cards. */
export const isOmaha = (kind) => kind === OMAHA || kind === NO_LIMIT;

/** Return the kind of game of a spot. */
export function kindOf(settings) {
  if (settings.game === OMAHA) return settings.pot_limit === false ? NO_LIMIT : OMAHA;
  return settings.deck ?? USUAL_DECK;
}

/** Return the settings that a kind of game stands for, those that are usual left out. */
function settingsOfKind(kind) {
  if (kind === NO_LIMIT) return { game: OMAHA, pot_limit: false };
  if (kind === OMAHA) return { game: OMAHA };
  return kind === USUAL_DECK ? {} : { deck: kind };
}

function checkBoard(board) {
  if (isMissing(board)) return;
  if (typeof board !== "string") refuse("board", 'cards as a text, such as "QsJh2h"', board);
  const written = board.replace(/[\s,]+/g, "");
  const cards = splitCards(board);
  if (cards.join("").length !== written.length || cards.length > 5)
    refuse("board", 'at most five cards, such as "QsJh2h"', board);
}

function checkPlayer(who, setting) {
  if (isMissing(setting) || typeof setting === "string") return;
  if (!isTable(setting)) refuse(who, "a range as a text, or a table with one", setting);
  const unknown = Object.keys(setting).find((key) => !OF_PLAYER.includes(key));
  if (unknown) throw new SettingError(`${who} has no setting ${asGot(unknown)}.`, who);
  if (!isMissing(setting.range) && typeof setting.range !== "string")
    refuse(`${who}.range`, "a range as a text", setting.range);
  for (const row of OF_PLAYER.slice(1)) checkSizes(`${who}.${row}`, setting[row]);
}

function checkSizes(row, sizes) {
  if (isMissing(sizes)) return;
  const expected = 'sizes, such as "50%, a; 3x", or a table of bet, raise and donk';
  if (typeof sizes === "string") {
    if (sizes.split(";").length > PARTS.length) refuse(row, expected, sizes);
    return;
  }
  if (!isTable(sizes)) refuse(row, expected, sizes);
  for (const [part, text] of Object.entries(sizes))
    if (!PARTS.includes(part) || typeof text !== "string") refuse(row, expected, sizes);
}

function checkField(name, value) {
  if (isMissing(value)) return;
  if (LINES.includes(name)) {
    const isList = Array.isArray(value) && value.every((line) => typeof line === "string" && !line.includes("\n"));
    if (!isList) refuse(name, "a list of lines", value);
  } else if (NUMBERS.includes(name)) {
    const isList = Array.isArray(value) && value.every((each) => typeof each === "number" || typeof each === "string");
    if (!isList) refuse(name, "a list of numbers", value);
  } else if (typeof value !== "number" && typeof value !== "string") refuse(name, "a number", value);
}

/**
 * Return the settings of a spot in an address, those of an example where it has none that the form can hold, and then what
 * is wrong with them.
 *
 * @param {URLSearchParams} query
 */
export function spotInAddress(query) {
  const text = query.get("spot");
  if (text === null) return { settings: EXAMPLE, problem: "" };
  try {
    const settings = JSON.parse(text);
    checkSettings(settings);
    return { settings, problem: "" };
  } catch (error) {
    const reason = error instanceof SettingError ? error.message : "It is no JSON.";
    return { settings: EXAMPLE, problem: `The spot in the address cannot be shown, this is an example. ${reason}` };
  }
}

/** Return [bet, raise, donk] of sizes, which settings write as a text or as a table: there "" is none, too. */
export function partsOf(sizes) {
  if (!sizes) return ["", "", ""];
  if (typeof sizes === "object") return PARTS.map((part) => (part in sizes ? sizes[part].trim() || "none" : ""));
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

/**
 * Return a form: {kind: of game, board: cards, texts: field → text, sizes: "both", "oop", "ip" → "bets" or street → parts, ranges,
 * carried: settings without a field}; throw a SettingError where it cannot hold a setting.
 */
export function formOf(settings) {
  checkSettings(settings);
  const rangeOf = (who) => (isTable(who) ? who.range : who) ?? "";
  const kind = kindOf(settings);
  const bets = settings.bets ?? (isOmaha(kind) ? USUAL_BETS_OF_OMAHA : USUAL_BETS);
  return {
    kind,
    board: splitCards(settings.board ?? ""),
    texts: Object.fromEntries(FIELDS.map((name) => [name, textOf(name, settings[name])])),
    sizes: {
      both: { ...sizesOf(settings), bets: partsOf(bets) },
      oop: sizesOf(settings.oop),
      ip: sizesOf(settings.ip),
    },
    ranges: { oop: rangeOf(settings.oop), ip: rangeOf(settings.ip) },
    carried: carriedOf(settings),
  };
}

/** Return the settings that have no field, but for empty ones, which say nothing. */
function carriedOf(settings) {
  const isEmpty = (value) => isMissing(value) || value === "" || (Array.isArray(value) && !value.length);
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => !WITH_FIELDS.includes(name) && !isEmpty(value)),
  );
}

const MEANING_OF_AFTER = "Pot, stack and sizes are those before these actions, board and ranges those after them.";

/**
 * Return what is carried along in words: {name, text, details} for each setting.
 *
 * @param {Record<string, any>} carried
 */
export const carriedInWords = (carried) =>
  Object.entries(carried).map(([name, value]) => {
    if (name === "after") return { name, text: `The spot begins after ${value}`, details: [MEANING_OF_AFTER] };
    if (name === "locks" && Array.isArray(value)) {
      const text = value.length === 1 ? "1 lock" : `${value.length} locks`;
      return { name, text, details: value.map(lockInWords) };
    }
    return { name, text: `${name}: ${asGot(value)}`, details: [] };
  });

/** Return a lock in words: "X-B100: F 30 %, C 70 %, with QQ, on Td9d6hQc". */
function lockInWords(lock) {
  if (!isTable(lock) || !isTable(lock.strategy)) return asGot(lock);
  const share = (value) => (typeof value === "number" ? `${Number((100 * value).toPrecision(4))} %` : String(value));
  const mix = Object.entries(lock.strategy).map(([action, value]) => `${action} ${share(value)}`);
  const hands = isMissing(lock.hands) ? "" : `, with ${lock.hands}`;
  const board = isMissing(lock.board) ? "" : `, on ${lock.board}`;
  return `${lock.line || "at the start"}: ${mix.join(", ")}${hands}${board}`;
}

function textOf(name, value) {
  if (Array.isArray(value)) return value.join(NUMBERS.includes(name) ? ", " : "\n");
  if (!SHARES.includes(name)) return String(value ?? "");
  if (typeof value === "string") return value.replace("%", "").trim();
  const isUsual = isMissing(value) || (name === "rake" && value === 0);
  return isUsual ? "" : percentOf(value);
}

/** Return a share in percent, with as many digits as it takes: read again it is the same, but for the last bits. */
function percentOf(share) {
  const written = [12, 17].map((digits) =>
    new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: digits }).format(100 * share),
  );
  const isShort = Math.abs(Number(written[0]) / 100 - share) <= 4 * Number.EPSILON * share;
  return isShort ? written[0] : written[1];
}

function sizesOf(settings) {
  if (!isTable(settings)) return {};
  const rows = ["bets", ...STREETS].filter((row) => settings[row]);
  return Object.fromEntries(rows.map((row) => [row, partsOf(settings[row])]));
}

/** Return the ranks of the cards of a kind of game, or of a deck, the highest first. */
export const ranksOf = (kind) =>
  Object.hasOwn(DECKS, kind) && kind !== USUAL_DECK ? RANKS.slice(0, RANKS.indexOf("5")) : RANKS;

/** Return the cards that a kind of game, or a deck, lacks. */
export const missingCards = (kind) =>
  [...RANKS].filter((rank) => !ranksOf(kind).includes(rank)).flatMap((rank) => [...SUITS].map((suit) => rank + suit));

/** Return the settings of a form, those that are usual left out. */
export function settingsOf({ kind = USUAL_DECK, board, texts, sizes, ranges, carried }) {
  /** @type {any} */
  const settings = { ...carried, ...settingsOfKind(kind), board: board.join("") };
  for (const name of FIELDS) {
    const text = texts[name].trim();
    if (!text) continue;
    if (SHARES.includes(name)) settings[name] = `${text.replace("%", "").trim()}%`;
    else if (LINES.includes(name))
      settings[name] = text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    else if (NUMBERS.includes(name))
      settings[name] = text
        .split(/[\s,;/]+/)
        .filter(Boolean)
        .map(numberOf);
    else settings[name] = numberOf(text);
  }
  settings.bets = (sizes.both.bets ?? []).join("; ").replace(/[;\s]+$/, "");
  const { bets: _, ...streets } = written(sizes.both);
  Object.assign(settings, streets);
  for (const who of ["oop", "ip"]) {
    const own = written(sizes[who]);
    settings[who] = Object.keys(own).length ? { range: ranges[who], ...own } : ranges[who];
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
