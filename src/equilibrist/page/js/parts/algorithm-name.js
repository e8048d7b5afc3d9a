// The name of an algorithm; its title spells it out and names its paper.
import { h } from "../base/dom.js";
import { algorithmOf, spelledOut } from "../base/words.js";

/**
 * Return the algorithm of a run, with its sampling where it samples.
 * @param {{algorithm?: string | null, sampling?: string | null}} run
 */
export const algorithmName = (run) =>
  h("span", { class: "algorithm", title: spelledOut(run.algorithm) }, algorithmOf(run));
