const nothing = (): void => {};

/**
 * The requests of one connection, in order. A request may wait for its answer while it is the newest and its client is
 * connected; otherwise a late answer is useless.
 */
export class Arrivals {
  #newest = 0;
  #isOver = false;
  readonly #listeners = new Set<() => void>();

  /** Numbers a request that has arrived: the requests before it must no longer wait. */
  next(): number {
    this.#notify();
    return ++this.#newest;
  }

  /** The client has disconnected, or has ended its side and has probably disconnected. */
  end(): void {
    this.#isOver = true;
    this.#notify();
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

  #notify(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
