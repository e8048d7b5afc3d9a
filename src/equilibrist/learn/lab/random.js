// Numbers drawn at random, the same in every run with the same seed.

/** Return an action drawn from a strategy, with a number from 0 to 1 (1 excluded). */
export function draw(strategy, number) {
  let left = number;
  for (let a = 0; a < strategy.length; a++) {
    if (strategy[a] > 0 && left < strategy[a]) return a;
    left -= strategy[a];
  }
  return strategy.findLastIndex((probability) => probability > 0);
}

/** Return a function that draws numbers from 0 to 1 (1 excluded), the same for the same seed (mulberry32). */
export function drawing(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
