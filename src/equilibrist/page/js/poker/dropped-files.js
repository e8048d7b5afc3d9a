// Files that are dropped on the page or chosen, with those in folders: each with the path that it has there.

/** @typedef {{name: string, file: File}} NamedFile */

/** The endings of files of hands, as the server reads them. */
export const SUFFIXES = [".phh", ".phhs", ".txt", ".xml", ".log"];

/**
 * Return whether a file is one of hands, by its name; hidden files are none.
 *
 * @param {string} name
 */
export function isOfHands(name) {
  const hidden = name.split("/").some((part) => part.startsWith("."));
  return !hidden && SUFFIXES.some((suffix) => name.toLowerCase().endsWith(suffix));
}

/**
 * Return the files of an input, in which a folder may have been chosen.
 *
 * @param {HTMLInputElement} input
 * @returns {NamedFile[]}
 */
export const chosenFiles = (input) =>
  [...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));

/**
 * Return what was dropped, the files in folders included. Call it while the event is handled.
 *
 * @param {DataTransfer} dropped
 * @returns {Promise<NamedFile[]>}
 */
export async function droppedFiles(dropped) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...dropped.files].map((file) => ({ name: file.name, file }));
  const lists = await Promise.all(entries.map((entry) => filesOf(entry, "")));
  return lists.flat();
}

/** Return the files of an entry, which is a file or a folder, below a path. */
async function filesOf(entry, path) {
  const name = `${path}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ name, file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break; // a browser gives a hundred at a time
    found.push(...some);
  }
  const lists = await Promise.all(found.map((inner) => filesOf(inner, `${name}/`)));
  return lists.flat();
}
