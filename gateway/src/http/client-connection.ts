import type { Socket } from "node:net";
import type { HttpLimits } from "../shared/limits.ts";
import { Arrivals, ArrivingRequest, END, type Part, type RequestHead, WholeRequest } from "./client-request.ts";
import type { IdleLimit } from "./idle-limit.ts";
import type { HttpResponse, Respond } from "./message.ts";
import { createBody, type RequestBody } from "./request-body.ts";
import { createRequestParser, type RequestParser } from "./request-parser.ts";
import { createResponseQueue, type HeadText, type ResponseQueue, type Turn } from "./response-queue.ts";

/** The maximum number of requests that may wait on a connection after an unanswered one. */
const MAX_WAITING = 64;
/** How long a connection keeps reading after its last answer, so that its client can read the answer. */
const LINGER_MS = 1_000;
/** Clients have this much more time for their next request than `Keep-Alive` says. */
const GRACE_MS = 1_000;

/** The only transfer coding that the gateway decodes. */
const CHUNKED = /^chunked$/i;
const CONTINUE = /^100-continue$/i;
const NO_BODY: Buffer = Buffer.alloc(0);

/** The parts that all connections of a server share. */
export interface Shared {
  readonly limits: HttpLimits;
  readonly idle: IdleLimit;
  readonly isDraining: boolean;
  readonly respond: Respond;
  readonly headText: HeadText;
}

/** A connection of a client. */
export interface ClientConnection {
  /** Whether answers are outstanding, or a request has begun to arrive. */
  readonly isBusy: boolean;
  /** Ends the connection if its client takes longer than it may. */
  check(now: number): void;
}

/** A response without headers and body. */
const bare = (status: number): HttpResponse => ({ status, headers: {}, body: "" });

/** The status with which a head is refused before its request is handled. */
function refusalOf(head: RequestHead): 400 | 417 | 501 | undefined {
  const coding = head.header("transfer-encoding");
  if (coding !== undefined && !CHUNKED.test(coding)) return 501;
  if (head.isOld) return undefined;
  if (head.header("host") === undefined) return 400;
  const expected = head.header("expect");
  return expected === undefined || CONTINUE.test(expected) ? undefined : 417;
}

/** Whether a client waits for `100 Continue`. It may send its body without waiting. */
const isExpecting = (head: RequestHead): boolean => !head.isOld && head.header("expect") !== undefined;

