// What can be done with a job: pause, stop, resume, solve further, take it off the list.
import { href, runPath } from "../base/address.js";
import { del, patch, post } from "../base/api.js";
import { field, h } from "../base/dom.js";
import { count, gapNameOf, measureName } from "../base/format.js";
import { decimal, goal, share, whole } from "../base/numbers.js";
import { dialog } from "../parts/dialog.js";
import { failed } from "../parts/toast.js";
import { LIVE } from "./job-list.js";

/** @import { JobSummary } from "../base/answers.js" */

/** Return a button that does something once at a time, and tells what goes wrong. */
export function button(text, run, kind = "", title = /** @type {string | null} */ (null)) {
  const act = async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    try {
      await run();
    } catch (error) {
      failed(error);
    } finally {
      pressed.disabled = false;
    }
  };
  return h("button", { type: "button", class: `button ${kind}`, title, onclick: act }, text);
}

/**
 * Return the buttons of a job in its state.
 *
 * @param {JobSummary} job
 */
export function jobActions(job) {
  const live = LIVE.includes(job.state);
  const is = (...states) => states.includes(job.state);
  const study = {
    class: `button ${live ? "" : "primary"}`,
    href: href(runPath(job.id, ...(job.spot ? ["spot"] : [])), { tab: job.exploit ? "exploit" : "" }),
    title: live ? "What was saved last; it is saved again and again" : null,
  };
  if (job.batch) Object.assign(study, { href: `/batches/${encodeURIComponent(job.id)}`, title: "What is done by now" });
  return [
    job.saved && h("a", study, job.batch ? "Results" : "Study"),
    is("running") &&
      !job.batch &&
      button("Pause", () => post("/jobs/{job}/pause", { job: job.id }), "", "Its memory stays taken"),
    is("paused") && button("Go on", () => post("/jobs/{job}/resume", { job: job.id }), "primary"),
    is("running", "paused", "starting") &&
      button(job.last || job.batch ? "Stop and keep" : "Cancel", () => post("/jobs/{job}/stop", { job: job.id })),
    is("interrupted", "stopped", "failed") &&
      button(job.saved ? "Resume" : "Start again", () => post("/jobs/{job}/resume", { job: job.id }), "primary"),
    is("done", "stopped") && !job.batch && button("Solve further …", () => further(job)),
    is("queued") && button("First in line", () => patch("/jobs/{job}", { job: job.id, position: 0 }), "quiet"),
    !live && !is("paused") && button("Take off the list", () => del("/jobs/{job}", { job: job.id }), "quiet"),
  ];
}

/**
 * Ask for new limits, and resume a job with them.
 *
 * @param {JobSummary} job
 */
async function further(job) {
  const input = (inputmode) => h("input", { type: "text", inputmode, autocomplete: "off" });
  const inputs = { until: input("decimal"), iterations: input("numeric"), seconds: input("decimal") };
  const labels = {
    until: `${measureName(gapNameOf(job.players))}${job.spot ? ", % of the pot" : ""}`,
    iterations: `Iterations in all (${count(job.last?.iteration)} are done)`,
    seconds: "Seconds more",
  };
  const read = { until: job.spot ? share : goal, iterations: whole, seconds: decimal };
  await dialog({
    title: `Solve ${job.title} further`,
    action: "Resume",
    body: [
      h("p", { class: "note" }, "Stop at the first of:"),
      ...Object.keys(inputs).map((name) => field(labels[name], inputs[name], { name })),
    ],
    run: () => {
      const limits = Object.entries(inputs)
        .filter(([, { value }]) => value.trim())
        .map(([name, { value }]) => [name, read[name](value)]);
      return post("/jobs/{job}/resume", { job: job.id, ...Object.fromEntries(limits) });
    },
  });
}
