// Seconds that are left for a choice.
import { h } from "../base/dom.js";

const EVERY = 200; // ms

/**
 * Return a bar that runs down: start(seconds) begins, stop() hides it; onEnd() is called when no time is left.
 *
 * @param {{onEnd: () => void, signal: AbortSignal}} options
 */
export function countdown({ onEnd, signal }) {
  let [timer, end, whole] = [0, 0, 1];
  const text = h("span", { class: "num" });
  const bar = h("span");
  const box = h(
    "div",
    { class: "countdown", role: "timer", "aria-label": "Seconds left", hidden: true },
    text,
    h("span", { class: "bar-of", "aria-hidden": "true" }, bar),
  );

  function tick() {
    const left = Math.max(0, end - performance.now());
    text.textContent = String(Math.ceil(left / 1000));
    bar.style.setProperty("--share", String(left / whole));
    if (left > 0) return;
    box.stop();
    onEnd();
  }

  box.start = (seconds) => {
    box.stop();
    whole = 1000 * seconds;
    end = performance.now() + whole;
    box.hidden = false;
    tick();
    timer = setInterval(tick, EVERY);
  };
  box.stop = () => {
    clearInterval(timer);
    box.hidden = true;
  };
  signal.addEventListener("abort", box.stop);
  return box;
}
