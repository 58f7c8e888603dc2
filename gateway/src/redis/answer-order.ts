import { randomUUID } from "node:crypto";
import type { Command, Reply } from "./backend.ts";

/**
 * Verifies that answers belong to the commands that they seem to answer. Redis answers in order and without names, so a
 * command without an answer, or with two, would hand all later answers to the wrong callers. Between commands of
 * different callers a mark is sent: an ECHO of a secret text, which must come back in its place and in no other.
 */
export interface AnswerOrder {
  /**
   * The mark to send next, whose answer then counts as due; `undefined` where none is needed: no answers are due, or
   * the last command was a mark.
   *
   * @param now as of `performance.now()`
   */
  mark(now: number): Command | undefined;
  /** Counts so many more answers as due. */
  asked(count: number): void;
  /** Whether a reply can be the answer to its command. Counts it as received. */
  isAnswer(reply: Reply): boolean;
  /** Whether a reply can be the answer to its mark. Counts it as received. */
  isMark(reply: Reply): boolean;
  /** Records that an unsolicited answer has come. */
  lose(): void;
  /** Starts afresh, on a new connection, where no answers are due. */
  begin(): void;
}

/** Whether a reply has a text: as its value, or in the error that there is no such command. */
function says(reply: Reply, text: string): boolean {
  if (Buffer.isBuffer(reply)) return reply.length === text.length && reply.toString("latin1") === text;
  return reply instanceof Error && reply.message.toLowerCase().includes(text);
}

/** The most characters of a mark behind its secret. */
const MAX_COUNT = 20;

/** Whether a reply is that to any mark with a secret. */
function saysAny(reply: Reply, secret: string): boolean {
  if (!Buffer.isBuffer(reply)) return says(reply, secret);
  const { length } = secret;
  if (reply.length <= length || reply.length > length + MAX_COUNT) return false;
  return reply.toString("latin1", 0, length) === secret;
}

/**
 * @param lost called once, when an answer does not belong to its command; from then on no answer is accepted
 * @param aloneMs how often a mark is sent although no requests overlap, since an extra answer could shift them all the
 * same
 */
export function createAnswerOrder(lost: () => void, aloneMs: number): AnswerOrder {
  let due = 0;
  /** Whether the last command was a mark. */
  let isMarked = false;
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
    mark(now) {
      if ((due === 0 || isMarked) && now - markedAt < aloneMs) return undefined;
      markedAt = now;
      const mark = { text: `${secret}-${count++}`, isEcho: mayEcho && due > 0 };
      marks.push(mark);
      due++;
      isMarked = true;
      // An unknown command needs no permission, and its error repeats the name; but Redis counts it among its errors.
      return mark.isEcho ? ["ECHO", mark.text] : [mark.text];
    },
    asked(more) {
      due += more;
      isMarked = false;
    },
    isAnswer(reply) {
      due--;
      // It may be that of a later mark, if answers are missing.
      return !isLost && (!saysAny(reply, secret) || lose());
    },
    isMark(reply) {
      due--;
      const mark = marks.shift();
      if (isLost || mark === undefined) return lose();
      if (says(reply, mark.text)) return true;
      // The user may not run ECHO, or the server is busy. That proves nothing, and the next mark is of the other kind.
      if (!mark.isEcho || !(reply instanceof Error)) return lose();
      mayEcho = false;
      return true;
    },
    lose,
    begin() {
      secret = randomUUID();
      markedAt = performance.now();
      marks.length = 0;
      due = 0;
      isMarked = false;
      isLost = false;
      mayEcho = true;
    },
  };
}
