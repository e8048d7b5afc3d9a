// Answers that the browser saves as files.
import { ApiError } from "../base/api-error.js";
import { h } from "../base/dom.js";

/** Have the browser save some content under a name. */
export function saveBlob(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Have the browser save what the API answers to a request. */
export async function saveAnswer(path, data, name) {
  const response = await fetch(`/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(data),
  });
  if (!response.ok) throw new ApiError((await response.json()).error.message, null, response.status);
  saveBlob(await response.blob(), name);
}
