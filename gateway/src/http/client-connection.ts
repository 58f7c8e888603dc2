import type { Socket } from "node:net";
import type { HttpLimits } from "../shared/limits.ts";
import { Arrivals } from "./arrivals.ts";
import { ArrivingRequest, WholeRequest } from "./client-request.ts";
import type { IdleLimit } from "./idle-limit.ts";
import type { HttpResponse, Respond } from "./message.ts";
import { createBody, type RequestBody } from "./request-body.ts";
import type { RequestHead } from "./request-head.ts";
import { createRequestParser } from "./request-parser.ts";
import { END, type Part } from "./request-part.ts";
import { createResponseQueue, type Turn } from "./response-queue.ts";
import type { HeadText } from "./response-text.ts";

/** The most requests that a connection may have waiting behind an unanswered one. */
const MAX_WAITING = 64;
/** How long a connection goes on reading after its last answer, so that its client can read that. */
const LINGER_MS = 1_000;
/** Clients get so much more time for their next request than they are told. */
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

/** The status by which a head is refused before its request is looked at. */
function refusalOf(head: RequestHead): 400 | 417 | 501 | undefined {
  const coding = head.header("transfer-encoding");
  if (coding !== undefined && !CHUNKED.test(coding)) return 501;
  if (head.isOld) return undefined;
  if (head.header("host") === undefined) return 400;
  const expected = head.header("expect");
  return expected === undefined || CONTINUE.test(expected) ? undefined : 417;
}

/** Whether a client waits for `100 Continue`. It may send its body all the same, without being told. */
const isExpecting = (head: RequestHead): boolean => !head.isOld && head.header("expect") !== undefined;

