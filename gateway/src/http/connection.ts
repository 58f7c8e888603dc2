import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { isBodiless } from "leasehold-engine/rest";
import type { HttpLimits } from "../shared/limits.ts";
import { Arrivals } from "./arrivals.ts";
import { bytesIn, type HttpRequest, type HttpResponse } from "./message.ts";
import { requestOf } from "./node-request.ts";

/** How long a connection stays open after an error reply, so that its client can read it. */
const LINGER_MS = 1_000;
/** Clients have this much more time for their next request than `Keep-Alive` says. */
const GRACE_MS = 1_000;

/**
 * How many requests may wait for the answers to requests before them, or for the end of their connection: of one
 * connection, and of all. Each costs some kilobytes, also without a token. Node stops reading by the bytes of answers
 * only, so a client that exceeds these is disconnected.
 */
const MAX_WAITING = 4_000;
const MAX_WAITING_IN_ALL = 10_000;

const REASONS = { 400: "Bad Request", 408: "Request Timeout", 413: "Payload Too Large", 431: "Headers Too Large" };
type Flaw = keyof typeof REASONS;

/** The status for bytes that Node's parser refuses, or that arrive too late. */
function flawOf(code: string | undefined): Flaw {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "HPE_CHUNK_EXTENSIONS_OVERFLOW" ? 413 : 400;
}

const nothing = (): void => {};

/** Drops a response that will not be read. */
function discard({ body, gone }: HttpResponse): void {
  gone?.();
  if (body instanceof ReadableStream) body.cancel().catch(nothing);
}

/** The settings and the state that all connections of a server share. */
export interface Shared {
  readonly limits: HttpLimits;
  readonly isDraining: boolean;
  /** How many requests of all connections wait for the answers to requests before them. */
  waiting: number;
}

