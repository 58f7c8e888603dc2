import { randomUUID } from "node:crypto";
import type { Reply } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";

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

/** The numbers of marks, all of one length. They come again when no answer can be that old. */
const [FIRST, LAST] = [100_000, 999_999];
const NUMBER_LENGTH = 6;
const END = "\r\n";
const ZERO = 0x30;

/** A mark whose answer is due. Its text is the secret, and then its number. */
interface Mark {
  readonly number: number;
  readonly isEcho: boolean;
}

/**
 * The number of the mark whose text a reply is; `undefined` for any other reply. The bytes are compared one by one: to
 * make a text of them first would take three times as long.
 */
function numberIn(reply: Buffer, secret: string): number | undefined {
  const { length } = secret;
  if (reply.length !== length + NUMBER_LENGTH) return undefined;
  for (let at = 0; at < length; at++) if (reply[at] !== secret.charCodeAt(at)) return undefined;
  let number = 0;
  for (let at = length; at < reply.length; at++) number = number * 10 + (reply[at] ?? 0) - ZERO;
  return number;
}

/** Whether a reply is the error that there is no such command as a text. */
const names = (reply: Reply, text: string): boolean =>
  reply instanceof Error && reply.message.toLowerCase().includes(text);

/**
 * @param lost called once, when an answer does not belong to its command; from then on no answer is accepted
 * @param aloneMs how often a mark is sent although no requests overlap, since an extra answer could shift them all the
 * same
 */
export function createAnswerOrder(lost: () => void, aloneMs: number): AnswerOrder {
  let due = 0;
  let isLost = false;
  let mayEcho = true;
  let secret = "";
  let number = FIRST;
  let markedAt = performance.now();
  const marks: Mark[] = [];
  /** The bytes of a mark of each kind before its number. */
  let [echo, unknown] = ["", ""];

  /** Takes another secret. */
  function renew(): void {
    secret = `${randomUUID()}-`;
    const before = (command: readonly [string, ...string[]]): string =>
      String(encodeCommands([command])).slice(0, -NUMBER_LENGTH - END.length);
    const any = secret + FIRST;
    echo = before(["ECHO", any]);
    // An unknown command needs no permission, and its error repeats the name; but Redis counts it among its errors.
    unknown = before([any]);
  }
  renew();

  /** Whether a reply is the answer to any mark. */
  const isAny = (reply: Reply): boolean =>
    Buffer.isBuffer(reply) ? numberIn(reply, secret) !== undefined : names(reply, secret);

  const isOf = (reply: Reply, { number: wanted }: Mark): boolean =>
    Buffer.isBuffer(reply) ? numberIn(reply, secret) === wanted : names(reply, secret + wanted);

  function lose(): false {
    if (!isLost) lost();
    isLost = true;
    return false;
  }

  return {
    mark(now) {
      if (due === 0 && now - markedAt < aloneMs) return undefined;
      markedAt = now;
      number = number === LAST ? FIRST : number + 1;
      const isEcho = mayEcho && due > 0;
      marks.push({ number, isEcho });
      due++;
      return (isEcho ? echo : unknown) + number + END;
    },
    asked(more) {
      due += more;
    },
    isAnswer(reply) {
      due--;
      // It may be that of a later mark, if answers are missing.
      return !isLost && (!isAny(reply) || lose());
    },
    isMark(reply) {
      due--;
      const mark = marks.shift();
      if (isLost || mark === undefined) return lose();
      if (isOf(reply, mark)) return true;
      // The user may not run ECHO, or the server is busy. That proves nothing, and the next mark is of the other kind.
      if (!mark.isEcho || !(reply instanceof Error)) return lose();
      mayEcho = false;
      return true;
    },
    lose,
    begin() {
      renew();
      markedAt = performance.now();
      marks.length = 0;
      due = 0;
      isLost = false;
      mayEcho = true;
    },
  };
}
