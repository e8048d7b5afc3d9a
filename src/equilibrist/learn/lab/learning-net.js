// A network of fully connected layers with leaky rectifiers between them, fitted to weighted squares by Adam.

/** How much of a negative sum a hidden unit passes on. With 0 units that Adam has turned off stay off, for good. */
export const LEAK = 0.2;
const DECAY = 0.9; // of the mean of gradients
const SQUARE_DECAY = 0.999; // of the mean of their squares
const LEAST = 1e-8; // what keeps a division from one by 0

/**
 * A layer: out[j] = bias[j] + Σ weight[j][i] · in[i]. Rows have the bias last.
 *
 * @typedef {object} Layer
 * @property {Float64Array[]} rows a row of weights and the bias for each unit
 * @property {Float64Array[]} means of gradients, as Adam has them
 * @property {Float64Array[]} squares means of their squares
 */

/** @typedef {{layers: Layer[], steps: number}} Network steps of Adam so far */
/** @typedef {{x: number[], y: number[], weight: number}} Sample features, what is to be said of them, how much it counts */

/**
 * Return a network of random weights, within ±1/√inputs of each layer.
 *
 * @param {number[]} widths of the features, the hidden layers and the outputs
 * @param {() => number} random
 * @returns {Network}
 */
export function makeNetwork(widths, random) {
  const layers = widths.slice(1).map((units, k) => {
    const bound = 1 / Math.sqrt(widths[k]);
    const rowsOf = (make) => Array.from({ length: units }, () => Float64Array.from({ length: widths[k] + 1 }, make));
    return {
      rows: rowsOf(() => bound * (2 * random() - 1)),
      means: rowsOf(() => 0),
      squares: rowsOf(() => 0),
    };
  });
  return { layers, steps: 0 };
}

/** Return what each layer gives, the features first. */
function activations({ layers }, x) {
  const all = [x];
  layers.forEach(({ rows }, k) => {
    const before = all[k];
    const isLast = k === layers.length - 1;
    all.push(
      rows.map((row) => {
        let sum = row[before.length];
        for (let i = 0; i < before.length; i++) sum += row[i] * before[i];
        return isLast || sum > 0 ? sum : LEAK * sum;
      }),
    );
  });
  return all;
}

/** Return what a network says of features. @param {Network} network @param {number[]} x @returns {number[]} */
export const predict = (network, x) => activations(network, x)[network.layers.length];

/**
 * Return the gradient of the loss, Σ weight · Σ (said − y)² / Σ weight, by layer and row.
 *
 * @param {Network} network
 * @param {Sample[]} batch
 * @returns {Float64Array[][]}
 */
export function gradientOf(network, batch) {
  const { layers } = network;
  const gradient = layers.map(({ rows }) => rows.map((row) => new Float64Array(row.length)));
  const total = batch.reduce((sum, { weight }) => sum + weight, 0);
  for (const { x, y, weight } of batch) {
    const all = activations(network, x);
    let delta = all[layers.length].map((said, j) => (2 * weight * (said - y[j])) / total);
    for (let k = layers.length - 1; k >= 0; k--) {
      const before = all[k];
      const back = new Array(before.length).fill(0);
      layers[k].rows.forEach((row, j) => {
        for (let i = 0; i < before.length; i++) {
          gradient[k][j][i] += delta[j] * before[i];
          back[i] += delta[j] * row[i];
        }
        gradient[k][j][before.length] += delta[j];
      });
      delta = back.map((value, i) => (before[i] > 0 ? value : LEAK * value));
    }
  }
  return gradient;
}

/**
 * Take a step of Adam (Kingma & Ba 2015) on a batch: the network is changed.
 *
 * @param {Network} network
 * @param {Sample[]} batch
 * @param {number} rate
 */
export function fitStep(network, batch, rate) {
  const gradient = gradientOf(network, batch);
  const t = ++network.steps;
  const meanScale = 1 - DECAY ** t;
  const squareScale = 1 - SQUARE_DECAY ** t;
  network.layers.forEach(({ rows, means, squares }, k) =>
    rows.forEach((row, j) =>
      row.forEach((_, i) => {
        const slope = gradient[k][j][i];
        means[j][i] = DECAY * means[j][i] + (1 - DECAY) * slope;
        squares[j][i] = SQUARE_DECAY * squares[j][i] + (1 - SQUARE_DECAY) * slope ** 2;
        const square = Math.sqrt(squares[j][i] / squareScale);
        row[i] -= (rate * (means[j][i] / meanScale)) / (square + LEAST);
      }),
    ),
  );
}
