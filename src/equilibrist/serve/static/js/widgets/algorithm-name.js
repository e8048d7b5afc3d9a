// The name of an algorithm, spelled out with its paper in the title.
import { get } from "../api.js";
import { h } from "../dom.js";
import { algorithmOf, spelledOut } from "../words.js";

/** @type {Promise<Map<string, string>> | null} */
let sources = null;

/**
 * Return the papers of algorithms and of samplings by their names; they are asked for once.
 * @returns {Promise<Map<string, string>>}
 */
function papers() {
  sources ??= get("/algorithms").then(({ algorithms, samplings }) => {
    return new Map([...algorithms, ...samplings].map(({ name, source }) => [name, source]));
  });
  return sources;
}

/**
 * Return the algorithm of a run as an element whose title spells it out and names its paper.
 * @param {{algorithm?: string | null, sampling?: string | null}} run
 * @returns {HTMLElement}
 */
export function algorithmName(run) {
  const element = h("span", { class: "algorithm" }, algorithmOf(run));
  const words = spelledOut(run.algorithm);
  if (words) element.title = words;
  papers().then(
    (found) => {
      const [paper, scheme] = [found.get(run.algorithm ?? ""), found.get((run.sampling ?? "").split("(")[0])];
      const sampled = scheme && run.sampling !== "full" ? `sampling: ${scheme}` : "";
      element.title = [words, paper, sampled].filter(Boolean).join(" · ");
    },
    () => {}, // the name says enough
  );
  return element;
}
