// Addresses within the page.

/** Return the path of a run, and of what is below it. */
export const runPath = (run, ...rest) => ["", "runs", encodeURIComponent(run), ...rest].join("/");

/** Return an address of the page with its query; empty values are left out, lists are repeated. */
export function href(path, query = {}) {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "" && one !== false) fields.append(name, one);
    }
  }
  return fields.size ? `${path}?${fields}` : path;
}

/** Return the path of a run in the folder, from its id. */
export const pathOfId = (id) => id.replaceAll("~1", "/").replaceAll("~0", "~");

/** Return where a run is opened. */
export const openPath = (row) => (row.spot ? runPath(row.id, "spot") : runPath(row.id));
