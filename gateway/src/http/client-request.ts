import type { Hold } from "../shared/budget.ts";
import { BodyTooLarge } from "../shared/error-answers.ts";
import { noRoom } from "./body-collector.ts";
import { type HttpRequest, isBodiless } from "./message.ts";
import { type RequestBody, tooLarge } from "./request-body.ts";
import type { RequestHead } from "./request-head.ts";

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;
const NO_BODY: Buffer = Buffer.alloc(0);

/** The path and the query of a target. Clients send whole URLs to proxies, and may send them here. */
const pathIn = (target: string): string => (target.startsWith("/") ? target : target.replace(ORIGIN, "") || "/");

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

/** A request as the protocol needs it. */
abstract class RequestWith implements HttpRequest {
  readonly method: string;
  readonly target: string;
  protected readonly head: RequestHead;
  readonly #arrivals: Arrivals;
  readonly #number: number;

  constructor(head: RequestHead, arrivals: Arrivals) {
    this.head = head;
    this.#arrivals = arrivals;
    this.#number = arrivals.next();
    this.method = head.method;
    this.target = pathIn(head.target);
  }

  header(name: string): string | undefined {
    return this.head.header(name);
  }

  abstract body(limit: number, room: Hold): Buffer | Promise<Buffer>;

  whenUnwanted(listener: () => void): () => void {
    return this.#arrivals.whenUnwanted(this.#number, listener);
  }
}

/** A request whose body arrived with its head. */
export class WholeRequest extends RequestWith {
  readonly #bytes: Buffer;

  constructor(head: RequestHead, arrivals: Arrivals, bytes: Buffer) {
    super(head, arrivals);
    this.#bytes = bytes;
  }

  body(limit: number, room: Hold): Buffer {
    const bytes = this.#bytes;
    if (isBodiless(this.method) || bytes.length === 0) return NO_BODY;
    if (bytes.length > limit) throw new BodyTooLarge(limit);
    if (!room.take(bytes.length)) throw noRoom();
    return bytes;
  }
}

/** A request whose body is asked for once its token is known to be valid. */
export class ArrivingRequest extends RequestWith {
  readonly #body: RequestBody;
  readonly #goOn: () => void;

  /** @param goOn tells a client that waits for it to send its body */
  constructor(head: RequestHead, arrivals: Arrivals, body: RequestBody, goOn: () => void) {
    super(head, arrivals);
    this.#body = body;
    this.#goOn = goOn;
  }

  body(limit: number, room: Hold): Buffer | Promise<Buffer> {
    const refusal = tooLarge(this.head.header("content-length"), limit);
    if (refusal !== undefined) throw refusal;
    if (isBodiless(this.method)) return NO_BODY;
    this.#goOn();
    return this.#body.read(limit, room);
  }
}
