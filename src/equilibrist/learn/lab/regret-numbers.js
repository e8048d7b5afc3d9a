// Numbers of the small labs: fractions of small denominators, else a fixed number of places, so that columns are still.

import { asFraction, exact } from "./fraction.js";

const MINUS = "−";

/** Return a number with so many places: -0.5 → "−0.500". */
export function fixed(value, places = 3) {
  const text = value.toFixed(places);
  return (/^-[0.]*$/.test(text) ? text.slice(1) : text).replace("-", MINUS);
}

/** Return a number as a fraction where it is one of a small denominator, else with three places: 0.4 → "2/5". */
export function fraction(value, largest = 60) {
  const parts = asFraction(value);
  return parts && parts[1] <= largest ? exact(value) : fixed(value);
}

/** Return a number with its sign: 2 → "+2", 0 → "0". */
export const signed = (value, text = fraction) => `${value > 1e-9 ? "+" : ""}${text(value)}`;

/** Return a number of at least 0 in three places, or two digits: 0.1 → "0.100", 0.00123 → "0.0012", 0.000012 → "1.2e−5". */
export function small(value) {
  if (value < 5e-13) return "0";
  if (value >= 0.01) return fixed(value);
  return value < 1e-4 ? value.toExponential(1).replace("-", MINUS) : String(Number(value.toPrecision(2)));
}

/** Return a probability in whole per cent: 0.333 → "33 %". */
export const percent = (value) => `${(100 * value).toFixed(0)} %`;
