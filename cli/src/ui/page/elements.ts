/** Makes elements. Texts always become text nodes. */
type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.filter((child) => child !== undefined && child !== false));
}

/** Sets an attribute if it differs; true is an attribute without a value, false and undefined remove it. */
export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  const text = value === true ? "" : value === false || value === undefined ? null : `${value}`;
  if (text === element.getAttribute(name)) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function draw(tag: string, attributes: Attributes, ...children: readonly Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** The element of the page with an id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Sets a text if it differs, so that screen readers do not repeat unchanged text. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const hasOwnText = (element: Element): boolean => element.childNodes.length > element.children.length;
const isSameTag = (one: Element, other: Element): boolean => one.cloneNode(false).isEqualNode(other.cloneNode(false));

function update(shown: Element, fresh: Element): void {
  if (shown.isEqualNode(fresh)) return;
  if (hasOwnText(shown) || hasOwnText(fresh) || !isSameTag(shown, fresh)) shown.replaceWith(fresh);
  else showChildren(shown, [...fresh.children]);
}

/** Shows elements in another one. Parts that did not change stay, and with them the focus. */
export function showChildren(parent: Element, fresh: readonly Element[]): void {
  const shown = [...parent.children];
  if (shown.length !== fresh.length) parent.replaceChildren(...fresh);
  else for (const [n, child] of shown.entries()) update(child, fresh[n] as Element);
}

/** A short text in a table that is not wrapped; an empty one stays empty. */
export const whole = (text: string): HTMLElement | "" => (text === "" ? "" : make("span", { class: "whole" }, text));

/** A table with a caption for screen readers. */
export function tableOf(
  caption: string,
  allHeads: readonly string[],
  allRows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  // An empty column is omitted.
  const used = allHeads.map((_, n) => allRows.some((cells) => cells[n] !== ""));
  const heads = allHeads.filter((_, n) => used[n]);
  const rows = allRows.map((cells) => cells.filter((_, n) => used[n]));
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) =>
    make("tr", {}, ...cells.map((cell, n) => make("td", { "data-head": heads[n] }, cell))),
  );
  return make(
    "table",
    {},
    make("caption", { class: "hidden" }, caption),
    make("thead", {}, head),
    make("tbody", {}, ...body),
  );
}
