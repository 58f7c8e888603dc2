/** The end of a process, as its own code sees it: whatever it asks from then on fails. */
class Killed extends Error {}

/** What befalls a process, counted in what it asks of Redis and of the database, both together. */
export interface Fate {
  /** It dies after so many: the last one was done, and it never learns of it. */
  readonly killAfter?: number;
  /** It freezes after so many, for some ms. */
  readonly freezeAfter?: number;
  readonly freezeMs?: number;
  /** The chance that an answer of Redis is lost. */
  readonly lost?: number;
}

/** A process that does one delivery. */
export class Process {
  readonly #fate: Fate;
  readonly #ends: (() => void)[] = [];
  #asked = 0;
  #dead = false;
  /** Rejects when the process dies. */
  readonly died: Promise<never>;
  #die: (error: Error) => void = () => {};

  constructor(fate: Fate = {}) {
    this.#fate = fate;
    this.died = new Promise((_, reject) => {
      this.#die = reject;
    });
    this.died.catch(() => {});
  }

  /** What the system does when the process is dead, such as closing its sockets. */
  onDeath(end: () => void): void {
    this.#ends.push(end);
  }

  /** It has nothing left to do. */
  exit(): void {
    if (!this.#dead) for (const end of this.#ends) end();
  }

  #begin(): void {
    if (this.#dead) throw new Killed("the process is dead");
  }

  #end(): void {
    this.#asked++;
    if (this.#asked !== this.#fate.killAfter) return;
    this.#dead = true;
    for (const end of this.#ends) end();
    const killed = new Killed("killed");
    this.#die(killed);
    throw killed;
  }

  /** Asks something that answers at once. */
  sync<T>(ask: () => T): T {
    this.#begin();
    const answer = ask();
    this.#end();
    return answer;
  }

  async ask<T>(ask: () => Promise<T>): Promise<T> {
    this.#begin();
    const answer = await ask();
    if (this.#asked + 1 === this.#fate.freezeAfter)
      await new Promise((resolve) => setTimeout(resolve, this.#fate.freezeMs ?? 0));
    this.#end();
    return answer;
  }

  /** The network to Redis. */
  fetch(real: typeof fetch): typeof fetch {
    const { lost = 0 } = this.#fate;
    return async (input, init) => {
      const answer = await this.ask(() => real(input, init));
      if (Math.random() < lost) throw new TypeError("fetch failed");
      return answer;
    };
  }
}
