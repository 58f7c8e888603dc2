import { type Command, type Connection, elementsOf, type Reply } from "../redis/backend.ts";
import { openFeed } from "../redis/feed.ts";
import { cut, itemsOf } from "../redis/resp.ts";
import type { Hold } from "../shared/budget.ts";
import { NotSent } from "../shared/errors.ts";
import { type Receiver, received } from "../shared/receiver.ts";
import { within } from "../shared/time-limit.ts";

/** The channel on which Redis reports written keys to a connection that is not on RESP3. */
const CHANNEL = "__redis__:invalidate";
const PING: Command = ["PING"];
/** How often the connection that only receives is asked for a sign of life. */
const PING_MS = 2_000;
/** The largest message. Redis puts the keys that were written in one turn of its event loop into one. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The receiver of what a line notices. */
export interface LineListener {
  /** Called with the keys that somebody else wrote; with `undefined` when any key may have been written. */
  written(keys: readonly string[] | undefined): void;
  /** Called once, when the line is gone, whoever ended it. */
  lost(): void;
}

/**
 * Two connections to one server. One runs commands, and has Redis report to the other one who else writes certain keys:
 * `CLIENT TRACKING` with `BCAST` and `NOLOOP`.
 */
export interface Line {
  /**
   * Runs commands. Their own writes are not reported. Prefixes under which writes are to be reported from now on go
   * ahead of them in one piece; `undefined` leaves the prefixes as they are.
   *
   * It fails as a connection does; then the line has ended.
   */
  send(
    commands: readonly Command[],
    prefixes: ReadonlySet<string> | undefined,
    to: Receiver<readonly Reply[]>,
    room?: Hold,
  ): void;
  close(): void;
}

/** The reason for which a server reports no writes. */
export class NotReported extends Error {
  override readonly name = "NotReported";
}

const codeOf = (error: Error): string => error.message.split(" ", 1)[0] ?? "";

/** The keys of a report; `undefined` for any other message, and `null` after a flush of the database. */
function keysIn(reply: Buffer): readonly string[] | null | undefined {
  const bytes = reply.indexOf("\r\n") + 2;
  const [kind, channel, keys] = cut(reply.subarray(bytes)).replies;
  if (kind?.includes("message") !== true || channel?.includes(CHANNEL) !== true || keys === undefined) return undefined;
  return itemsOf(keys)?.map((key) => key.toString()) ?? null;
}

/** The commands that make Redis report other prefixes than before. */
function changeOf(redirect: readonly string[], before: ReadonlySet<string>, now: ReadonlySet<string>): Command[] {
  const added = [...now].filter((prefix) => !before.has(prefix));
  const isSmaller = now.size < before.size + added.length;
  if (!isSmaller && added.length === 0) return [];
  const named = isSmaller ? [...now] : added;
  const on: Command[] =
    named.length === 0 ? [] : [["CLIENT", "TRACKING", "ON", ...redirect, ...named.flatMap((it) => ["PREFIX", it])]];
  // Prefixes can be added, and taken away only all at once. In between no write is missed.
  return isSmaller ? [["MULTI"], ["CLIENT", "TRACKING", "OFF"], ...on, ["EXEC"]] : on;
}

const isError = (reply: Reply): reply is Error => reply instanceof Error;

/** Makes a line of two open connections. */
function lineOf(commands: Connection, redirect: readonly string[], withinMs: number, close: () => void): Line {
  /** The prefixes that Redis was asked to report. */
  let reported: ReadonlySet<string> = new Set();
  return {
    send(list, prefixes, to, room) {
      const change = prefixes === undefined ? [] : changeOf(redirect, reported, prefixes);
      reported = prefixes ?? reported;
      const receiver: Receiver<readonly Reply[]> = {
        receive(replies) {
          const changed = replies.slice(0, change.length);
          const refusal = [...changed, ...elementsOf(changed.at(-1))].find(isError);
          if (refusal !== undefined) close();
          to.receive(replies.slice(change.length));
        },
        fail(error) {
          // Without an answer, what it reports is unknown, too.
          close();
          to.fail(error);
        },
      };
      if (change.length + list.length > 0) commands.send([...change, ...list], receiver, withinMs, room);
      else to.receive([]);
    },
    close,
  };
}

/** Asks a connection for its number at the server, by which another one names it. */
async function numberOf(connection: Connection, withinMs: number): Promise<string> {
  await within(withinMs, connection.opened);
  const [reply] = await received<readonly Reply[]>((to) => connection.send([["CLIENT", "ID"]], to, withinMs));
  if (reply instanceof Error) throw new NotReported(`CLIENT ID: ${codeOf(reply)}`);
  return String(reply);
}

/**
 * Opens a line.
 *
 * @param dial opens a connection for this line alone
 * @throws {NotReported} when the server refuses it
 * @throws {NotSent} and {@link NoAnswer} when the server is not reachable
 */
export async function openLine(dial: () => Connection, listener: LineListener, withinMs: number): Promise<Line> {
  const [commands, messages] = [dial(), dial()];
  let isOpen = true;
  let pings: NodeJS.Timeout | undefined;
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(pings);
    commands.close();
    messages.close();
    listener.lost();
  }
  try {
    const number = await numberOf(messages, withinMs);
    const redirect = ["REDIRECT", number, "BCAST", "NOLOOP"];
    // Whether it may: a prefix that no key has.
    const probe: Command = ["CLIENT", "TRACKING", "ON", ...redirect, "PREFIX", CHANNEL];
    const feed = await openFeed(
      messages,
      ["SUBSCRIBE", CHANNEL],
      {
        onReply(reply) {
          const keys = keysIn(reply);
          if (keys !== undefined) listener.written(keys ?? undefined);
        },
        onTooLarge: close,
        onEnd: close,
      },
      { withinMs, maxPending: MAX_MESSAGE_BYTES },
    );
    if (feed instanceof Error) throw new NotReported(`SUBSCRIBE: ${codeOf(feed)}`);
    await within(withinMs, commands.opened);
    const off: Command = ["CLIENT", "TRACKING", "OFF"];
    const [allowed] = await received<readonly Reply[]>((to) => commands.send([probe, off], to, withinMs));
    if (allowed instanceof Error) throw new NotReported(`CLIENT TRACKING: ${codeOf(allowed)}`);
    if (!isOpen) throw new NotSent();
    commands.socket.once("close", close);
    pings = setInterval(() => {
      if (feed.isAlive()) feed.send(PING);
      else close();
    }, PING_MS).unref();
    feed.send(PING);
    return lineOf(commands, redirect, withinMs, close);
  } catch (error) {
    close();
    throw error;
  }
}
