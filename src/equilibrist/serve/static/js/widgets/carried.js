// Settings of a run that runs made from it take over: in addresses, in words, and the goal that goes with them.

/** Whether the goal of runs with these settings is an error of a probability, not an exploitability. */
const isQuantal = (carried) => /^qre\((?!0\b(?!\.))/.test(carried?.concept ?? "");

/** Return carried settings as fields of the address of a form. */
export function carriedFields(carried) {
  const fields = { ...carried };
  if (fields.alternating === false) fields.alternating = "no";
  return isQuantal(carried) ? { until: "0.001", ...fields } : fields;
}

/** Return carried settings in words: "concept floors(0.01), seed 3"; "" where all are the usual ones. */
export const carriedText = (carried) =>
  Object.entries(carried ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

/** Return the sentence about carried settings that stands at a button which solves again; null where none is needed. */
export function carriedNote(carried) {
  if (carried === null) return "The algorithm of this run has no name that a new run could be given.";
  const text = carriedText(carried);
  return text ? `Solved as this run was: ${text}.` : null;
}

/** Return the goal to begin with, what it is of, and its label. @param {any} carried @param {string} usual @param {string} of */
export const usualGoal = (carried, usual, of) =>
  isQuantal(carried)
    ? { value: "0.001", of: "largest error of a probability", label: "Until" }
    : { value: usual, of, label: "Until an exploitability of" };
