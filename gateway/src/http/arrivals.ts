const nothing = (): void => {};

/**
 * The requests of one connection in their order. A request may wait for its answer while it is the newest and its
 * client is there; otherwise nobody is served by a late answer.
 */
export class Arrivals {
  #newest = 0;
  #isOver = false;
  readonly #listeners = new Set<() => void>();

  /** Numbers a request that has arrived: those before it must not wait any more. */
  next(): number {
    this.#tell();
    return ++this.#newest;
  }

  /** The client has gone, or has ended its side, and has most likely gone. */
  end(): void {
    this.#isOver = true;
    this.#tell();
  }

  /** See `HttpRequest.whenUnwanted`. */
  whenUnwanted(request: number, listener: () => void): () => void {
    if (this.#isOver || request !== this.#newest) {
      listener();
      return nothing;
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    if (this.#listeners.size === 0) return;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