/** Reads the requests of a connection, and writes their answers. */
class Connection implements ClientConnection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  readonly #parser: RequestParser;
  readonly #answers: ResponseQueue;
  readonly #arrivals = new Arrivals();
  readonly #parts: Part[] = [];
  /** The request that is arriving. */
  #incoming: { readonly turn: Turn; readonly body: RequestBody } | undefined;
  /**
   * When the current request began to arrive, or the last answer was sent; set by the first check after that, so that
   * neither reads the clock.
   */
  #since: number | undefined;
  #isFresh = true;
  /** Whether no more requests are accepted, whether because of an error, and whether the client sends no more. */
  #isDone = false;
  #hasFailed = false;
  #hasEnded = false;
  #isPaused = false;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    this.#parser = createRequestParser(shared.limits.maxHeaderBytes);
    this.#answers = createResponseQueue(socket, {
      headText: shared.headText,
      hasLeft: () => this.#hasEnded,
      isEnding: () => this.#hasEnded || (shared.isDraining && !this.#parser.isInRequest),
      onWritten: () => this.#written(),
      onOver: () => this.#finish(),
    });
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("drain", () => this.#regulate());
    // The connection ends next.
    socket.on("error", () => {});
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#close());
  }

  get isBusy(): boolean {
    return this.#answers.count > 0 || this.#parser.isInRequest;
  }

  check(now: number): void {
    const { limits } = this.#shared;
    const parser = this.#parser;
    const answers = this.#answers;
    const isWriting = this.#socket.writableLength > 0 && (answers.isOver || !parser.isInRequest);
    // The time begins when the answers are sent; until then, the idle limit applies.
    if (this.#since === undefined || isWriting) {
      this.#since = now;
      return;
    }
    const waited = now - this.#since;
    if (answers.isOver) {
      if (waited > LINGER_MS) this.#socket.destroy();
    } else if ((parser.isInRequest && !this.#isDone) || this.#isFresh) {
      if (waited > (parser.isInBody ? limits.requestTimeoutMs : limits.headersTimeoutMs)) this.#fail(408);
    } else if (answers.count === 0 && waited > limits.keepAliveTimeoutMs + GRACE_MS) this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#isDone) return;
    if (!this.#parser.isInRequest) this.#since = undefined;
    this.#isFresh = false;
    const flaw = this.#parser.read(chunk, this.#parts);
    this.#takeAll();
    if (flaw !== undefined && !this.#isDone && !this.#socket.destroyed) this.#fail(flaw);
    this.#regulate();
  }

  /** Handles the parts that have arrived. Most requests arrive as a whole. */
  #takeAll(): void {
    const parts = this.#parts;
    for (let at = 0; at < parts.length && !this.#isDone && !this.#socket.destroyed; at++) {
      const part = parts[at];
      const next = parts[at + 1];
      if (part === undefined) break;
      if (part === END || Buffer.isBuffer(part) || (!part.isRepeated && isExpecting(part))) this.#take(part);
      else if (next === END) {
        this.#answerWhole(part, NO_BODY);
        at++;
      } else if (Buffer.isBuffer(next) && parts[at + 2] === END) {
        this.#answerWhole(part, next);
        at += 2;
      } else this.#take(part);
    }
    parts.length = 0;
  }

  #take(part: Part): void {
    if (part === END) {
      this.#incoming?.body.end();
      this.#isDone ||= this.#incoming?.turn.head?.isKeptAlive === false;
      this.#incoming = undefined;
    } else if (Buffer.isBuffer(part)) this.#incoming?.body.add(part);
    else this.#begin(part);
  }

  /** Answers a request that has arrived completely. Bytes after the last one are not a request. */
  #answerWhole(head: RequestHead, bytes: Buffer): void {
    const turn = this.#admit(head);
    this.#isDone ||= !head.isKeptAlive;
    if (turn === undefined) return;
    const request = new WholeRequest(head, this.#arrivals, bytes);
    this.#shared.respond(request, (response) => this.#answers.answer(turn, response));
  }

  /** Answers a request whose body has not arrived yet. */
  #begin(head: RequestHead): void {
    const turn = this.#admit(head);
    if (turn === undefined) return;
    const body = createBody(() => this.#regulate());
    this.#incoming = { turn, body };
    const goOn = (): void => {
      // `mustEnd` is also true if a client that waits for `100 Continue` has not received it yet.
      if (!turn.mustEnd || !isExpecting(head)) return;
      turn.mustEnd = false;
      this.#answers.goOn(turn);
    };
    this.#shared.respond(new ArrivingRequest(head, this.#arrivals, body, goOn), (response) => {
      body.drop();
      this.#answers.answer(turn, response);
      this.#regulate();
    });
  }

  /** Reserves a place for the answer to a request; `undefined` if it is refused. */
  #admit(head: RequestHead): Turn | undefined {
    if (this.#answers.count > MAX_WAITING) {
      this.#socket.destroy();
      return undefined;
    }
    const turn = this.#answers.add(head);
    // A cached head has passed the checks below.
    if (head.isRepeated) return turn;
    const refusal = refusalOf(head);
    // It is unknown whether a body follows if the client waits, and what follows a CONNECT.
    turn.mustEnd = refusal !== undefined || head.method === "CONNECT" || isExpecting(head);
    this.#isDone ||= refusal !== undefined || head.method === "CONNECT";
    if (refusal === undefined) return turn;
    this.#hasFailed = true;
    this.#answers.answer(turn, bare(refusal));
    return undefined;
  }

  /** Ends the connection with an error, after the answers to earlier requests. */
  #fail(status: number): void {
    this.#isDone = true;
    this.#hasFailed = true;
    const turn = this.#incoming?.turn ?? this.#answers.add(undefined);
    this.#incoming?.body.cut();
    turn.mustEnd = true;
    if (turn.response === undefined) this.#answers.answer(turn, bare(status));
    else this.#socket.destroy();
  }

  /**
   * Continues reading or pauses: clients that do not read their answers, or whose body is not needed yet, must wait.
   */
  #regulate(): void {
    const mustWait = !this.#isDone && (this.#socket.writableNeedDrain || this.#incoming?.body.isFull === true);
    if (mustWait === this.#isPaused) return;
    this.#isPaused = mustWait;
    if (mustWait) this.#socket.pause();
    else this.#socket.resume();
  }

  /** An answer has been written, or the first part of a stream. */
  #written(): void {
    this.#since = undefined;
    const answers = this.#answers;
    if (this.#socket.writableLength > 0 || answers.isStreaming)
      this.#shared.idle.watch(this.#socket, () => answers.count > 0);
    this.#regulate();
  }

  /** The last answer has been written. */
  #finish(): void {
    this.#isDone = true;
    // Further bytes from the client are read and dropped for a moment; otherwise it could not read the answer.
    if (this.#hasFailed || this.#parser.isInRequest) this.#socket.end();
    else this.#socket.destroySoon();
    this.#regulate();
  }

  /** The client has ended its side. */
  #end(): void {
    this.#hasEnded = true;
    this.#arrivals.end();
    if (this.#answers.isStreaming) this.#socket.destroy();
    else if (this.#parser.isInRequest && !this.#isDone) this.#fail(400);
    else if (this.#answers.count === 0) this.#socket.end();
  }

  #close(): void {
    this.#isDone = true;
    this.#arrivals.end();
    this.#incoming?.body.cut();
    this.#answers.close();
    this.#parser.free();
  }
}

export const serveConnection = (socket: Socket, shared: Shared): ClientConnection => new Connection(socket, shared);
