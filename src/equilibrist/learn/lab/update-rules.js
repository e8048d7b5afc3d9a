// The numbers that tell the algorithms of CFR apart, as equilibrist.cfr.algorithms has them.

/**
 * @typedef {object} Algorithm The numbers that tell algorithms apart, as equilibrist.Algorithm has them.
 * @property {number} [alpha] exponent of the discount of positive regret sums; none where it is left out
 * @property {number} [beta] the same for negative ones
 * @property {boolean} [floor] whether regret sums are cut at 0
 * @property {number} [predict] the weight of the last instant regret in the next strategy
 * @property {boolean} [discountPredicted] whether the regret sum is discounted once more for the next strategy
 * @property {number} gamma iteration t counts t^gamma in the average
 */

/** @type {Record<string, Algorithm>} */
export const ALGORITHMS = {
  cfr: { gamma: 0 },
  "cfr+": { floor: true, gamma: 1 },
  lcfr: { alpha: 1, beta: 1, gamma: 1 },
  dcfr: { alpha: 1.5, beta: 0, gamma: 2 },
  "dcfr+": { alpha: 1.5, floor: true, gamma: 4 },
  "pcfr+": { floor: true, predict: 1, gamma: 2 },
  "sapcfr+": { floor: true, predict: 1 / 3, gamma: 2 },
  "pdcfr+": { alpha: 2.3, floor: true, predict: 1, discountPredicted: true, gamma: 5 },
};

/** Return what a regret sum is multiplied by on entering iteration t: 1 where there is no exponent. */
const discount = (exponent, t) => (exponent === undefined ? 1 : 1 / (1 + (t - 1) ** -exponent));

/**
 * Return the scalars of iteration t.
 * @param {Algorithm} algorithm
 */
export const scalars = (algorithm, t) => ({
  positive: discount(algorithm.alpha, t),
  negative: discount(algorithm.beta, t),
  predicted: algorithm.discountPredicted ? discount(algorithm.alpha, t + 1) : 1,
  average: ((t - 1) / t) ** algorithm.gamma,
});
