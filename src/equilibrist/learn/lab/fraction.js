// Numbers as the labs show and read them: a fraction where a number is one, else digits.

const LARGEST = 1000;
const CLOSE = 1e-12;
const MINUS = "−";

/**
 * Return numerator and denominator of the fraction that a number is, up to rounding; null where it is none with a
 * denominator of at most 1,000.
 * @param {number} value
 * @returns {[number, number] | null}
 */
export function asFraction(value) {
  let [before, last] = [0, 1];
  let [numerator, denominator] = [1, 0];
  let rest = value;
  for (let i = 0; i < 20 && Number.isFinite(rest); i++) {
    const whole = Math.floor(rest);
    [before, numerator] = [numerator, whole * numerator + before];
    [last, denominator] = [denominator, whole * denominator + last];
    if (denominator > LARGEST) return null;
    if (Math.abs(value - numerator / denominator) <= CLOSE * Math.max(1, Math.abs(value)))
      return [numerator, denominator];
    rest = 1 / (rest - whole);
  }
  return null;
}

/**
 * Return a number as text: −0.05555… → "−1/18", 0.0213948… → "0.02139"; `digits` are those of a number that is no
 * fraction.
 * @param {number} value
 */
export function exact(value, digits = 4) {
  const fraction = asFraction(value);
  if (!fraction) return decimal(value, digits);
  const [numerator, denominator] = fraction;
  const text = denominator === 1 ? `${Math.abs(numerator)}` : `${Math.abs(numerator)}/${denominator}`;
  return numerator < 0 ? MINUS + text : text;
}

/**
 * Return a number in so many digits: 0.0213948 → "0.02139", 1.2e-9 → "1.2e−9".
 * @param {number} value
 */
export function decimal(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(digits));
  const text = rounded !== 0 && Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
  return text.replaceAll("-", MINUS);
}

/** Return a number with its sign, also where it is positive: "+1/4". */
export const signed = (value, digits = 4) =>
  (value > 0 && exact(value, digits) !== "0" ? "+" : "") + exact(value, digits);

/** Return a number in brackets where it is negative, as a factor. */
export const factor = (value, digits = 4) => (value < 0 ? `(${exact(value, digits)})` : exact(value, digits));

/**
 * Return the number that somebody has typed: "1/3", "0.25", "0,25", "25 %", "−2"; NaN where it is none.
 * @param {string} text
 */
export function parse(text) {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+))\s*(?:\/\s*(\d+\.?\d*)|(%))?$/.exec(plain);
  if (!found) return NaN;
  return Number(found[1]) / (found[2] ? Number(found[2]) : found[3] ? 100 : 1);
}

/** Return how many iterations there were in words: 1 → "1 iteration", 2000 → "2,000 iterations". */
export const iterationsInWords = (count) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? "iteration" : "iterations"}`;
