import { homeOf } from "../../../src/list/home.ts";
import type { Listed, ListedWaiter } from "../../../src/list/index.ts";
import { parseKey } from "../../../src/list/read.ts";
import { type Connection, patienceOf } from "../../../src/redis/connect.ts";
import { attempt } from "../../../src/redis/port.ts";
import { targetOf } from "../../../src/redis/target.ts";
import { noteOf } from "../../../src/shared/note.ts";
import { clockOffset } from "./ask.ts";

type Named = Pick<Listed, "name" | "group">;

/** Those whose requests a server holds until it is their turn. */
interface Held {
  readonly waiters: number;
  readonly waiting: readonly ListedWaiter[];
}

/** How many requests a server holds for each name. */
export interface HeldCounts {
  /** How many names somebody waits for. */
  readonly names: number;
  of(named: Named): number;
}

/** Asks a server who waits for names whose record does not say so. Only a server that holds requests knows. */
export interface WaitingReader {
  /** Whether the server answers, as far as it was asked. */
  readonly answers: boolean;
  /** Those that wait for a name; undefined where the server does not know. */
  of(named: Named, signal: AbortSignal): Promise<Held | undefined>;
  /** How many wait for each name; undefined where the server does not know. */
  counts(signal: AbortSignal): Promise<HeldCounts | undefined>;
}

/** Reads a waiter as the server describes it: script, ms, note. */
function waiterOf(entry: unknown, now: number): ListedWaiter {
  const [, waitedMs, note] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
  const since = typeof waitedMs === "number" ? { since: Math.round(now - waitedMs) } : {};
  try {
    return { ...since, ...noteOf(`${note ?? ""}`) };
  } catch {
    // A client of another make: its note is no text.
    return since;
  }
}

/**
 * Makes a reader. A server that refuses a question is not asked it again.
 *
 * @param now the server's clock in ms since 1970; without it, the reader asks for it once it needs it
 */
export function makeWaitingReader(connection: Connection, now?: () => number): WaitingReader {
  const refused = new Set<string>();
  let answers = false;
  let offsetMs: number | undefined;

  /** The answer to a question; undefined where there is none. */
  async function ask(command: readonly string[], signal: AbortSignal): Promise<readonly unknown[] | undefined> {
    const [question = ""] = command;
    if (refused.has(question)) return undefined;
    const outcome = await attempt(connection.port, command, patienceOf(connection), signal, connection.clock);
    if (outcome.type === "refused" && outcome.code !== "rate_limited") refused.add(question);
    if (outcome.type !== "answered" || !Array.isArray(outcome.result)) return undefined;
    answers = true;
    return outcome.result;
  }

  async function serverNow(signal: AbortSignal): Promise<number> {
    if (now) return now();
    offsetMs ??= (await clockOffset(connection, signal)).offsetMs;
    return Date.now() + offsetMs;
  }

  return {
    get answers() {
      return answers;
    },
    async of({ name, group }, signal) {
      const [key = ""] = targetOf(homeOf(connection, { name, group }), "inspect", [name]).keys;
      const [count, first] = (await ask(["LEASEHOLD.WAITERS", key], signal)) ?? [];
      if (typeof count !== "number" || !Array.isArray(first)) return undefined;
      const at = count > 0 ? await serverNow(signal) : 0;
      return { waiters: count, waiting: first.map((entry) => waiterOf(entry, at)) };
    },
    async counts(signal) {
      const rows = await ask(["LEASEHOLD.AWAITED"], signal);
      if (!rows) return undefined;
      const byName = new Map<string, number>();
      for (const row of rows) {
        const [key, count] = Array.isArray(row) ? (row as readonly unknown[]) : [];
        if (typeof key !== "string" || typeof count !== "number" || !key.startsWith(connection.prefix)) continue;
        const named = parseKey(key.slice(connection.prefix.length));
        if (named && !named.isFence) byName.set(idOf(named), count);
      }
      return { names: byName.size, of: (named) => byName.get(idOf(named)) ?? 0 };
    },
  };
}

const idOf = ({ name, group }: Named): string => JSON.stringify([group ?? null, name]);

/** Adds those whose requests the server holds, where the record itself knows of nobody who waits. */
export const withHeld = <Entry extends Listed>(entry: Entry, held: Held | undefined): Entry =>
  entry.waiters || !held?.waiters ? entry : { ...entry, ...held };

/** The same of an entry of a list. A fence has the name of a lock, and no waiters. */
export function withHeldCount<Entry extends Listed>(entry: Entry, counts: HeldCounts | undefined): Entry {
  if (entry.waiters || entry.kind.startsWith("fence")) return entry;
  const waiters = counts?.of(entry) ?? 0;
  return waiters > 0 ? { ...entry, waiters } : entry;
}
