// Lines of a spot: where actions and cards lead to from the place that is shown, and back.

/** Return the line after an action at a step of the way, or at a place; `before` is the step before it. */
const lineAfter = ({ line }, action, before) =>
  line ? `${line}${before?.kind === "deal" ? " | " : "-"}${action}` : action;

/** Return the line after an action at the place that is shown. */
export const lineOn = (node, action) => lineAfter(node, action, node.steps.at(-1));

/** Return the line after the action that was chosen at the k-th step. */
export const lineOf = ({ steps }, k, action = steps[k].chosen) => lineAfter(steps[k], action, steps[k - 1]);

/** Return the line before the k-th step. */
export const lineBefore = (node, k) => (k > 0 ? lineOf(node, k - 1) : "");

/** Return the place one action or card before, as {line, board}; the start is before itself. */
export function placeBefore(node) {
  const k = node.steps.length - 1;
  const last = node.steps[k];
  if (!last) return { line: "", board: "" };
  if (last.kind === "deal") return { line: lineBefore(node, k), board: last.board.slice(0, -2) };
  return { line: last.line, board: last.board };
}

/** Return which action is taken most often. */
export function commonest({ next, frequencies }) {
  const shares = (next ?? []).map((one) => frequencies[one.action]);
  return Math.max(0, shares.indexOf(Math.max(...shares)));
}
