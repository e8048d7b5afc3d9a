// Locks of a spot before it is solved, as texts that are edited row by row, and back: a row that nobody has touched is the
// lock as it was read.

/** @typedef {{line: string, hands: string, plays: string, board: string}} LockTexts */
/** @typedef {{texts: LockTexts, lock: any, isTouched: boolean}} LockRow */

const FIELDS = /** @type {const} */ (["line", "hands", "plays", "board"]);
const SHARE = /^(\S+)\s+(\d+\.?\d*|\.\d+)\s*%?$/;

const percentOf = (share) =>
  typeof share === "number" ? String(Number((100 * share).toPrecision(12))) : String(share);

/** Return what a strategy is as a text: {F: 0.8, C: "20%"} → "F 80, C 20". */
export const playsOf = (strategy) =>
  Object.entries(strategy ?? {})
    .map(([action, share]) => `${action} ${percentOf(share).replace("%", "").trim()}`)
    .join(", ");

/**
 * Return the strategy that a text is: "F 80, C 20" → {F: "80%", C: "20%"}, and "C" alone is 100 %. What is no action with a
 * share is named as it is written, so that it is refused where actions are known.
 *
 * @param {string} text
 */
export function strategyOf(text) {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);
  return Object.fromEntries(
    parts.map((part) => {
      const [, action, share] = SHARE.exec(part) ?? [];
      return action ? [action.toUpperCase(), `${share}%`] : [part.toUpperCase(), "100%"];
    }),
  );
}

/** @param {any} lock @returns {LockTexts} */
const textsOf = (lock) => ({
  line: lock.line ?? "",
  hands: Array.isArray(lock.hands) ? lock.hands.join(",") : (lock.hands ?? ""),
  plays: playsOf(lock.strategy),
  board: typeof lock.board === "string" ? lock.board : "",
});

/** Return the lock of a row; null of one that does not say yet what is played. */
function lockOf({ texts, lock, isTouched }) {
  if (!isTouched) return lock;
  if (!texts.plays.trim()) return null;
  const { hands: _, board: __, ...others } = lock ?? {};
  const made = { ...others, line: texts.line.trim(), strategy: strategyOf(texts.plays) };
  if (texts.hands.trim()) made.hands = texts.hands.trim();
  if (texts.board.trim()) made.board = texts.board.trim();
  return made;
}

/**
 * Return the store of the locks of a spot.
 *
 * @param {(locks: any[]) => void} onChange is told the locks after an edit
 */
export function spotLocksStore(onChange) {
  /** @type {{rows: LockRow[]}} */
  const state = { rows: [] };
  const locks = () => state.rows.map(lockOf).filter((lock) => lock !== null);
  const tell = () => onChange(locks());

  return {
    state,
    locks,

    /** Take over the locks of settings, unless they are those that the rows say. */
    set(next) {
      const list = Array.isArray(next) ? next : [];
      if (JSON.stringify(list) === JSON.stringify(locks())) return;
      state.rows = list.map((lock) => ({ texts: textsOf(lock), lock, isTouched: false }));
    },

    /** Begin another lock, which counts once it says what is played. */
    add() {
      state.rows = [
        ...state.rows,
        { texts: { line: "", hands: "", plays: "", board: "" }, lock: null, isTouched: true },
      ];
    },

    /** @param {number} place @param {typeof FIELDS[number]} name @param {string} text */
    edit(place, name, text) {
      const row = state.rows[place];
      state.rows[place] = { ...row, texts: { ...row.texts, [name]: text }, isTouched: true };
      tell();
    },

    /** @param {number} place */
    remove(place) {
      state.rows = state.rows.filter((_, k) => k !== place);
      tell();
    },
  };
}
