import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { RequestHead } from "./client-request.ts";
import { bytesIn, type HttpResponse, type Respond, type WholeBody } from "./message.ts";
import { pump } from "./response-stream.ts";

/** The longest body that is written together with its head as one text. */
const SHORT = 65_536;

/** How a response is sent, apart from its own headers. */
interface Framing {
  /** The bytes of the body; `undefined` if there is none or its length is unknown. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** Whether the connection ends with it. */
  readonly isLast: boolean;
}

const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `HTTP/1.1 ${status} ${reason}\r\n`]),
);

let dateSecond = 0;
let dateLine = "";

/** The `Date` header, computed once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `date: ${new Date(second * 1_000).toUTCString()}\r\n`;
  }
  return dateLine;
}

/** Writes the head of a response. */
export type HeadText = (response: HttpResponse, framing: Framing) => string;

/** @param keepAliveMs how long clients may keep an unused connection */
export function createHeadText(keepAliveMs: number): HeadText {
  const kept = `connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n`;
  return ({ status, headers, id }, { length, isChunked, isLast }) => {
    let text = STATUS_LINES.get(status) ?? `HTTP/1.1 ${status} Unknown\r\n`;
    if (id !== undefined) text += `x-request-id: ${id}\r\n`;
    // The values are the gateway's own or were checked at their source: none has a line break.
    for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
    if (length !== undefined) text += `content-length: ${length}\r\n`;
    if (isChunked) text += "transfer-encoding: chunked\r\n";
    return `${text}${dateNow()}${isLast ? "connection: close\r\n" : kept}\r\n`;
  };
}

/** A request whose answer was not sent yet. */
export interface Turn {
  /** `undefined` for bytes that are not a request. */
  readonly head: RequestHead | undefined;
  /** Whether the connection ends with its answer, whatever the client requested. */
  mustEnd: boolean;
  /** Whether to write `100 Continue` once the earlier answers are sent. */
  mustContinue: boolean;
  response: HttpResponse | undefined;
}

/** The answers of one connection, sent in the order of their requests. */
export interface ResponseQueue {
  /** The number of outstanding answers. */
  readonly count: number;
  /** Whether the last answer, which announced the end, has been written. */
  readonly isOver: boolean;
  /** Whether the current answer is a stream. */
  readonly isStreaming: boolean;
  /** Reserves a place for the answer to a request. */
  add(head: RequestHead | undefined): Turn;
  /** Answers a request. Only the first answer counts. */
  answer(turn: Turn, response: HttpResponse): void;
  /** Tells a client to continue with its body. */
  goOn(turn: Turn): void;
  /** Drops all answers, since the connection has ended. */
  close(): void;
}

interface Needs {
  readonly headText: HeadText;
  /** Whether the client has ended its side. */
  hasLeft(): boolean;
  /** Whether the newest answer is to be the last one. */
  isEnding(): boolean;
  /** Called when an answer has been written, or the first part of a stream. */
  onWritten(): void;
  /** Called when the last answer has been written. */
  onOver(): void;
}

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** Drops a response that will not be read. */
function discard({ body, gone }: HttpResponse): void {
  gone?.();
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
}

/** The declared length of a response; `undefined` without one. */
function lengthOf({ status, body }: HttpResponse, isHead: boolean): number | undefined {
  if (body === null) return isHead || status === 204 ? undefined : 0;
  return body instanceof ReadableStream ? undefined : bytesIn(body);
}

/** Writes a response with a complete body. */
function writeWhole(socket: Socket, head: string, body: WholeBody, length: number, gone?: () => void): void {
  // A text with one byte for each character can be written without encoding it.
  const encoding = length === body.length ? "latin1" : "utf8";
  if (typeof body === "string" && length <= SHORT) {
    socket.write(head + body, encoding, gone);
    return;
  }
  socket.cork();
  socket.write(head, "latin1");
  if (typeof body === "string") socket.write(body, encoding, gone);
  else if (Buffer.isBuffer(body)) socket.write(body, gone);
  else {
    for (const piece of body.slice(0, -1)) socket.write(piece);
    socket.write(body.at(-1) ?? "", gone);
  }
  socket.uncork();
}

