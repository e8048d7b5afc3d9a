// What games, lines, actions and algorithms are called on the page.
import { amount } from "./units.js";

const POKER = /^(?:[XFC]|[BRA]\d[\d.]*|bet|raise)$/; // the last two: of any size
const WORDS = { X: "Check", C: "Call", F: "Fold", B: "Bet", R: "Raise to", A: "All-in" };

/**
 * Return an action in words: "B120" → "Bet 120" where all actions of its decision are written so.
 * @param {string} label
 * @param {string[]} actions
 * @returns {string}
 */
export function inWords(label, actions) {
  if (actions.every((one) => POKER.test(one)) && label[0] in WORDS)
    return `${WORDS[label[0]]} ${label.length > 1 ? amount(Number(label.slice(1))) : ""}`.trim();
  return capital(label);
}

/**
 * Return a line of actions in words, a street a part.
 * @param {string} line
 * @returns {string}
 */
export function lineInWords(line) {
  return line
    .split("|")
    .map((street) => {
      const actions = street.trim().split("-").filter(Boolean);
      return actions.map((action) => (POKER.test(action) ? inWords(action, [action]) : action)).join(", ");
    })
    .join(" | ");
}

const SPOT = /^(holdem|omaha)\(board='([^']+)'.*?\bpot=([\d.]+), stack=([\d.]+)(.*)/s;
const KINDS = { holdem: "Hold'em", omaha: "Omaha" };
const FOLDERS = /^[^('"]*[\\/](?=[^\\/]+\.(?:toml|json|txt|efg|nfg|py:.*)$)/s;

/**
 * Return the name of a game in a few words: a spot by its board and pot, a file without its folder.
 * @param {string} text
 * @returns {string}
 */
export function gameInWords(text) {
  const [, name, board, pot, stack, rest] = SPOT.exec(text) ?? [];
  if (!name) return text.replace(FOLDERS, "");
  const kind = rest.includes(", deck=") ? "Short deck" : KINDS[name];
  const streets = [board.slice(0, 6), board.slice(6, 8), board.slice(8)].filter(Boolean).join(" ");
  const [, after] = /, after='([^']+)'/.exec(rest) ?? [];
  return `${kind} ${streets}, pot ${pot}, stacks ${stack}${after ? `, after ${after}` : ""}`;
}

/**
 * Return what a run is headed by: the title that the server gives it, or its game in words.
 * @param {{title?: string | null, game?: string | null}} run
 * @returns {string}
 */
export const titleOf = (run) => run.title ?? gameInWords(run.game ?? "–");

/**
 * Return the algorithm of a run with its sampling where it samples: "cfr", "cfr, outcome(epsilon=0.4)".
 * @param {{algorithm?: string | null, sampling?: string | null}} run
 * @returns {string}
 */
export const algorithmOf = ({ algorithm, sampling }) =>
  algorithm ? (sampling && sampling !== "full" ? `${algorithm}, ${sampling}` : algorithm) : "–";

/** What may tell runs apart, with how it is written. */
const APART = {
  game: (run) => titleOf(run),
  algorithm: (run) => run.algorithm,
  alternating: (run) => (run.alternating === false ? "all at once" : "in turn"),
  sampling: (run) => run.sampling,
  concept: (run) => run.concept,
  seed: (run) => (run.seed === null || run.seed === undefined ? null : `seed ${run.seed}`),
  precision: (run) => run.precision,
};

/**
 * Return names that tell runs apart, by what differs between them: "cfr · seed 1"; where that does not do, with the name of
 * the run before it, or its whole path where two have that name.
 * @param {any[]} runs
 * @returns {string[]}
 */
export function legendNames(runs) {
  const rows = runs.map((run) => Object.values(APART).map((text) => text(run) ?? ""));
  const differing = rows.map((row) =>
    row.filter((text, place) => text && rows.some((other) => other[place] !== text)).join(" · "),
  );
  if (runs.length > 1 && new Set(differing).size === runs.length && differing.every(Boolean)) return differing;
  const path = (id) => id.replaceAll("~1", "/").replaceAll("~0", "~");
  return runs.map((run, k) => {
    const name = runs.filter((other) => other.name === run.name).length > 1 ? path(run.id) : run.name;
    return differing[k] ? `${name} · ${differing[k]}` : name;
  });
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Return what a player is called: by the name that the game has for it, if any.
 * @param {string[] | undefined} names
 * @param {number} player
 */
export const playerName = (names, player) => names?.[player] || `player ${player}`;

/** What the built-in algorithms are called in full, and their papers: as in equilibrist.cfr.algorithms. */
/** @type {Record<string, [string, string]>} */
const ALGORITHMS = {
  cfr: ["Counterfactual Regret Minimisation", "Zinkevich et al. 2007"],
  "cfr+": ["CFR⁺: no regret sum below 0", "Tammelin 2014"],
  lcfr: ["Linear CFR", "Brown & Sandholm 2019"],
  dcfr: ["Discounted CFR", "Brown & Sandholm 2019"],
  "dcfr+": ["Discounted CFR⁺", "Xu et al. 2024"],
  "pcfr+": ["Predictive CFR⁺", "Farina, Kroer & Sandholm 2021"],
  "sapcfr+": ["Simple Asymmetric Predictive CFR⁺", "arXiv 2503.12770"],
  "pdcfr+": ["Predictive Discounted CFR⁺", "Xu et al. 2024"],
  "hs-dcfr": ["Discounted CFR with hyperparameter schedules", "arXiv 2404.09097"],
  "hs-pcfr+": ["Predictive CFR⁺ with hyperparameter schedules", "arXiv 2404.09097"],
};

/**
 * Return an algorithm in full with its paper: "sapcfr+" → "Simple Asymmetric Predictive CFR⁺ · arXiv 2503.12770"; null
 * for one of somebody's own.
 * @param {string | null | undefined} name
 * @returns {string | null}
 */
export const spelledOut = (name) => ALGORITHMS[name ?? ""]?.join(" · ") ?? null;

/**
 * Return a sentence of the server with its numbers written as on the page: 1.1e-08 → 1.1e−8.
 * @param {string} sentence
 * @returns {string}
 */
export const typeset = (sentence) =>
  sentence.replace(/(\d)e([+-])0*(\d+)/g, (_, digit, sign, power) => {
    return `${digit}e${sign === "-" ? "−" : ""}${power}`;
  });

const plain = (text) => text.toLowerCase().replace(/['’"]/g, "");

/**
 * Return whether all words of a search are in what is known of a run or a report: "hold'em", "Td 9d 6h cfr+".
 * @param {string} search
 * @param {any} row
 * @returns {boolean}
 */
export function fits(search, row) {
  const name = row.spot ? titleOf(row) : (row.title ?? "");
  const text = plain(
    [row.id, row.game, name, row.algorithm, row.sampling, row.stop_reason, row.note, ...(row.tags ?? [])]
      .filter(Boolean)
      .join(" "),
  );
  const words = plain(search).split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}
