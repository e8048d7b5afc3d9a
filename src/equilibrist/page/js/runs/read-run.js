// A saved run, as views show it.
import { ApiError } from "../base/api-error.js";
import { get } from "../base/api.js";

/**
 * Return a saved run with its checkpoints; throw an ApiError where its file cannot be read.
 *
 * @param {string} run
 * @param {AbortSignal} signal
 */
export async function readRun(run, signal) {
  const row = await get("/runs/{run}", { run }, { signal });
  if (row.error !== null) throw new ApiError(row.error, "run");
  return row;
}