class Queue implements ResponseQueue {
  readonly #socket: Socket;
  readonly #needs: Needs;
  readonly #turns: Turn[] = [];
  isOver = false;
  isStreaming = false;

  constructor(socket: Socket, needs: Needs) {
    this.#socket = socket;
    this.#needs = needs;
  }

  get count(): number {
    return this.#turns.length;
  }

  add(head: RequestHead | undefined): Turn {
    const turn: Turn = { head, mustEnd: false, mustContinue: false, response: undefined };
    this.#turns.push(turn);
    return turn;
  }

  answer(turn: Turn, response: HttpResponse): void {
    if (turn.response !== undefined || this.isOver || this.#socket.destroyed) {
      discard(response);
      return;
    }
    turn.response = response;
    this.#flush();
  }

  goOn(turn: Turn): void {
    turn.mustContinue = true;
    this.#flush();
  }

  close(): void {
    this.isOver = true;
    this.#discardFrom(this.isStreaming ? 1 : 0);
  }

  /** Writes the answers that are ready and next in order. */
  #flush(): void {
    const isSeveral = this.#turns.length > 1;
    if (isSeveral) this.#socket.cork();
    while (!this.isStreaming && !this.#socket.destroyed) {
      const [turn] = this.#turns;
      if (turn?.mustContinue === true && turn.response === undefined) {
        turn.mustContinue = false;
        this.#socket.write(CONTINUE, "latin1");
      }
      if (turn?.response === undefined) break;
      this.#write(turn, turn.response);
    }
    if (isSeveral) this.#socket.uncork();
  }

  #write(turn: Turn, response: HttpResponse): void {
    const { body, gone } = response;
    const { head } = turn;
    const isHead = head?.method === "HEAD";
    const isChunked = body instanceof ReadableStream && head?.isOld === false;
    const isUnbounded = body instanceof ReadableStream && !isChunked;
    const isEnding = this.#turns.length === 1 && this.#needs.isEnding();
    const isLast = turn.mustEnd || head?.isKeptAlive !== true || isUnbounded || isEnding;
    const length = lengthOf(response, isHead);
    const text = this.#needs.headText(response, { length, isChunked, isLast });
    if (body instanceof ReadableStream) {
      // A client that has ended its side has probably disconnected, and a stream would never notice.
      if (this.#needs.hasLeft()) {
        this.#socket.destroy();
        return;
      }
      this.#socket.write(text, "latin1");
      void this.#stream(turn, body, isChunked, isLast);
      return;
    }
    if (body === null || isHead) this.#socket.write(text, "latin1", gone);
    else writeWhole(this.#socket, text, body, length ?? 0, gone);
    this.#needs.onWritten();
    this.#finish(isLast);
  }

  async #stream(turn: Turn, body: ReadableStream<Uint8Array>, isChunked: boolean, isLast: boolean): Promise<void> {
    this.isStreaming = true;
    this.#needs.onWritten();
    await pump(this.#socket, body, isChunked);
    this.isStreaming = false;
    if (this.#socket.destroyed) return;
    // The end may have begun meanwhile.
    this.#finish(isLast || turn.mustEnd);
    this.#flush();
  }

  #finish(isLast: boolean): void {
    this.#turns.shift();
    if (!isLast) return;
    this.isOver = true;
    this.#discardFrom(0);
    this.#needs.onOver();
  }

  #discardFrom(first: number): void {
    for (const { response } of this.#turns.slice(first)) if (response !== undefined) discard(response);
    this.#turns.length = 0;
  }
}

export const createResponseQueue = (socket: Socket, needs: Needs): ResponseQueue => new Queue(socket, needs);

interface Due {
  readonly response: HttpResponse;
  write(response: HttpResponse): void;
}

/**
 * Wraps `respond`: collects responses until the end of the current turn, and then writes them one by one. Writing each
 * immediately would be slower: its client sends the next request immediately, so smaller batches of requests would
 * reach Redis. No response is sent before the requests that arrived together with its own are read: during a drain, one
 * of those is the last.
 */
export function inBatches(respond: Respond): Respond {
  let held: Due[] = [];
  function flush(): void {
    const due = held;
    held = [];
    for (const { write, response } of due) write(response);
  }
  return (request, write) =>
    respond(request, (response) => {
      if (held.push({ write, response }) === 1) queueMicrotask(flush);
    });
}
