// A button that plays over again what took place in a run, step by step, for runs that are over before one can watch.
import { h } from "../dom.js";

const LONGEST = 6000; // ms
const EACH = 280; // ms a step, where there are few

/**
 * Return the button. `steps()` is how many there are; `draw(step)` shows the first `step` of them, `draw(null)` all.
 *
 * @param {{steps: () => number, draw: (step: number | null) => void, signal: AbortSignal, label: string}} options
 */
export function replayButton({ steps, draw, signal, label }) {
  let timer = 0;
  const button = h("button", { type: "button", class: "button small replay", "aria-label": label, onclick: toggle });

  function show(playing) {
    button.textContent = playing ? "■ Stop" : "▶ Replay";
    button.setAttribute("aria-pressed", String(playing));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    show(false);
  }

  function toggle() {
    if (timer) {
      stop();
      draw(null);
      return;
    }
    const last = steps();
    let step = 1;
    draw(step);
    show(true);
    timer = setInterval(
      () => {
        step += 1;
        if (step >= last) stop();
        draw(step >= last ? null : step);
      },
      Math.min(EACH, LONGEST / last),
    );
  }

  signal.addEventListener("abort", stop);
  show(false);
  button.stop = stop;
  return button;
}
