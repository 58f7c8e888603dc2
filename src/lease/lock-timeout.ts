import type { Call, Timing } from "../redis/call.ts";
import { type Clock, stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { LAST_MOMENT_MS } from "../redis/retry-policy.ts";
import { callOf, type Target } from "../redis/target.ts";
import { type LeaseholdError, LockTimeoutError } from "../shared/errors.ts";
import { shown } from "../shared/misuse.ts";
import { noteOf } from "../shared/note.ts";
import type { Unanswered } from "./contest.ts";

/** The holder of a name, as far as its kind knows. */
export interface Occupant {
  readonly label?: string | undefined;
  readonly holder?: string | undefined;
  /** How many other callers wait. */
  readonly waiters?: number | undefined;
  /** How many permits of a counter are available, too few for the call. */
  readonly available?: number | undefined;
  /** Whether the holder acquired it over the same connection, and could share it by its re-entry key. */
  readonly isOwn?: boolean | undefined;
  /** The held part of a multi-lock, as its user made it. */
  readonly part?: string | undefined;
}

/** Reads who holds a name. */
export type Look = (call: Pick<Call, "operation" | "budgetMs" | "signal" | "tries">) => Promise<Occupant>;

/** How long a wait has taken. */
interface WaitTimes {
  /** In ms, by the clock that went further, and by the monotonic one. */
  readonly elapsed: () => number;
  readonly measured: () => number;
}

/** Measures a wait that begins now. */
export function startWait(clock: Clock): WaitTimes {
  const start = clock.monotonic();
  return { elapsed: stopwatch(clock), measured: () => clock.monotonic() - start };
}

/** A wait that ends now. */
interface Ending extends WaitTimes {
  readonly target: Target;
  readonly waitMs: number;
  readonly maxPolls: number;
  readonly signal: AbortSignal | undefined;
  readonly look: Look | undefined;
}

/** What blocks a name, if a refusal reports it. */
export interface Blocker {
  /** The note of the holder. */
  readonly note?: string;
  /** Which of several names is blocked, 1 for the first. */
  readonly blocked?: number;
}

/** The last reply: its `remaining` is in µs, 0 if no lease blocks. */
interface Refused extends Blocker, Pick<Timing, "since" | "wasParked"> {
  readonly status: string;
  readonly remaining: number;
  readonly polls: number;
}

/** The maximum time by which a wait is prolonged to read the holder. */
const LOOK_MS = 500;

/**
 * Reads once who holds the name. It does not prolong the call: without an answer in time, the error names no holder.
 *
 * @throws the signal's reason.
 */
async function lookUp({ target, waitMs, maxPolls, signal, elapsed, look }: Ending, polls: number): Promise<Occupant> {
  const budgetMs = Math.min(LOOK_MS, waitMs + patienceOf(target.connection) - elapsed());
  if (!look || polls >= maxPolls || budgetMs < LAST_MOMENT_MS) return {};
  try {
    return await look({ operation: "inspect", budgetMs, signal, tries: { made: 0, max: 1 } });
  } catch {
    signal?.throwIfAborted();
    return {};
  }
}

/** The holder, as far as the refusal reports it. */
function toldBy({ note, blocked }: Refused, { kind, names }: Target): Occupant {
  const name = blocked === undefined ? undefined : names[blocked - 1];
  const part = name === undefined || names.length === 1 ? undefined : callOf({ kind, name, names: [name] });
  try {
    return { part, ...noteOf(note) };
  } catch {
    // A damaged record.
    return { part };
  }
}

/** Says who holds it and for how long. */
function inWords({ label, holder, waiters, available, isOwn, part }: Occupant, remainingMs: number): string {
  if (available !== undefined) return `: ${available} available`;
  const who = [label !== undefined && shown(label), holder !== undefined && `on ${shown(holder)}`].filter(Boolean);
  const rest = remainingMs > 0 ? `for up to ${Math.ceil(remainingMs)} ms more` : "";
  const held = [part, "held", who.length > 0 && `by ${who.join(" ")}`, rest].filter(Boolean).join(" ");
  const others = waiters ? `, ${waiters} waiting` : "";
  const own = isOwn
    ? ". This client holds it: to acquire it again in work under its lease, pass the same reentryKey"
    : "";
  return who.length + remainingMs + (waiters ?? 0) > 0 ? `: ${held}${others}${own}` : "";
}

/** The two clocks of a machine differ by less than this, in ms, unless one was set or the machine slept. */
const CLOCKS_MS = 1000;

/** Says what ended a wait: its polls, its time, or a clock. */
function endOf({ waitMs, maxPolls, elapsed, measured }: Ending, polls: number): string {
  if (polls >= maxPolls && waitMs > 0) return ` in ${polls} ${polls === 1 ? "poll" : "polls"} (maxPolls)`;
  const aheadMs = elapsed() - measured();
  if (aheadMs < CLOCKS_MS || measured() >= waitMs) return ` within ${waitMs} ms`;
  const ahead = `this machine's clock went ahead by ${Math.round(aheadMs / 1000)} s or the machine slept`;
  return `: its wait of ${waitMs} ms ended early, since ${ahead}`;
}

/**
 * The error of a wait that ended without a hold. If another client holds the name, one more request reads who.
 *
 * @throws the signal's reason.
 */
export async function timedOut(ending: Ending, ended: Unanswered | Refused): Promise<LockTimeoutError> {
  const { target, elapsed } = ending;
  const waitedMs = Math.round(elapsed());
  const what = `${callOf(target)} was not acquired${endOf(ending, ended.polls)}`;
  const about = { kind: target.kind, lockName: target.name, waitedMs };
  if ("cause" in ended) {
    const { remainingMs, cause } = ended as Unanswered & { readonly cause: LeaseholdError };
    return new LockTimeoutError(`${what}: ${cause.message}`, { ...about, remainingMs, cause });
  }
  const sinceRefusedMs = ended.wasParked ? ended.since() : 0;
  const { part, isOwn, ...found } = { ...toldBy(ended, target), ...(await lookUp(ending, ended.polls)) };
  // If the server held the request after refusing it, part of that time has passed.
  const remainingMs = Math.max(0, ended.remaining / 1000 - sinceRefusedMs);
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  const details = { ...about, ...known, remainingMs: remainingMs || undefined };
  return new LockTimeoutError(what + inWords({ part, isOwn, ...found }, remainingMs), details);
}
