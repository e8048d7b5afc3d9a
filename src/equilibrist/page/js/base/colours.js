// Colours of actions: folds blue, checks and calls green, bets and raises amber to red by size; others in a palette
// that all kinds of colour vision tell apart. A colour never stands alone: a label or a title says the same.

const FOLD = /^(f|fold)$/i;
const PASSIVE = /^(x|c|check|call|pass)$/i;
const BET = /^(?:(?:bet|raise|all-?in|allin)\b.*|[bra]\d[\d.]*|bet|raise|push)$/i;
const SHADES = 5;
const CATEGORIES = 8;

const size = (label) => (/all-?in|push|^a\d/i.test(label) ? Infinity : Number(/[\d.]+/.exec(label)?.[0] ?? 0));

/** Return the colour of an action among those of its decision, as a value of CSS. */
export function actionColour(label, actions) {
  const betting = actions.every((action) => FOLD.test(action) || PASSIVE.test(action) || BET.test(action));
  if (!betting) return `var(--cat-${(actions.indexOf(label) % CATEGORIES) + 1})`;
  if (FOLD.test(label)) return "var(--fold)";
  if (PASSIVE.test(label)) return "var(--passive)";
  const bets = actions.filter((action) => BET.test(action)).sort((a, b) => size(a) - size(b));
  const place = bets.indexOf(label);
  const shade = bets.length === 1 ? 2 : Math.round((place / (bets.length - 1)) * (SHADES - 1));
  return `var(--bet-${shade + 1})`;
}

/** Return the colour of the n-th of several things. */
export const category = (number) => `var(--cat-${(number % CATEGORIES) + 1})`;
