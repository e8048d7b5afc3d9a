// Who is told when the state of a store changes.

/**
 * Return {subscribe, changed}: a function is subscribed, and from then on called with what has changed, a word of the
 * store, or nothing where the store has no words.
 */
export function makeListeners() {
  /** @type {((what: any) => void)[]} */
  const listeners = [];
  return {
    /** @param {(what: any) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },

    /** @param {any} [what] */
    changed(what) {
      for (const listener of listeners) listener(what);
    },
  };
}
