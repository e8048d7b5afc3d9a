// Lines of a spot: where actions and cards lead to from the place that is shown, and back.

/** @import { SpotDeal, SpotDecision, SpotEnd, SpotUnsolved } from "../base/answers.js" */
/** @typedef {SpotDecision | SpotDeal | SpotEnd | SpotUnsolved} SpotNode */

/** Return the line after an action at a step of the way, or at a place; `before` is the step before it. */
const lineAfter = ({ line }, action, before) =>
  line ? `${line}${before?.kind === "deal" ? " | " : "-"}${action}` : action;

/**
 * Return the line after an action at the place that is shown.
 *
 * @param {SpotNode} node
 * @param {string} action
 */
export const lineOn = (node, action) => lineAfter(node, action, node.steps.at(-1));

/**
 * Return the line after the action that was chosen at the k-th step, or after another one; the step is a decision.
 *
 * @param {SpotNode} node
 * @param {number} k
 * @param {string} action
 */
export function lineOf({ steps }, k, action = "") {
  const step = steps[k];
  return step.kind === "decision" ? lineAfter(step, action || step.chosen, steps[k - 1]) : "";
}

/**
 * Return the line before the k-th step.
 *
 * @param {SpotNode} node
 * @param {number} k
 */
export const lineBefore = (node, k) => (k > 0 ? lineOf(node, k - 1) : "");

/**
 * Return the place one action or card before, as {line, board}; the start is before itself.
 *
 * @param {SpotNode} node
 */
export function placeBefore(node) {
  const k = node.steps.length - 1;
  const last = node.steps[k];
  if (!last) return { line: "", board: "" };
  if (last.kind === "deal") return { line: lineBefore(node, k), board: last.board.slice(0, -2) };
  return { line: last.line, board: last.board };
}

/**
 * Return which action is taken most often.
 *
 * @param {SpotDecision} node
 */
export function commonest({ next, frequencies }) {
  const shares = (next ?? []).map((one) => frequencies[one.action] ?? 0);
  return Math.max(0, shares.indexOf(Math.max(...shares)));
}
