import type { Socket } from "node:net";
import { bytesIn, type HttpResponse, type WholeBody } from "./message.ts";
import type { RequestHead } from "./request-head.ts";
import type { HeadText } from "./response-text.ts";

/** The longest body that is written as one text with its head. */
const SHORT = 65_536;

/** A request whose answer has not gone out. */
export interface Turn {
  /** `undefined` for bytes that are not a request. */
  readonly head: RequestHead | undefined;
  /** Whether the connection ends with its answer, whatever the client wants. */
  mustEnd: boolean;
  /** Whether `100 Continue` is to be written when the earlier answers are out. */
  mustContinue: boolean;
  response: HttpResponse | undefined;
}

/** The answers of one connection, which go out in the order of their requests. */
export interface Answers {
  /** The number of outstanding answers. */
  readonly count: number;
  /** Whether the last answer has been written, which said so. */
  readonly isOver: boolean;
  /** Whether the present answer is a stream. */
  readonly isStreaming: boolean;
  /** Takes a place for the answer to a request. */
  add(head: RequestHead | undefined): Turn;
  /** Answers a request. Only the first answer counts. */
  answer(turn: Turn, response: HttpResponse): void;
  /** Tells a client to go on with its body. */
  goOn(turn: Turn): void;
  /** Forgets all answers: the connection is gone. */
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

/** Forgets a response that nobody will read. */
function discard({ body, gone }: HttpResponse): void {
  gone?.();
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
}

/** Resolves when a socket takes more, or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}

/** Writes one piece of a stream, in one system call. */
function writePiece(socket: Socket, bytes: Uint8Array, isChunked: boolean): void {
  socket.cork();
  if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`, "latin1");
  socket.write(bytes);
  if (isChunked) socket.write("\r\n", "latin1");
  socket.uncork();
}

/** Writes a stream to its end. A broken stream breaks the connection off, and a client that goes ends the stream. */
async function pump(socket: Socket, stream: ReadableStream<Uint8Array>, isChunked: boolean): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  socket.once("close", leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || socket.destroyed) break;
      if (value.length > 0) writePiece(socket, value, isChunked);
      if (socket.writableNeedDrain) await drained(socket);
    }
    if (isChunked && !socket.destroyed) socket.write("0\r\n\r\n", "latin1");
  } catch {
    socket.destroy();
  } finally {
    socket.off("close", leave);
    if (socket.destroyed) leave();
  }
}

/** The length that a response tells; `undefined` where it tells none. */
function lengthOf({ status, body }: HttpResponse, isHead: boolean): number | undefined {
  if (body === null) return isHead || status === 204 ? undefined : 0;
  return body instanceof ReadableStream ? undefined : bytesIn(body);
}

/** Writes a response whose body is there. */
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

export function createResponseQueue(
  socket: Socket,
  { headText, hasLeft, isEnding, onWritten, onOver }: Needs,
): Answers {
  const turns: Turn[] = [];
  let isOver = false;
  let isStreaming = false;

  function finish(isLast: boolean): void {
    turns.shift();
    if (!isLast) return;
    isOver = true;
    for (const { response } of turns) if (response !== undefined) discard(response);
    turns.length = 0;
    onOver();
  }

  async function stream(turn: Turn, body: ReadableStream<Uint8Array>, isChunked: boolean, isLast: boolean) {
    isStreaming = true;
    onWritten();
    await pump(socket, body, isChunked);
    isStreaming = false;
    if (socket.destroyed) return;
    // While it went on, the end may have begun.
    finish(isLast || turn.mustEnd);
    flush();
  }

  function write(turn: Turn, response: HttpResponse): void {
    const { body, gone } = response;
    const { head } = turn;
    const isHead = head?.method === "HEAD";
    const isChunked = body instanceof ReadableStream && head?.isOld === false;
    const isUnbounded = body instanceof ReadableStream && !isChunked;
    const isLast = turn.mustEnd || head?.isKeptAlive !== true || isUnbounded || (turns.length === 1 && isEnding());
    const length = lengthOf(response, isHead);
    const text = headText(response, { length, isChunked, isLast });
    if (body instanceof ReadableStream) {
      // A client that has ended its side has most likely gone, and a stream would never find out.
      if (hasLeft()) {
        socket.destroy();
        return;
      }
      socket.write(text, "latin1");
      void stream(turn, body, isChunked, isLast);
      return;
    }
    if (body === null || isHead) socket.write(text, "latin1", gone);
    else writeWhole(socket, text, body, length ?? 0, gone);
    onWritten();
    finish(isLast);
  }

  /** Writes the answers that are there and have no other one before them. */
  function flush(): void {
    const isSeveral = turns.length > 1;
    if (isSeveral) socket.cork();
    while (!isStreaming && !socket.destroyed) {
      const [turn] = turns;
      if (turn?.mustContinue === true && turn.response === undefined) {
        turn.mustContinue = false;
        socket.write(CONTINUE, "latin1");
      }
      if (turn?.response === undefined) break;
      write(turn, turn.response);
    }
    if (isSeveral) socket.uncork();
  }

  return {
    get count() {
      return turns.length;
    },
    get isOver() {
      return isOver;
    },
    get isStreaming() {
      return isStreaming;
    },
    add(head) {
      const turn: Turn = { head, mustEnd: false, mustContinue: false, response: undefined };
      turns.push(turn);
      return turn;
    },
    answer(turn, response) {
      if (turn.response !== undefined || isOver || socket.destroyed) {
        discard(response);
        return;
      }
      turn.response = response;
      flush();
    },
    goOn(turn) {
      turn.mustContinue = true;
      flush();
    },
    close() {
      isOver = true;
      for (const { response } of turns.slice(isStreaming ? 1 : 0)) if (response !== undefined) discard(response);
      turns.length = 0;
    },
  };
}
