import { type AnswerOrder, createAnswerOrder, ECHO_PROBE } from "../redis/answer-order.ts";
import { type Command, type Connection, elementsOf, isArray, type Reply, textOf } from "../redis/backend.ts";
import { createExchange, createSilence, type Exchange } from "../redis/exchange.ts";
import type { ReplySink } from "../redis/reply-builder.ts";
import { createReplyReader } from "../redis/reply-reader.ts";
import { type Hold, holdOf } from "../shared/budget.ts";
import { NotSent } from "../shared/error-answers.ts";
import { type Receiver, received } from "../shared/receiver.ts";
import { within } from "../shared/time-limit.ts";
import { readInTurns } from "../shared/turns.ts";

const PING_MS = 2_000;
/** How often the order of replies is verified although no commands overlap. */
const ALONE_MS = 10_000;
/** The maximum bytes of a report. */
const OWN_BYTES = 16 * 1024 * 1024;
const HELLO: Command = ["HELLO", "3"];
const OFF: Command = ["CLIENT", "TRACKING", "OFF"];
/** A prefix that no key has, to test whether the server can report writes. */
const PROBE: Command = ["CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "leasehold-gateway probe"];
const REPORT = "invalidate";

/** The receiver of a line's reports. */
export interface LineListener {
  /**
   * Called with written keys, including those written by this line's own commands; with `undefined` if any key may have
   * been written. Redis reports at the end of each turn of its event loop, after the replies of that turn.
   */
  written(keys: readonly string[] | undefined): void;
  /** Called when all bytes that arrived together are read: the reports of all commands answered so far have arrived. */
  paused(): void;
  /** Called once, when the line has ended, whichever side ended it. */
  lost(): void;
}

/**
 * A connection to one server that runs commands and receives Redis's reports of writes to certain keys: `CLIENT
 * TRACKING` with `BCAST`, on RESP3, so that replies and reports arrive in order.
 */
export interface Line {
  /**
   * Runs commands. New prefixes, under which writes are to be reported from now on, are sent in the same write before
   * them; `undefined` keeps the prefixes.
   *
   * It fails like a connection; then the line has ended.
   */
  send(
    commands: readonly Command[],
    prefixes: ReadonlySet<string> | undefined,
    to: Receiver<readonly Reply[]>,
    room?: Hold,
  ): void;
  close(): void;
}

/** Why a server does not report writes. */
export class NotReported extends Error {
  override readonly name = "NotReported";
}

const codeOf = (error: Error): string => error.message.split(" ", 1)[0] ?? "";
const isError = (reply: Reply): reply is Error => reply instanceof Error;

/** The commands that change the prefixes which Redis reports. */
function changeOf(before: ReadonlySet<string>, now: ReadonlySet<string>): Command[] {
  const added = [...now].filter((prefix) => !before.has(prefix));
  const isSmaller = now.size < before.size + added.length;
  if (!isSmaller && added.length === 0) return [];
  const named = isSmaller ? [...now] : added;
  const prefixes = named.flatMap((prefix) => ["PREFIX", prefix]);
  const on: Command[] = named.length === 0 ? [] : [["CLIENT", "TRACKING", "ON", "BCAST", ...prefixes]];
  // Prefixes can be added, but only removed all together. No write in between is missed.
  return isSmaller ? [["MULTI"], OFF, ...on, ["EXEC"]] : on;
}

/** The replies and reports that arrive on a line: replies belong to its exchange, and reports to its listener. */
function sinkOf(exchange: Exchange, listener: LineListener, broken: () => void): ReplySink {
  let isReport = false;
  let reportRoom = holdOf(OWN_BYTES);
  return {
    begin(isPush) {
      isReport = isPush;
      return isPush ? "value" : exchange.begin(false);
    },
    room: (bytes) => (isReport ? reportRoom.take(bytes) : exchange.room(bytes)),
    take(reply) {
      if (!isReport) {
        // What follows is probably a report, so it does not show that a reply is extra.
        exchange.take(reply, false);
        return;
      }
      reportRoom.release();
      reportRoom = holdOf(OWN_BYTES);
      const [kind, keys = null] = elementsOf(reply);
      // A report without room may name any key.
      if (reply === undefined) listener.written(undefined);
      else if (textOf(kind) === REPORT) listener.written(isArray(keys) ? elementsOf(keys).map(textOf) : undefined);
    },
    broken,
  };
}

/** Sends commands together, whose replies must arrive within the time limit of the line. */
type Send = (commands: readonly Command[], to: Receiver<readonly Reply[]>, room?: Hold) => void;

/** Runs commands on a line, after the change of the prefixes to report. */
function sending(send: Send, close: () => void): Line["send"] {
  let reported: ReadonlySet<string> = new Set();
  return (commands, prefixes, to, room) => {
    const change = prefixes === undefined ? [] : changeOf(reported, prefixes);
    reported = prefixes ?? reported;
    let isRefused = false;
    /** A server that does not report a name is of no use, but the commands that it was sent are answered first. */
    const end = (): void => {
      if (isRefused) close();
    };
    const changed = (replies: readonly Reply[]): void => {
      isRefused = [...replies, ...elementsOf(replies.at(-1))].some(isError);
      if (commands.length === 0) end();
    };
    if (change.length > 0) send(change, { receive: changed, fail: close });
    if (commands.length === 0) {
      to.receive([]);
      return;
    }
    const answered = (replies: readonly Reply[]): void => {
      to.receive(replies);
      end();
    };
    send(commands, { receive: answered, fail: (error) => to.fail(error) }, room);
  };
}

/** @throws {NotReported} with the first command that the server refused */
async function agree(send: Send, order: AnswerOrder): Promise<void> {
  const replies = await received<readonly Reply[]>((to) => send([HELLO, PROBE, OFF, ECHO_PROBE], to));
  order.probed(replies.at(-1) ?? null);
  const at = replies.slice(0, -1).findIndex(isError);
  const refusal = replies[at];
  if (refusal instanceof Error) throw new NotReported(`${at === 0 ? "HELLO" : "CLIENT TRACKING"}: ${codeOf(refusal)}`);
}

/**
 * Opens a line.
 *
 * @param dial opens a connection for this line alone
 * @throws {NotReported} if the server refuses it
 * @throws {NotSent} and {@link NoAnswer} if the server is unreachable
 */
export async function openLine(dial: () => Connection, listener: LineListener, withinMs: number): Promise<Line> {
  const connection = dial();
  let exchange: Exchange | undefined;
  let isOpen = true;
  let pings: NodeJS.Timeout | undefined;
  /** Whether anything has arrived since the last check. */
  let isHeard = false;
  const order = createAnswerOrder(() => close(), ALONE_MS);

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(pings);
    connection.close();
    listener.lost();
    exchange?.lose();
  }

  /** Takes over the socket of the connection, which has logged in. */
  function open({ socket }: Connection): Send {
    const silence = createSilence(close, withinMs);
    const replies = createExchange((bytes) => socket.write(bytes), order, silence);
    exchange = replies;
    const read = createReplyReader(sinkOf(replies, listener, close), { hasPushes: true });
    socket.removeAllListeners("data");
    readInTurns(socket, (chunk) => {
      isHeard = true;
      silence.heard();
      read(chunk);
      listener.paused();
    });
    socket.once("close", close);
    return (commands, to, room) => replies.send(commands, to, withinMs, { room });
  }

  try {
    await within(withinMs, connection.opened);
    if (!connection.isReady) throw new NotSent();
    const sendNow = open(connection);
    await agree(sendNow, order);
    const send = sending(sendNow, close);
    // A silently lost connection is closed when an answer is late.
    pings = setInterval(() => {
      if (!isHeard) send([["PING"]], undefined, { receive: () => {}, fail: () => {} });
      isHeard = false;
    }, PING_MS).unref();
    return {
      send(commands, prefixes, to, room) {
        if (!isOpen) {
          to.fail(new NotSent());
          return;
        }
        try {
          send(commands, prefixes, to, room);
        } catch (error) {
          // Nothing was sent: the commands cannot be encoded.
          to.fail(error);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
