import type { Hold } from "../shared/budget.ts";
import { BodyTooLarge } from "../shared/error-answers.ts";
import { noRoom } from "./body-collector.ts";
import { type HttpRequest, isBodiless } from "./message.ts";
import { type RequestBody, tooLarge } from "./request-body.ts";

/** The head of an HTTP request. Clients often repeat the same head. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query, or another target, unchanged. */
  readonly target: string;
  /** Whether it is in HTTP/1.0. */
  readonly isOld: boolean;
  /** Whether the client keeps the connection. */
  readonly isKeptAlive: boolean;
  /** Whether the same bytes have arrived on this connection before; then it is the same object. */
  isRepeated: boolean;
  /** A header by its name in lower case. Several of one name are joined by a comma and a space. */
  header(name: string): string | undefined;
  /** How many headers have a name. */
  count(name: string): number;
}

interface Fields extends Pick<RequestHead, "method" | "target" | "isOld" | "isKeptAlive"> {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const isNamed = (given: string, name: string): boolean =>
  given.length === name.length && (given === name || given.toLowerCase() === name);

/** The value without the spaces and tabs after it. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return end === value.length ? value : value.slice(0, end);
}

class Head implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly isOld: boolean;
  readonly isKeptAlive: boolean;
  isRepeated = false;
  readonly #names: readonly string[];
  readonly #values: readonly string[];

  constructor({ method, target, isOld, isKeptAlive, names, values }: Fields) {
    this.method = method;
    this.target = target;
    this.isOld = isOld;
    this.isKeptAlive = isKeptAlive;
    this.#names = names;
    this.#values = values;
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (let at = 0; at < this.#names.length; at++) {
      if (!isNamed(this.#names[at] ?? "", name)) continue;
      const value = trimmed(this.#values[at] ?? "");
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  count(name: string): number {
    return this.#names.filter((given) => isNamed(given, name)).length;
  }
}

export const createHead = (fields: Fields): RequestHead => new Head(fields);

/** The end of a request, after its head and the pieces of its body. */
export const END: unique symbol = Symbol("end");

/** A part of a request: its head, a piece of its body, or its end. */
export type Part = RequestHead | Buffer | typeof END;

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;
const NO_BODY: Buffer = Buffer.alloc(0);

/** The path and the query of a target. Clients send whole URLs to proxies, and may do so here. */
const pathIn = (target: string): string => (target.startsWith("/") ? target : target.replace(ORIGIN, "") || "/");

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
    this.#tell();
    return ++this.#newest;
  }

  /** The client has disconnected, or has ended its side and has probably disconnected. */
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

/** A request whose body is read once its token is known to be valid. */
export class ArrivingRequest extends RequestWith {
  readonly #body: RequestBody;
  readonly #goOn: () => void;

  /** @param goOn tells a waiting client to send its body */
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
