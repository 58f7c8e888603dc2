import { randomBytes } from "node:crypto";
import { type Command, type Reply, textOf } from "./backend.ts";

/**
 * Verifies that replies belong to the commands that they seem to answer. Redis replies in order and without IDs, so a
 * command without a reply, or with two, would pass all later replies to the wrong callers. Between new commands and
 * those whose replies are still due, a mark is sent: an ECHO of a secret text, which must be returned at exactly its
 * position.
 */
export interface AnswerOrder {
  /**
   * The mark to send before the next commands, in the wire format, whose reply then counts as due; usually none while
   * no replies are due.
   *
   * @param now as of `performance.now()`
   */
  mark(now: number): string | undefined;
  /** Counts this many more replies as due. */
  asked(count: number): void;
  /** Whether a reply can be the answer to its command. Counts it as received. */
  isAnswer(reply: Reply): boolean;
  /** Whether a reply can be the answer to its mark. Counts it as received. */
  isMark(reply: Reply): boolean;
  /** Records an unsolicited reply. */
  lose(): void;
  /** Resets it for a new connection, on which no replies are due. */
  begin(): void;
  /** Learns from the reply to {@link ECHO_PROBE}, on a connection without other commands, whether marks may be echoes. */
  probed(reply: Reply): void;
}

/**
 * The texts of marks are random, each used once: a caller may see earlier marks in MONITOR or the slow log, and must
 * not be able to guess the text of a mark whose reply is due.
 */
const SECRET_BYTES = 20;
const SECRET_LENGTH = 2 * SECRET_BYTES;
/** Identifies the mark to operators of Redis. */
const PREFIX = "leasehold-mark-";
const MARK_LENGTH = PREFIX.length + SECRET_LENGTH;
/** The commands before the text of a mark, in the wire format. */
const ECHO = `*2\r\n$4\r\nECHO\r\n$${MARK_LENGTH}\r\n`;
const UNKNOWN = `*1\r\n$${MARK_LENGTH}\r\n`;
const END = "\r\n";
const SECRETS_AT_ONCE = 200;
/** Asks whether the user of a connection may run ECHO. */
export const ECHO_PROBE: Command = ["ECHO", "leasehold"];
/** Errors that a server gives to every command: such a reply to a mark proves nothing about the order. */
const ALIKE = /^(BUSY|LOADING|MASTERDOWN) /;
/** The beginning of an error that contains the name of an unknown command. */
const NAME_WITHIN = 256;

/** A mark whose reply is due. */
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

/** Whether a reply can be the reply to one of these marks: its text, or the error for an unknown command. */
function isOfAny(reply: Reply, marks: readonly Mark[]): boolean {
  if (reply instanceof Error) {
    const text = reply.message.slice(0, NAME_WITHIN).toLowerCase();
    return text.includes(PREFIX) && marks.some((mark) => text.includes(mark.text));
  }
  if (!Buffer.isBuffer(reply) || reply.length !== MARK_LENGTH) return false;
  const text = reply.toString("latin1");
  return text.startsWith(PREFIX) && marks.some((mark) => mark.text === text);
}

/** The code of an error that a server gives to every command; `undefined` for any other reply. */
const codeOf = (reply: Reply): string | undefined =>
  reply instanceof Error ? ALIKE.exec(reply.message)?.[1] : undefined;

/**
 * @param lost called once, when a reply does not belong to its command; no later reply is accepted
 * @param aloneMs how often a mark is sent although no requests overlap, since an extra reply could still shift them
 */
export function createAnswerOrder(lost: () => void, aloneMs: number): AnswerOrder {
  let due = 0;
  let isLost = false;
  let mayEcho = false;
  /** The code of an error instead of a mark: until the next proof, only the same error can be anybody's answer. */
  let doubt: string | undefined;
  let markedAt = performance.now();
  const marks: Mark[] = [];

  function lose(): false {
    if (!isLost) lost();
    isLost = true;
    return false;
  }

  return {
    mark(now) {
      if (due === 0 && now - markedAt < aloneMs && doubt === undefined) return undefined;
      markedAt = now;
      const text = nextText();
      // A server that is busy refuses an ECHO, but not an unknown command.
      const isEcho = mayEcho && due > 0 && doubt === undefined;
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
      if (isLost) return false;
      if (doubt !== undefined && codeOf(reply) !== doubt) return false;
      // It may be the reply to a later mark, if replies are missing.
      return !isOfAny(reply, marks) || lose();
    },
    isMark(reply) {
      due--;
      const mark = marks.shift();
      if (isLost || mark === undefined) return lose();
      if (isOfAny(reply, [mark])) {
        doubt = undefined;
        return true;
      }
      doubt = codeOf(reply);
      return doubt !== undefined || lose();
    },
    lose,
    begin() {
      markedAt = performance.now();
      marks.length = 0;
      due = 0;
      isLost = false;
      mayEcho = false;
      doubt = undefined;
    },
    probed(reply) {
      mayEcho = textOf(reply) === ECHO_PROBE[1];
    },
  };
}
