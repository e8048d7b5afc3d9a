// What goes wrong between the page and its server, or in an address of the page.

/** What went wrong: a sentence, the field that is wrong (or null), where in its text, and the status of the server (0: none). */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {string | null} field
   * @param {number} status
   * @param {[number, number] | null} span
   */
  constructor(message, field = null, status = 0, span = null) {
    super(message);
    this.field = field;
    this.status = status;
    this.span = span;
  }
}
