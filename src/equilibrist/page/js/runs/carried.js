// Settings of a run that runs made from it take over: in addresses, in words, and the goal that goes with them.

/** Settings of a run as the API has them, and as addresses of forms have them: a test compares them with the server's. */
export const RUN_SETTINGS = [
  ...["algorithm", "sampling", "concept", "form", "precision", "threads", "seed", "alternating", "max_memory_gb"],
  ...["iterations", "until", "seconds", "nodes", "save_streets", "max_histories", "max_depth"],
  ...["record", "record_every", "name", "tags", "note"],
];
/** Stands in an address of a spot for the goal of a run that is to have none. */
const NO_GOAL = "none";

/** Whether a concept is a quantal response: its goal is an error of a probability, not an exploitability. */
export const isQuantalConcept = (concept) => /^\s*qre\((?!0\b(?!\.))/.test(concept ?? "");
const isQuantal = (carried) => isQuantalConcept(carried?.concept);

/** Return carried settings as fields of the address of a form. */
export function carriedFields(carried) {
  const fields = { ...carried };
  if (fields.alternating === false) fields.alternating = "no";
  return isQuantal(carried) ? { until: "0.001", ...fields } : fields;
}

/**
 * Return the settings of a run that an address gives, as texts; several goals are a list.
 *
 * @param {URLSearchParams} query
 * @returns {Record<string, any>}
 */
export function settingsInAddress(query) {
  const settings = {};
  for (const name of RUN_SETTINGS) {
    const values = query.getAll(name);
    if (values.length) settings[name] = values.length > 1 ? values : values[0];
  }
  return settings;
}

/** Return the fields of an address that is kept in a field of another one; a list where there are several of a name. */
export function fieldsOf(text) {
  const query = new URLSearchParams(text ?? "");
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
}

/**
 * Return settings of a run as the API takes them as fields of an address: goals of spots in percent, without the sign. A
 * goal that was taken out is told, for forms of spots and of quantal responses begin with one.
 *
 * @param {Record<string, any>} values
 * @param {{spot: boolean}} options
 */
export function addressOfSettings(values, { spot }) {
  const fields = { ...values };
  if (fields.alternating === false) fields.alternating = "no";
  if (values.until === undefined) return spot || isQuantal(values) ? { ...fields, until: NO_GOAL } : fields;
  const goals = [values.until].flat().map(String);
  return { ...fields, until: spot ? goals.map((goal) => goal.replace(/%$/, "")) : goals };
}

/**
 * Return the goals that settings in an address give: of exploitability or a probability, and of the distance from a CCE.
 *
 * @param {any} until
 * @returns {{goal: string, distance: string}}
 */
export function goalsIn(until) {
  const goals = [until ?? []].flat().map(String);
  const distances = goals.map((text) => /^\s*cce_distance\(([^()]*)\)\s*$/.exec(text)?.[1]);
  const others = goals.filter((text, place) => distances[place] === undefined && text !== NO_GOAL);
  return { goal: others.join(", "), distance: distances.find((text) => text !== undefined) ?? "" };
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
