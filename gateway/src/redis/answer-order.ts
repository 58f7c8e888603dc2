import { randomUUID } from "node:crypto";
import type { Command, Reply } from "./backend.ts";

/**
 * Whether answers belong to the commands that they seem to answer: Redis answers in order and without names, so that all that comes
 * after a command without an answer, or with two, is somebody else's. Between commands and those whose answers are still due, an ECHO
 * is sent of a text that nobody else knows. It must come back in its place, and in no other.
 */
export interface Step {
  /** What to send before the next commands; mostly nothing where no answers are due. */
  mark(): Command | undefined;
  /** So many answers are due from now on, the one to a mark included. */
  asked(count: number): void;
  /** Whether what has come for a command can be the answer to it. */
  isAnswer(reply: Reply): boolean;
  /** Whether what has come for a mark can be the answer to it. */
  isMark(reply: Reply): boolean;
  /** An answer will not come. */
  missed(): void;
  /** An answer has come that nobody has asked for. */
  lose(): void;
  /** There is a new connection. */
  begin(): void;
}

/** In an answer, or in the error that there is no such command. */
function says(reply: Reply, text: string): boolean {
  if (Buffer.isBuffer(reply)) return reply.length === text.length && reply.toString("latin1") === text;
  return reply instanceof Error && reply.message.toLowerCase().includes(text);
}

/**
 * @param lost is called once, when an answer has come that is not the one to its command; from then on no answer is one
 * @param aloneMs how often it is made sure of where no requests overlap: an answer too many could shift them all the same
 */
export function createStep(lost: () => void, aloneMs: number): Step {
  let due = 0;
  let isLost = false;
  let mayEcho = true;
  let secret = randomUUID();
  let count = 0;
  let markedAt = performance.now();
  const marks: { readonly text: string; readonly isEcho: boolean }[] = [];

  function lose(): false {
    if (!isLost) lost();
    isLost = true;
    return false;
  }

  return {
    mark() {
      const now = performance.now();
      if (due === 0 && now - markedAt < aloneMs) return undefined;
      markedAt = now;
      const mark = { text: `${secret}-${count++}`, isEcho: mayEcho && due > 0 };
      marks.push(mark);
      // To hear that there is no command of that name needs no right, and is no command that ran; but Redis counts it as an error.
      return mark.isEcho ? ["ECHO", mark.text] : [mark.text];
    },
    asked(more) {
      due += more;
    },
    isAnswer(reply) {
      due--;
      const [next] = marks;
      return !isLost && (next === undefined || !says(reply, next.text) || lose());
    },
    isMark(reply) {
      due--;
      const mark = marks.shift();
      if (isLost || mark === undefined) return lose();
      if (says(reply, mark.text)) return true;
      // Somebody who may not say ECHO, or a server that is busy. It tells nothing, and the next mark is another one.
      if (!mark.isEcho || !(reply instanceof Error)) return lose();
      mayEcho = false;
      return true;
    },
    missed() {
      due--;
    },
    lose,
    begin() {
      secret = randomUUID();
      markedAt = performance.now();
      marks.length = 0;
      isLost = false;
      mayEcho = true;
    },
  };
}
