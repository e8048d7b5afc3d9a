// Numbers with their names, and how good a solution is in a sentence.
import { h } from "../base/dom.js";
import { gap as gapText, gapOf, payoff } from "../base/format.js";
import { playerName, typeset } from "../base/words.js";
import { explain, MEANINGS } from "./explain.js";

/** @import { Overview } from "../base/answers.js" */

/**
 * Return a number with its name, and what it means.
 *
 * @param {string} name
 * @param {any} value
 * @param {string | null} meaning
 */
export const stat = (name, value, meaning = null) =>
  h("div", { class: "stat" }, explain(h("dt", {}, name), meaning), h("dd", {}, value));

const SIMPLEST =
  "In brackets is the simplest fraction within the certificate, where a number at random would hardly have one.";

/**
 * Return the value of a game to each player, and the fraction that it may be.
 *
 * @param {Pick<Overview, "value" | "fractions">} run
 */
export const valueStat = ({ value, fractions }) =>
  stat(
    "Value",
    value.map((one, who) => [
      who > 0 && " / ",
      payoff(one, 4),
      fractions[who] && ` (${fractions[who].replace("-", "−")})`,
    ]),
    [MEANINGS.Value, "One number for each player.", fractions.some(Boolean) && SIMPLEST].filter(Boolean).join(" "),
  );

/**
 * Return what each of several players could gain by deviating alone.
 *
 * @param {Pick<Overview, "deviation_gains" | "names">} run
 */
export const gainStat = ({ deviation_gains, names }) =>
  stat(
    "Gain by deviating",
    deviation_gains.map((gain, who) => [who > 0 && " / ", h("span", { title: playerName(names, who) }, gapText(gain))]),
    "What each player could gain by answering the others best, alone. Where all are 0, it is an equilibrium.",
  );

/**
 * Return the exploitability of a run, and what that means.
 *
 * @param {Pick<Overview, "quality" | "guarantee" | "measures">} about
 */
export const quality = (about) =>
  h(
    "p",
    { class: "quality", title: about.guarantee },
    !("response_gap" in about.measures) && [h("b", {}, gapOf(about)), " "],
    h("span", { class: "note" }, typeset(about.quality)),
  );
