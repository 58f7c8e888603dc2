import { randomBytes } from "node:crypto";
import type { Reply } from "./backend.ts";

/**
 * Verifies that answers belong to the commands that they seem to answer. Redis answers in order and without names, so a
 * command without an answer, or with two, would hand all later answers to the wrong callers. Between new commands and
 * those whose answers are still due, a mark is sent: an ECHO of a secret text, which must come back in its place and in
 * no other.
 */
export interface AnswerOrder {
  /**
   * The mark to send before the next commands, in the wire format, whose answer then counts as due; mostly none while
   * no answers are due.
   *
   * @param now as of `performance.now()`
   */
  mark(now: number): string | undefined;
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

/**
 * The texts of marks are random, each used once: a caller may see the texts of earlier marks in MONITOR or the slow
 * log, and must not know from them the text of a mark whose answer is due.
 */
const SECRET_BYTES = 20;
const SECRET_LENGTH = 2 * SECRET_BYTES;
/** Tells operators of Redis what it is. */
const PREFIX = "leasehold-mark-";
const MARK_LENGTH = PREFIX.length + SECRET_LENGTH;
/** The commands before the text of a mark, in the wire format. */
const ECHO = `*2\r\n$4\r\nECHO\r\n$${MARK_LENGTH}\r\n`;
const UNKNOWN = `*1\r\n$${MARK_LENGTH}\r\n`;
const END = "\r\n";
const SECRETS_AT_ONCE = 200;
/** The beginning of an error in which the name of an unknown command stands. */
const NAME_WITHIN = 256;

/** A mark whose answer is due. */
interface Mark {
  readonly text: string;
  readonly isEcho: boolean;
}

let secrets = "";
let used = 0;

function nextText(): string {
  if (used === secrets.length) {
    secrets = randomBytes(SECRET_BYTES * SECRETS_AT_ONCE).toString("hex");
    used = 0;
  }
  used += SECRET_LENGTH;
  return PREFIX + secrets.slice(used - SECRET_LENGTH, used);
}

/** Whether a reply can be the answer to one of these marks: its text, or the error that there is no such command. */
function isOfAny(reply: Reply, marks: readonly Mark[]): boolean {
  if (reply instanceof Error) {
    const text = reply.message.slice(0, NAME_WITHIN).toLowerCase();
    return text.includes(PREFIX) && marks.some((mark) => text.includes(mark.text));
  }
  if (!Buffer.isBuffer(reply) || reply.length !== MARK_LENGTH) return false;
  const text = reply.toString("latin1");
  return text.startsWith(PREFIX) && marks.some((mark) => mark.text === text);
}

/**
 * @param lost called once, when an answer does not belong to its command; from then on no answer is accepted
 * @param aloneMs how often a mark is sent although no requests overlap, since an extra answer could still shift them
 */
export function createAnswerOrder(lost: () => void, aloneMs: number): AnswerOrder {
  let due = 0;
  let isLost = false;
  let mayEcho = true;
  let markedAt = performance.now();
  const marks: Mark[] = [];

  function lose(): false {
    if (!isLost) lost();
    isLost = true;
    return false;
  }

  return {
    mark(now) {
      if (due === 0 && now - markedAt < aloneMs) return undefined;
      markedAt = now;
      const text = nextText();
      const isEcho = mayEcho && due > 0;
      marks.push({ text, isEcho });
      due++;
      // An unknown command needs no permission, and its error repeats the name; but Redis counts it among its errors.
      return (isEcho ? ECHO : UNKNOWN) + text + END;
    },
    asked(more) {
      due += more;
    },
    isAnswer(reply) {
      due--;
      // It may be that of a later mark, if answers are missing.
      return !isLost && (!isOfAny(reply, marks) || lose());
    },
    isMark(reply) {
      due--;
      const mark = marks.shift();
      if (isLost || mark === undefined) return lose();
      if (isOfAny(reply, [mark])) return true;
      // The user may not run ECHO, or the server is busy. That proves nothing, and the next mark is of the other kind.
      if (!mark.isEcho || !(reply instanceof Error)) return lose();
      mayEcho = false;
      return true;
    },
    lose,
    begin() {
      markedAt = performance.now();
      marks.length = 0;
      due = 0;
      isLost = false;
      mayEcho = true;
    },
  };
}
