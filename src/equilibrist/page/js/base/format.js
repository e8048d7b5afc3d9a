// Numbers as they are shown: one place, so that the same number looks the same everywhere.

const MINUS = "−";
const signed = (text) => text.replace("-", MINUS);
const missing = "–";
const is = (value) => typeof value === "number" && Number.isFinite(value);

// To make a format takes longer than to use it, and a page of hands has hundreds of numbers.
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const TWO_PLACES = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const BOTH_PLACES = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 1234567 → "1,234,567" */
export const count = (value) => (is(value) ? signed(WHOLE.format(value)) : missing);

/** 1234567 → "1.23 M" */
export function short(value) {
  if (!is(value)) return missing;
  for (const { unit, size } of [
    { unit: "G", size: 1e9 },
    { unit: "M", size: 1e6 },
    { unit: "k", size: 1e3 },
  ]) {
    if (Math.abs(value) >= 0.9995 * size) return `${signed(digits(value / size, 3))} ${unit}`;
  }
  return signed(digits(value, 3));
}

function digits(value, number) {
  const text = Number(value.toPrecision(number));
  return Math.abs(text) >= 1e-4 || text === 0 ? String(text) : text.toExponential();
}

/** 0.12345 → "12.3 %"; `places` after the point */
export const percent = (value, places = 1) => (is(value) ? `${signed((100 * value).toFixed(places))} %` : missing);

/** A payoff or an EV: 1.23456 → "1.235" */
export const payoff = (value, places = 3) => (is(value) ? signed(zero(value.toFixed(places))) : missing);

/** Chips: at most two places, none where they are whole: 100 → "100", 33.333 → "33.33" */
export const chips = (value) => (is(value) ? signed(zero(TWO_PLACES.format(value))) : missing);

/** A mean of chips, which is seldom whole: always two places: 105 → "105.00", 33.333 → "33.33" */
export const average = (value) => (is(value) ? signed(zero(BOTH_PLACES.format(value))) : missing);

const zero = (text) => (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);

/** Exploitability in two digits: 0.00013 → "1.3e−4", 0.23 → "0.23" */
export function gap(value) {
  if (!is(value)) return missing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  return signed(size >= 0.01 && size < 1000 ? String(Number(value.toPrecision(2))) : value.toExponential(1));
}

/** What the players of a run gain by deviating alone. */
const gainsOf = (run) => (run.deviation_gains ?? []).filter(is);

/** What tells how exact a game of so many players is solved: with three and more no theorem stands for more than gains. */
export const gapNameOf = (players) => (players > 2 ? "largest gain" : "exploitability");

/** The same of a run. */
export const gapName = (run) => gapNameOf(gainsOf(run).length);

/** The heading above numbers of these names: "Exploitability", "Largest gain", or both where some are of each kind. */
export const gapHeadingOf = (names) => measureName([...new Set(names)].sort().join(" / ") || gapNameOf(2));

/** The same of runs. */
export const gapHeading = (runs) => gapHeadingOf(runs.map(gapName));

/** @typedef {{measures: {[name: string]: number | null}, deviation_gains?: (number | null)[]}} Judged a run or a checkpoint */

/**
 * How exact a run or a checkpoint is, by what gapName says: payoff per game, and % of the pot where there is one.
 *
 * @param {Judged} run
 * @returns {{amount: number | null, percent: number | null}}
 */
export function gapsOf({ measures, deviation_gains }) {
  const { exploitability = null, exploitability_percent: percent = null } = measures;
  const gains = gainsOf({ deviation_gains });
  if (gains.length < 3) return { amount: exploitability, percent };
  const amount = Math.max(...gains);
  if (percent === null || !exploitability) return { amount, percent };
  return { amount, percent: (percent * amount) / exploitability };
}

/** The same as a text, in % of the pot where there is one. @param {Judged} run */
export function gapOf(run) {
  const { amount, percent } = gapsOf(run);
  return percent === null ? gap(amount) : `${signed(String(Number(percent.toPrecision(2))))} % pot`;
}

/** The same below a heading of several runs: with its name where the heading leaves it open. */
export const gapBelow = (run, heading) =>
  gainsOf(run).length > 2 && measureName(gapName(run)) !== heading ? `${gapOf(run)}, ${gapName(run)}` : gapOf(run);

const MEASURES = {
  exploitability: "Exploitability",
  exploitability_percent: "Exploitability, % of the pot",
  cce_distance: "Distance from a coarse correlated equilibrium",
};
/** The name of a measure for people: "qre_gap" → "Qre gap" where it is none of the usual ones. */
export const measureName = (name) => MEASURES[name] ?? `${name[0].toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

/** Where a decision of a spot is in the betting, as SpotNode.where: a part of a hand begins `after` a line. */
export function whereOf(after, line) {
  const lines = [after, line].filter(Boolean);
  return lines.length ? `after ${lines.join(", then ")}` : "at the start";
}

/** Seconds: 0.0123 → "12 ms", 75 → "1 min 15 s", 4000 → "1 h 7 min" */
export function duration(seconds) {
  if (!is(seconds)) return missing;
  if (seconds < 0.9995) return `${Number((1000 * seconds).toPrecision(2))} ms`;
  if (seconds < 59.95) return `${Number(seconds.toPrecision(3))} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole / 60} min`;
  const minutes = Math.round(whole / 60);
  if (minutes < 48 * 60)
    return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
  return `${Math.round(minutes / 1440)} days`;
}

/** Bytes: 123456 → "123 kB" */
export const bytes = (value) => (!is(value) ? missing : value < 999.5 ? `${value} B` : `${short(value)}B`);

/** A time as people tell it: "2 min ago", "yesterday, 14:05", "3 Nov 2026" */
export function ago(time, now = Date.now()) {
  const when = typeof time === "number" ? new Date(1000 * time) : new Date(time);
  if (Number.isNaN(when.getTime())) return missing;
  const seconds = (now - when.getTime()) / 1000;
  const clock = when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(when).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days <= 0) return `today, ${clock}`;
  if (days === 1) return `yesterday, ${clock}`;
  return when.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** The whole time, for a tooltip. */
export function moment(time) {
  const when = typeof time === "number" ? new Date(1000 * time) : new Date(time);
  return Number.isNaN(when.getTime()) ? missing : when.toLocaleString("en-GB");
}

/**
 * Return a part as a share of a whole; null where it is not known.
 *
 * @param {number | null} part
 * @param {number} whole
 */
export const shareOf = (part, whole) => (part === null ? null : part / whole);

/**
 * Return by how much a number has changed; null where one of them is not known.
 *
 * @param {number | null | undefined} after
 * @param {number | null | undefined} before
 */
export const changeBy = (after, before) =>
  typeof after === "number" && typeof before === "number" ? after - before : null;
