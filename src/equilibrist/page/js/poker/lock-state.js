// What is locked at a decision. The text is what is solved, whoever wrote it, the brush or the keyboard; it can be solved
// as soon as the server has read just this text.
import { CLASSES } from "../cards/grid.js";

/** In place of a mix: each hand as it is solved. */
export const SOLVED = "solved";

const close = (one, other) => one.every((share, k) => Math.abs(share - other[k]) < 1e-9);
const same = (one, other) => one === other || (Array.isArray(one) && Array.isArray(other) && close(one, other));

/**
 * Return the state of locks. `rows` are the hands of who decides: {hand, name (its class), range, mix (null where it cannot
 * be held)}; `actions` are those of the decision.
 */
export function lockState(rows, actions) {
  const hands = rows.filter((row) => row.mix.every((share) => share !== null));
  let locked = new Map(); // hand → a probability for each action, or SOLVED
  let text = "";
  let problem = ""; // why the text cannot be read
  let asked = 0;
  let answered = 0;

  /** Return the text of what is locked: a line for each mix, classes where all of their hands are alike. */
  function written() {
    /** @type {Map<string, string[]>} */
    const names = new Map(CLASSES.map((name) => [name, []]));
    for (const row of hands) names.get(row.name)?.push(row.hand);
    const lines = new Map();
    const add = (mix, name) => mix && lines.set(mixText(mix), [...(lines.get(mixText(mix)) ?? []), name]);
    for (const [name, all] of names) {
      const mixes = all.map((hand) => locked.get(hand));
      if (mixes.length && mixes.every((mix) => mix && same(mix, mixes[0]))) add(mixes[0], name);
      else all.forEach((hand, k) => add(mixes[k], hand));
    }
    return [...lines].map(([mix, names]) => `${names.join(", ")}: ${mix}`).join("\n");
  }

  const mixText = (mix) =>
    mix === SOLVED
      ? "[as solved]"
      : actions
          .map((action, k) => (mix[k] > 0 ? `${action} ${Number((100 * mix[k]).toFixed(2))}` : ""))
          .filter(Boolean)
          .join(", ");

  return {
    get text() {
      return text;
    },
    get problem() {
      return problem;
    },
    /** How many hands that come here are locked. */
    get count() {
      return hands.filter((row) => row.range > 0 && locked.has(row.hand)).length;
    },
    get reading() {
      return answered < asked;
    },
    /** Whether what stands in the text can be solved. */
    get ready() {
      return answered === asked && !problem && locked.size > 0;
    },
    /** Return how a hand is locked: a mix, or null. */
    mixOf(row) {
      const mix = locked.get(row.hand) ?? null;
      return mix === SOLVED ? row.mix : mix;
    },
    /** Return whether all hands of a class are locked to a mix. */
    holds: (name, mix) => hands.every((row) => row.name !== name || same(locked.get(row.hand), mix)),
    /** Lock the hands that fit to a mix, or to SOLVED, or free them (null); the text follows. */
    lock(fits, mix) {
      for (const row of hands.filter(fits)) {
        if (mix === null) locked.delete(row.hand);
        else locked.set(row.hand, mix);
      }
      text = written();
      problem = "";
      answered = ++asked; // what is being read is out of date
    },
    /** Take another text; return its number, which comes with what the server says of it. */
    type(next) {
      text = next;
      return ++asked;
    },
    /** Take what the server has read in a text: {hands, strategy} for each of its lines. */
    take(number, mixes) {
      if (number !== asked) return;
      answered = asked;
      problem = "";
      locked = new Map(mixes.flatMap((one) => one.hands.map((hand) => [hand, one.strategy ?? SOLVED])));
    },
    /** Take why the server cannot read a text; what was locked before is still shown. */
    refuse(number, sentence) {
      if (number !== asked) return;
      answered = asked;
      problem = sentence;
    },
  };
}