/** Reads the requests of a connection, and writes their answers. */
export function serveConnection(socket: Socket, shared: Shared): ClientConnection {
  const { limits, idle, respond } = shared;
  const parser = createRequestParser(limits.maxHeaderBytes);
  const parts: Part[] = [];
  /** The request that is arriving. */
  let incoming: { readonly turn: Turn; readonly body: RequestBody } | undefined;
  /** The first check after the present request began to arrive, or the last answer went out; that reads no clock. */
  let since: number | undefined;
  let isFresh = true;
  /** Whether no more requests are taken, whether that is for an error, and whether the client sends no more. */
  let isDone = false;
  let hasFailed = false;
  let hasEnded = false;
  let isPaused = false;
  const arrivals = new Arrivals();

  const isDue = (): boolean => answers.count > 0;
  const answers = createResponseQueue(socket, {
    headText: shared.headText,
    hasLeft: () => hasEnded,
    isEnding: () => hasEnded || (shared.isDraining && !parser.isInRequest),
    onWritten() {
      since = undefined;
      if (socket.writableLength > 0 || answers.isStreaming) idle.watch(socket, isDue);
      regulate();
    },
    onOver() {
      isDone = true;
      // More bytes from the client are read and dropped for a moment, or it could not read the answer.
      if (hasFailed || parser.isInRequest) socket.end();
      else socket.destroySoon();
      regulate();
    },
  });

  /** Reads on or waits: clients that do not take their answers, or whose body is not wanted yet, have to wait. */
  function regulate(): void {
    const mustWait = !isDone && (socket.writableNeedDrain || incoming?.body.isFull === true);
    if (mustWait === isPaused) return;
    isPaused = mustWait;
    if (mustWait) socket.pause();
    else socket.resume();
  }

  /** Ends the connection with an error, after the answers to earlier requests. */
  function fail(status: number): void {
    isDone = true;
    hasFailed = true;
    const turn = incoming?.turn ?? answers.add(undefined);
    incoming?.body.cut();
    turn.mustEnd = true;
    if (turn.response === undefined) answers.answer(turn, bare(status));
    else socket.destroy();
  }

  /** Takes a place for the answer to a request; `undefined` when it is refused. */
  function admit(head: RequestHead): Turn | undefined {
    if (answers.count > MAX_WAITING) {
      socket.destroy();
      return undefined;
    }
    const turn = answers.add(head);
    // One that came before was none of these.
    if (head.isRepeated) return turn;
    const refusal = refusalOf(head);
    // Whether a body follows is not known where the client waits, nor what follows a CONNECT.
    turn.mustEnd = refusal !== undefined || head.method === "CONNECT" || isExpecting(head);
    isDone ||= refusal !== undefined || head.method === "CONNECT";
    if (refusal === undefined) return turn;
    hasFailed = true;
    answers.answer(turn, bare(refusal));
    return undefined;
  }

  function begin(head: RequestHead): void {
    const turn = admit(head);
    if (turn === undefined) return;
    const body = createBody(regulate);
    incoming = { turn, body };
    const goOn = (): void => {
      if (!turn.mustEnd || !isExpecting(head)) return;
      turn.mustEnd = false;
      answers.goOn(turn);
    };
    respond(new ArrivingRequest(head, arrivals, body, goOn), (response) => {
      body.drop();
      answers.answer(turn, response);
      regulate();
    });
  }

  /** Answers a request of which all has arrived. What comes behind the last one is no request. */
  function answerWhole(head: RequestHead, bytes: Buffer): void {
    const turn = admit(head);
    isDone ||= !head.isKeptAlive;
    if (turn !== undefined)
      respond(new WholeRequest(head, arrivals, bytes), (response) => answers.answer(turn, response));
  }

  function take(part: Part): void {
    if (part === END) {
      incoming?.body.end();
      isDone ||= incoming?.turn.head?.isKeptAlive === false;
      incoming = undefined;
    } else if (Buffer.isBuffer(part)) incoming?.body.add(part);
    else begin(part);
  }

  /** Takes the parts that have arrived. Most requests arrive as a whole. */
  function takeAll(): void {
    for (let at = 0; at < parts.length && !isDone && !socket.destroyed; at++) {
      const part = parts[at];
      const next = parts[at + 1];
      if (part === undefined) break;
      if (part === END || Buffer.isBuffer(part) || (!part.isRepeated && isExpecting(part))) take(part);
      else if (next === END) {
        answerWhole(part, NO_BODY);
        at++;
      } else if (Buffer.isBuffer(next) && parts[at + 2] === END) {
        answerWhole(part, next);
        at += 2;
      } else take(part);
    }
    parts.length = 0;
  }

  function read(chunk: Buffer): void {
    if (isDone) return;
    if (!parser.isInRequest) since = undefined;
    isFresh = false;
    const flaw = parser.read(chunk, parts);
    takeAll();
    if (flaw !== undefined && !isDone && !socket.destroyed) fail(flaw);
    regulate();
  }

  socket.on("data", read);
  socket.on("drain", regulate);
  // The end of the connection follows.
  socket.on("error", () => {});
  socket.on("end", () => {
    hasEnded = true;
    arrivals.end();
    if (answers.isStreaming) socket.destroy();
    else if (parser.isInRequest && !isDone) fail(400);
    else if (answers.count === 0) socket.end();
  });
  socket.on("close", () => {
    isDone = true;
    arrivals.end();
    incoming?.body.cut();
    answers.close();
    parser.free();
  });

  return {
    get isBusy() {
      return answers.count > 0 || parser.isInRequest;
    },
    check(now) {
      // The time begins when the answers are out; until then, the idle limit holds.
      if (since === undefined || (socket.writableLength > 0 && (answers.isOver || !parser.isInRequest))) since = now;
      else if (answers.isOver) {
        if (now - since > LINGER_MS) socket.destroy();
      } else if ((parser.isInRequest && !isDone) || isFresh) {
        if (now - since > (parser.isInBody ? limits.requestTimeoutMs : limits.headersTimeoutMs)) fail(408);
      } else if (answers.count === 0 && now - since > limits.keepAliveTimeoutMs + GRACE_MS) socket.destroy();
    },
  };
}
