export type End = "LEFT" | "RIGHT";

/** A list whose ends are cheap to change, however long it is. */
export class List {
  /** The first items, the very first one last; then the others in order. */
  #front: string[] = [];
  #back: string[] = [];

  constructor(items: readonly string[] = []) {
    this.replace(items);
  }

  get length(): number {
    return this.#front.length + this.#back.length;
  }

  at(index: number): string | undefined {
    const size = this.#front.length;
    return index < size ? this.#front[size - 1 - index] : this.#back[index - size];
  }

  /** The index must be in the list. */
  set(index: number, item: string): void {
    const size = this.#front.length;
    if (index < size) this.#front[size - 1 - index] = item;
    else this.#back[index - size] = item;
  }

  push(end: End, item: string): void {
    (end === "LEFT" ? this.#front : this.#back).push(item);
  }

  pop(end: End): string | undefined {
    const items = end === "LEFT" ? this.#front : this.#back;
    if (items.length === 0) this.#share();
    return items.pop() ?? (end === "LEFT" ? this.#back : this.#front).pop();
  }

  /** Inserts an item before the one that has the index. */
  insert(index: number, item: string): void {
    const size = this.#front.length;
    if (index < size) this.#front.splice(size - index, 0, item);
    else this.#back.splice(index - size, 0, item);
  }

  slice(from = 0, to: number = this.length): string[] {
    return Array.from({ length: Math.max(to - from, 0) }, (_, n) => this.at(from + n) as string);
  }

  replace(items: readonly string[]): void {
    this.#front = [];
    this.#back = [...items];
  }

  /** One part is empty: both get half of the items, so that each item is moved seldom. */
  #share(): void {
    const items = this.slice();
    const half = items.length >> 1;
    this.#front.length = 0;
    this.#back.length = 0;
    for (let at = half - 1; at >= 0; at--) this.#front.push(items[at] as string);
    for (let at = half; at < items.length; at++) this.#back.push(items[at] as string);
  }
}
