/** An element of the page, by its id. */
export function element<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`#${id} is missing`);
  return found as unknown as T;
}

/** Sets the text of an element. */
export function write(id: string, words: string): void {
  const target = element<HTMLElement>(id);
  if (target.textContent !== words) target.textContent = words;
}
