// Where a lab is put: every element with its name that has none yet.

/**
 * Make a lab in each element `<div class="eq-lab" data-lab="name">` of the page, now or as soon as the page is read.
 *
 * @param {string} name
 * @param {(box: HTMLElement, options: any) => void} make
 *   is given the element, emptied of what it shows without JavaScript, and what `data-options` holds as JSON
 */
export function mount(name, make) {
  const all = () => {
    for (const box of document.querySelectorAll(`.eq-lab[data-lab="${name}"]:not([data-mounted])`)) {
      if (!(box instanceof HTMLElement)) continue;
      box.dataset.mounted = "";
      const options = JSON.parse(box.dataset.options || "{}");
      box.replaceChildren();
      make(box, options);
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all, { once: true });
  else all();
}
