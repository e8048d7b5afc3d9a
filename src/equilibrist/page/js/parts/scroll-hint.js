// A box that scrolls sideways shows at its edges where there is more: a scroll bar may be hidden, or below the window.

/**
 * Return a box that shows where its content is cut; the content is what may be wider than it.
 *
 * @template {HTMLElement} T
 * @param {T} box
 * @param {Element} [content] by default the first child
 * @returns {T}
 */
export function hintScroll(box, content = /** @type {Element} */ (box.firstElementChild)) {
  function look() {
    const hidden = box.scrollWidth - box.clientWidth;
    box.classList.toggle("more-before", hidden > 1 && box.scrollLeft > 1);
    box.classList.toggle("more-after", hidden > 1 && box.scrollLeft < hidden - 1);
    box.style.setProperty("--bar", `${Math.max(0, box.offsetWidth - box.clientWidth - 2)}px`);
  }
  box.classList.add("scrolls");
  box.addEventListener("scroll", look, { passive: true });
  const sizes = new ResizeObserver(look); // after the layout, which nothing here asks for
  sizes.observe(box);
  sizes.observe(content);
  return box;
}
