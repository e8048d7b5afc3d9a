// Readers who want little motion: how often pictures change for them.

/** Milliseconds between two pictures. */
export const CALM = 250;

/** Return whether the reader wants little motion, as it is set now. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
