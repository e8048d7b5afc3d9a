// Numbers as people type them, as the server reads them.

const GROUPED = /^[1-9]\d{0,2}([,\s_]\d{3})+(\.\d*)?$/;

/**
 * Return a number that may have a decimal comma, or groups of three digits: "0,5" → "0.5", "12,500" → "12500",
 * "0,125" → "0.125". What is no number goes as it is, and the server says what is wrong.
 * @param {string} text
 * @returns {string}
 */
export function decimal(text) {
  const plain = text.trim();
  if (GROUPED.test(plain)) return plain.replace(/[,\s_]/g, "");
  return /^-?\d*,\d+$/.test(plain) ? plain.replace(",", ".") : plain;
}

/**
 * Return a whole number without what groups its digits: "1,000,000" → "1000000".
 * @param {string} text
 * @returns {string}
 */
export const whole = (text) => text.trim().replace(/[,\s_](?=\d{3}(?!\d))/g, "");

/**
 * Return a share of the pot as the server reads it: "0,5 %" → "0.5%".
 * @param {string} text
 * @returns {string}
 */
export const share = (text) => `${decimal(text.replace("%", ""))}%`;

/**
 * Return a goal that is a payoff, or a share of the pot where it says so: "0,001" → "0.001", "0,5%" → "0.5%".
 * @param {string} text
 * @returns {string}
 */
export const goal = (text) => (text.includes("%") ? share(text) : decimal(text));
