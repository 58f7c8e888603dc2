import { type Command, type Connection, elementsOf, isArray, type Reply, textOf } from "../redis/backend.ts";
import { encodeCommands } from "../redis/command-encoding.ts";
import { createReplyReader } from "../redis/reply-reader.ts";
import { type Hold, holdOf } from "../shared/budget.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/error-answers.ts";
import { type Receiver, received } from "../shared/receiver.ts";
import { within } from "../shared/time-limit.ts";
import { readInTurns } from "../shared/turns.ts";

const PING_MS = 2_000;
/** The maximum bytes of reports and of replies to its own commands at a time. */
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

/** Commands that were sent together, and their replies so far. */
interface Batch {
  readonly count: number;
  readonly replies: Reply[];
  readonly room: Hold;
  readonly to: Receiver<readonly Reply[]>;
  readonly deadline: NodeJS.Timeout;
}

/** The traffic of one connection: commands, their replies, and reports. */
interface Traffic {
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, room?: Hold): void;
  /** Fails everything in progress. */
  lose(): void;
}

/** The replies and reports that arrive on a connection. */
class Arriving {
  readonly batches: Batch[] = [];
  readonly #listener: LineListener;
  readonly #broken: () => void;
  #isReport = false;
  #reportRoom = holdOf(OWN_BYTES);

  constructor(listener: LineListener, broken: () => void) {
    this.#listener = listener;
    this.#broken = broken;
  }

  begin(isPush: boolean): "value" {
    this.#isReport = isPush;
    return "value";
  }

  room(bytes: number): boolean {
    const room = this.#isReport ? undefined : this.batches[0]?.room;
    return (room ?? this.#reportRoom).take(bytes);
  }

  take(reply: Reply | undefined): void {
    if (reply === undefined) {
      if (!this.#isReport) this.batches.shift()?.to.fail(new ReplyTooLarge());
      this.#broken();
    } else if (this.#isReport) this.#takeReport(reply);
    else this.#takeReply(reply);
  }

  broken(): void {
    this.#broken();
  }

  #takeReport(reply: Reply): void {
    this.#reportRoom.release();
    this.#reportRoom = holdOf(OWN_BYTES);
    const [kind, keys = null] = elementsOf(reply);
    if (textOf(kind) === REPORT) this.#listener.written(isArray(keys) ? elementsOf(keys).map(textOf) : undefined);
  }

  #takeReply(reply: Reply): void {
    const [batch] = this.batches;
    if (batch === undefined) {
      this.#broken();
      return;
    }
    batch.replies.push(reply);
    if (batch.replies.length < batch.count) return;
    this.batches.shift();
    clearTimeout(batch.deadline);
    batch.to.receive(batch.replies);
  }
}

/** Takes over the socket of a connection. `broken` is called when the connection must end. */
function openTraffic(connection: Connection, listener: LineListener, withinMs: number, broken: () => void): Traffic {
  const { socket } = connection;
  const arriving = new Arriving(listener, broken);
  const { batches } = arriving;
  const read = createReplyReader(arriving, { hasPushes: true });
  socket.removeAllListeners("data");
  readInTurns(socket, (chunk) => {
    read(chunk);
    listener.paused();
  });
  socket.once("close", broken);
  return {
    send(commands, to, room = holdOf(OWN_BYTES)) {
      const deadline = setTimeout(broken, withinMs).unref();
      batches.push({ count: commands.length, replies: [], room, to, deadline });
      socket.write(encodeCommands(commands));
    },
    lose() {
      for (const { to, deadline } of batches.splice(0)) {
        clearTimeout(deadline);
        to.fail(new NoAnswer());
      }
    },
  };
}

/** Runs commands on a line, together with the prefixes to report. */
function sending(traffic: Traffic, close: () => void): Line["send"] {
  let reported: ReadonlySet<string> = new Set();
  return (list, prefixes, to, room) => {
    const change = prefixes === undefined ? [] : changeOf(reported, prefixes);
    reported = prefixes ?? reported;
    if (change.length + list.length === 0) {
      to.receive([]);
      return;
    }
    const receiver: Receiver<readonly Reply[]> = {
      receive(replies) {
        const changed = replies.slice(0, change.length);
        const isRefused = [...changed, ...elementsOf(changed.at(-1))].some(isError);
        to.receive(replies.slice(change.length));
        if (isRefused) close();
      },
      fail: (error) => to.fail(error),
    };
    traffic.send([...change, ...list], receiver, room);
  };
}

/** @throws {NotReported} with the first command that the server refused */
async function agree(traffic: Traffic): Promise<void> {
  const commands = [HELLO, PROBE, OFF];
  const replies = await received<readonly Reply[]>((to) => traffic.send(commands, to));
  const at = replies.findIndex(isError);
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
  let traffic: Traffic | undefined;
  let isOpen = true;
  let pings: NodeJS.Timeout | undefined;
  /** Whether anything has arrived since the last check. */
  const heard = { isAny: false };
  const noted: LineListener = {
    ...listener,
    paused() {
      heard.isAny = true;
      listener.paused();
    },
  };
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(pings);
    connection.close();
    listener.lost();
    traffic?.lose();
  }
  try {
    await within(withinMs, connection.opened);
    if (!connection.isReady) throw new NotSent();
    traffic = openTraffic(connection, noted, withinMs, close);
    await agree(traffic);
  } catch (error) {
    close();
    throw error;
  }
  const send = sending(traffic, close);
  const ignored: Receiver<readonly Reply[]> = { receive: () => {}, fail: () => {} };
  // A silently lost connection is closed when an answer is late.
  pings = setInterval(() => {
    if (!heard.isAny) send([["PING"]], undefined, ignored);
    heard.isAny = false;
  }, PING_MS).unref();
  return {
    send(commands, prefixes, to, room) {
      if (isOpen) send(commands, prefixes, to, room);
      else to.fail(new NotSent());
    },
    close,
  };
}