/**
 * A client's connection, as far as Node's server does not look after it: which answers are due, which one is the last,
 * and an error reply that comes after the answers to the requests before it.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  readonly #arrivals = new Arrivals();
  /** The answers that are not sent yet, with what to drop when they are, or cannot be. */
  readonly #due = new Map<ServerResponse, () => void>();
  readonly #unused: NodeJS.Timeout;
  #newest: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  /** How many requests wait: those that came after others, and those that were ignored since the connection is ending. */
  #waiting = 0;
  #ignored = 0;
  /** Whether an answer has announced the end of the connection. */
  #isEnding = false;
  #isStreaming = false;
  /** The bytes that had been read when nothing was due last. */
  #readAtRest = 0;
  #flaw: Flaw | undefined;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    // Node's own limit starts again with each byte between two requests, an empty line for example.
    this.#unused = setTimeout(() => this.#closeUnused(), shared.limits.keepAliveTimeoutMs + GRACE_MS).unref();
    socket.on("end", () => {
      this.#arrivals.end();
      // A stream would never notice that its client has probably disconnected.
      if (this.#isStreaming) socket.destroy();
    });
    socket.once("close", () => this.#close());
  }

  /** Whether a request is unanswered, or its answer is not sent yet. */
  get isBusy(): boolean {
    return this.#due.size > 0;
  }

  /** Whether nothing is due, and nothing of a next request has arrived. */
  get isUnused(): boolean {
    return this.#due.size === 0 && this.#socket.bytesRead === this.#readAtRest;
  }

  /** Returns a request that has begun to arrive; `undefined` if it must not run, since the connection is ending. */
  begin(request: IncomingMessage, response: ServerResponse, isExpecting: boolean): HttpRequest | undefined {
    const isIgnored = this.#isEnding || this.#flaw !== undefined;
    if ((isIgnored || this.#due.size > 0) && !this.#addWaiting()) {
      this.#socket.destroy();
      return undefined;
    }
    if (isIgnored) {
      // Node keeps it until the connection has ended.
      this.#ignored++;
      return undefined;
    }
    this.#newest = { request, response };
    this.#due.set(response, nothing);
    response.once("close", () => this.#sent(response));
    // It may end after its answer.
    request.once("close", () => this.#rest());
    if (!isExpecting) return requestOf(request, response, this.#arrivals, nothing);
    // A client that was not told to continue may or may not send its body, so its connection cannot be used again.
    const { shouldKeepAlive } = response;
    response.shouldKeepAlive = false;
    return requestOf(request, response, this.#arrivals, () => {
      response.writeContinue();
      response.shouldKeepAlive = shouldKeepAlive;
    });
  }

  /** Counts one more request that waits. Returns false if there are too many. */
  #addWaiting(): boolean {
    if (this.#waiting >= MAX_WAITING || this.#shared.waiting >= MAX_WAITING_IN_ALL) return false;
    this.#waiting++;
    this.#shared.waiting++;
    return true;
  }

  /** Answers a request. */
  answer(request: IncomingMessage, response: ServerResponse, answer: HttpResponse): void {
    if (!this.#due.has(response) || response.headersSent || this.#socket.destroyed) {
      discard(answer);
      return;
    }
    const { status, headers, id, body } = answer;
    const isNewest = this.#newest?.response === response;
    if ((this.#shared.isDraining || this.#socket.readableEnded) && isNewest) response.shouldKeepAlive = false;
    if (!response.shouldKeepAlive) this.#isEnding = true;
    if (id !== undefined) response.setHeader("x-request-id", id);
    if (body instanceof ReadableStream) {
      response.writeHead(status, headers);
      response.flushHeaders();
      this.#stream(response, Readable.fromWeb(body as NodeStream));
      return;
    }
    this.#due.set(response, () => discard(answer));
    const isEmpty = body === null || request.method === "HEAD";
    if (body !== null) response.setHeader("content-length", bytesIn(body));
    else if (status !== 204 && !isBodiless(request.method ?? "")) response.setHeader("content-length", 0);
    response.writeHead(status, headers);
    if (isEmpty) response.end();
    else if (typeof body === "string" || Buffer.isBuffer(body)) response.end(body);
    else {
      for (const piece of body) response.write(piece);
      response.end();
    }
  }

  #stream(response: ServerResponse, source: Readable): void {
    if (this.#socket.readableEnded) {
      source.destroy();
      this.#socket.destroy();
      return;
    }
    this.#isStreaming = true;
    this.#due.set(response, () => source.destroy());
    // A broken stream breaks the connection; a client that disconnects ends the stream.
    pipeline(source, response)
      .catch(nothing)
      .finally(() => {
        this.#isStreaming = false;
      });
  }

  /** Ends the connection with an error reply, after the answers to the requests before it. */
  fail(code: string | undefined): void {
    if (this.#flaw !== undefined) return;
    const flaw = flawOf(code);
    this.#flaw = flaw;
    if (this.#isEnding || !this.#socket.writable) {
      if (this.#due.size === 0) this.#socket.destroy();
      return;
    }
    const newest = this.#newest;
    if (newest === undefined || newest.request.complete) {
      if (this.#due.size === 0) this.#refuse(flaw);
    } else if (newest.response.headersSent) this.#socket.destroy();
    else {
      // The request is cut off, so this is its answer.
      newest.response.shouldKeepAlive = false;
      newest.response.writeHead(flaw, { "content-length": 0 }).end();
    }
  }

  /** Writes an error reply to bytes that are no request. */
  #refuse(flaw: Flaw): void {
    this.#isEnding = true;
    this.#socket.end(`HTTP/1.1 ${flaw} ${REASONS[flaw]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
  }

  #sent(response: ServerResponse): void {
    const drop = this.#due.get(response);
    this.#due.delete(response);
    drop?.();
    this.#unused.refresh();
    // One of those that are left is the next, for which it no longer waits.
    this.#keepWaiting(Math.max(this.#due.size - 1, 0) + this.#ignored);
    this.#rest();
    if (this.#due.size === 0 && this.#flaw !== undefined && !this.#isEnding && this.#socket.writable)
      this.#refuse(this.#flaw);
  }

  /** Notes that only so many requests still wait. */
  #keepWaiting(count: number): void {
    if (count >= this.#waiting) return;
    this.#shared.waiting -= this.#waiting - count;
    this.#waiting = count;
  }

  /** Notes what was read so far, if nothing is due. */
  #rest(): void {
    if (this.#due.size === 0 && this.#newest?.request.complete === true) this.#readAtRest = this.#socket.bytesRead;
  }

  #closeUnused(): void {
    if (!this.isBusy) this.#socket.destroy();
  }

  #close(): void {
    clearTimeout(this.#unused);
    this.#arrivals.end();
    // Node reports no end of answers that were not next.
    const drops = [...this.#due.values()];
    this.#due.clear();
    this.#keepWaiting(0);
    for (const drop of drops) drop();
  }
}
