// What an address chooses by name.
import { ApiError } from "./api-error.js";

/**
 * Return the name that an address gives, the usual one where it gives none, and an error where there is no such choice.
 *
 * @param {Record<string, any>} choices by name
 * @param {string} what they are, as in "There is no period “week”"
 * @param {string | null | undefined} asked
 * @param {string} usual
 */
export function chosenName(choices, what, asked, usual) {
  const name = asked || usual;
  if (Object.hasOwn(choices, name)) return name;
  const names = Object.keys(choices).filter(Boolean);
  throw new ApiError(`There is no ${what} “${name}”: choose one of ${names.join(", ")}.`);
}
