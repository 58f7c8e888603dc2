/** One of the independent servers: the record of the lock's name and the scripts on it, each of them atomic. */

/** Times are µs of a server's clock, tokens too. */
export type Request =
  | { readonly kind: "acquire"; readonly id: string; readonly leaseMs: number; readonly notAfter: number }
  | { readonly kind: "commit"; readonly id: string; readonly token: number; readonly notAfter: number }
  | { readonly kind: "extend"; readonly id: string; readonly token: number; readonly durationMs: number }
  /** A token of 0 cancels. */
  | { readonly kind: "close"; readonly id: string; readonly token: number };

export type Reply =
  | { readonly status: "granted"; readonly token: number; readonly remaining: number }
  | { readonly status: "held"; readonly remaining: number }
  | { readonly status: "behind"; readonly last: number }
  | { readonly status: "late" | "closed" | "committed" | "refused" | "extended" | "lost" };

/** Every answer tells the server's clock. */
export type Answer = Reply & { readonly now: number };

/** How the protocol may be broken, to see that the checks notice. */
export interface ServerRules {
  /** A request is void after its sender's time-out. */
  readonly notAfter: boolean;
  /** Ids that are over are remembered. */
  readonly closedIds: boolean;
  /** Only a hold that is alive can be committed. */
  readonly commitNeedsHold: boolean;
  /** A commit moves `last` forwards only. */
  readonly commitOnlyRaises: boolean;
}

/** Is told what the record goes through, by the server's own number. */
export interface ServerWitness {
  held(server: number, id: string): void;
  over(server: number, id: string, how: Ending): void;
  /** Its last token fell, though its data were not lost. */
  lowered(): void;
}

/** Expired, released, cancelled. */
export type Ending = "e" | "r" | "c";

/** As many ids that are over a server remembers. */
export const REMEMBERED = 16;
const DAY_US = 86_400e6;

export class Server {
  readonly #number: number;
  readonly #rules: ServerRules;
  readonly #retentionMs: number;
  readonly #witness: ServerWitness;
  #last = 0;
  #hold: { readonly id: string; until: number } | undefined;
  #closed: { readonly id: string; readonly how: Ending }[] = [];
  /** When the record is forgotten by itself. */
  #dies = Number.POSITIVE_INFINITY;

  constructor(number: number, retentionMs: number, rules: ServerRules, witness: ServerWitness) {
    this.#number = number;
    this.#rules = rules;
    this.#retentionMs = retentionMs;
    this.#witness = witness;
  }

  /** The record is gone: its time is over, or the data are lost. */
  forget(): void {
    this.#last = 0;
    this.#hold = undefined;
    this.#closed = [];
    this.#dies = Number.POSITIVE_INFINITY;
  }

  handle(request: Request, now: number): Answer {
    if (now >= this.#dies) this.forget();
    if ("notAfter" in request && this.#rules.notAfter && now > request.notAfter) return { status: "late", now };
    if (this.#hold && this.#hold.until <= now) {
      this.#close(this.#hold.id, "e");
      this.#save(now);
    }
    return { ...this.#run(request, now), now };
  }

  #run(request: Request, now: number): Reply {
    switch (request.kind) {
      case "acquire":
        return this.#acquire(request.id, request.leaseMs, now);
      case "commit":
        return this.#commit(request.id, request.token, now);
      case "extend":
        return this.#extend(request.id, request.token, request.durationMs, now);
      case "close":
        return this.#release(request.id, request.token, now);
    }
  }

  #acquire(id: string, leaseMs: number, now: number): Reply {
    if (this.#rules.closedIds && this.#ending(id)) return { status: "closed" };
    if (this.#hold && this.#hold.id !== id) return { status: "held", remaining: this.#hold.until - now };
    if (!this.#hold) {
      this.#move(Math.max(this.#last + 1, now));
      this.#hold = { id, until: now + leaseMs * 1000 };
      this.#witness.held(this.#number, id);
      this.#save(now);
    }
    return { status: "granted", token: this.#last, remaining: this.#hold.until - now };
  }

  #commit(id: string, token: number, now: number): Reply {
    if (this.#rules.commitNeedsHold && this.#hold?.id !== id) return { status: "refused" };
    if (token > now + DAY_US) return { status: "refused" };
    if (this.#rules.commitOnlyRaises && this.#last > token) return { status: "behind", last: this.#last };
    this.#move(token);
    this.#save(now);
    return { status: "committed" };
  }

  #extend(id: string, token: number, durationMs: number, now: number): Reply {
    if (this.#hold?.id !== id || this.#last !== token) return { status: "lost" };
    this.#hold.until = Math.max(this.#hold.until, now + durationMs * 1000);
    this.#save(now);
    return { status: "extended" };
  }

  #release(id: string, token: number, now: number): Reply {
    const before = this.#ending(id);
    if (!before) {
      if (token !== 0 && (this.#hold?.id !== id || this.#last !== token)) return { status: "lost" };
      this.#close(id, token === 0 ? "c" : "r");
      this.#save(now);
    }
    return { status: before === "e" && token !== 0 ? "lost" : "closed" };
  }

  #close(id: string, how: Ending): void {
    if (this.#hold?.id === id) this.#hold = undefined;
    this.#closed.push({ id, how });
    if (this.#closed.length > REMEMBERED) this.#closed.shift();
    this.#witness.over(this.#number, id, how);
  }

  #ending(id: string): Ending | undefined {
    return this.#closed.find((one) => one.id === id)?.how;
  }

  #move(last: number): void {
    if (last < this.#last) this.#witness.lowered();
    this.#last = last;
  }

  #save(now: number): void {
    this.#dies = Math.max(this.#hold?.until ?? now, this.#last, now) + this.#retentionMs * 1000;
  }
}
