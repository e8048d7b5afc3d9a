import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../../src/equilibrist/page/css/colours.css", import.meta.url), "utf8");

/** Return the colour of a token in the light or the dark theme. */
function colour(name, theme) {
  const [, value] = new RegExp(`--${name}: ([^;]+);`).exec(css);
  const both = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
  return both ? both[theme === "light" ? 1 : 2] : value;
}

/** Return the relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(hex) {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g);
  const [red, green, blue] = digits
    .map((pair) => Number.parseInt(pair, 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const ACTIONS = ["fold", "passive", "bet-1", "bet-2", "bet-3", "bet-4", "bet-5", "range", "range-2", "held"];
const PAIRS = {
  "on-action": ACTIONS,
  "on-accent": ["accent"],
  ink: ["paper", "panel", "sunk", "accent-soft", "wrong-soft"],
  "ink-2": ["paper", "panel", "sunk"],
  accent: ["paper", "panel"],
  wrong: ["panel", "wrong-soft"],
  good: ["panel"],
  warn: ["panel"],
  spade: ["panel"],
  heart: ["panel"],
  diamond: ["panel"],
  club: ["panel"],
};

for (const theme of ["light", "dark"]) {
  test(`text can be read on all that it lies on, ${theme}`, () => {
    for (const [text, grounds] of Object.entries(PAIRS)) {
      for (const ground of grounds) {
        const ratio = contrast(colour(text, theme), colour(ground, theme));
        assert.ok(ratio >= 4.5, `--${text} on --${ground}: ${ratio.toFixed(2)}`);
      }
    }
  });
}
