import type { Waitable, WaitableCall } from "./waitable.ts";

/** Milliseconds between the end of a lease, as reported by a refusal, and the next try. */
const AFTER_LEASE_MS = 1;
/** The minimum delay of a try without a write. */
const MIN_DELAY_MS = 5;
/** The minimum delay of a run that keeps a place in a queue, whatever the arguments of its caller say. */
const MIN_REFRESH_MS = 20;

/** How a request left the room. */
export type Ending =
  /** The script returned an answer that is not a refusal. */
  | "answered"
  /** The time is up. */
  | "refused"
  /** It would be granted if it were sent again now: its reply is the last refusal. */
  | "offered"
  /** A later request with the same ID replaced it. */
  | "replaced"
  /** The room was closed. */
  | "closed"
  /** Its connection has ended; nobody receives the answer. */
  | "aborted"
  /** The script could not be run, or answered with an error. */
  | "failed";

/**
 * What a run returns instead of a grant that it has undone. The waiter is then answered with its last refusal, and must
 * send its request again, which proves that it still wants the grant.
 */
export const OFFERED: unique symbol = Symbol("offered");

/**
 * What a run returns if its script could not be sent. The request stays in the room: it is tried again a moment later,
 * and when its key is woken.
 */
export const UNSENT: unique symbol = Symbol("unsent");

/** A refused request to be held. */
export interface HoldRequest<Reply> extends WaitableCall {
  /** The refusal. Its members are converted by `String` and `Number`. */
  readonly reply: Reply;
  /** How long it may be held, in ms. */
  readonly waitMs: number;
  /**
   * Runs the script again, after it was held for so long. It may be slow, and may reject. It returns {@link UNSENT} if
   * nothing was sent. A server that cannot see its callers leave returns {@link OFFERED} instead of a grant.
   */
  readonly run: (args: readonly string[], heldMs: number) => Promise<Reply | typeof OFFERED | typeof UNSENT>;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** The owner whose requests are counted together. */
  readonly owner?: string | undefined;
}

/** The outcome of a held request. */
export interface Held<Reply> {
  readonly reply: Reply;
  readonly ending: Ending;
  /** How long it had been held when the run of this reply began. */
  readonly heldMs: number;
}

/** A reply in the form of the room. */
export interface Read {
  readonly status: string;
  /** The number at a position of the reply; 0 without one. */
  readonly at: (place: number | undefined) => number;
}

/** Reads a reply; undefined for an error, or anything else that is not a script's reply. */
export function readReply(reply: unknown): Read | undefined {
  if (!Array.isArray(reply)) return undefined;
  const numberAt = (place: number | undefined): number =>
    place === undefined ? 0 : Number(String(reply[place] ?? "")) || 0;
  return { status: String(reply[0]), at: numberAt };
}

/**
 * The class of a waiter after a refusal: waiters of one class can succeed only in order, those of different classes in
 * any order.
 */
export function classOf({ waitable, keys, args }: WaitableCall, read: Read | undefined): string {
  const className = waitable.class === undefined ? "" : (args[waitable.class] ?? "");
  const own = waitable.classIsCount ? (/#(\d+)/.exec(className)?.[1] ?? "1") : className;
  const isPlaced = waitable.placed !== undefined && (read?.at(waitable.placed) ?? 0) > 0;
  const place = isPlaced ? "placed" : "";
  return `${waitable.name} ${own} ${place} ${joinsBy(waitable, args)} ${waitable.allKeys ? keys.join(" ") : ""}`;
}

/** The key by which a waiter joins a holder; empty for none. */
const joinsBy = ({ joins }: Waitable, args: readonly string[]): string =>
  joins === undefined ? "" : (args[joins] ?? "");

/** What an answer to a waiter leaves for the others. */
export interface LeftForOthers {
  /** Whether others of its class may also succeed, and many of them at the same time. */
  readonly same: boolean;
  readonly atOnce: boolean;
  /** Whether waiters of other classes may succeed. */
  readonly others: boolean;
}

/** The status of every reply that grants something. */
export const GRANTED = "granted" as const;

/** Reads from the status of an answer what it means for the waiters after it. */
export function leftForOthers(waitable: Waitable, args: readonly string[], status: string): LeftForOthers {
  const { many, all, class: at } = waitable;
  if (all?.includes(status)) return { same: true, atOnce: true, others: true };
  if (status !== GRANTED || many === "permits") return { same: true, atOnce: false, others: true };
  const isShared = many !== undefined && at !== undefined && args[at] === many;
  return { same: isShared || joinsBy(waitable, args) !== "", atOnce: isShared, others: isShared };
}

/** The position at which all granting scripts report the length of the lease. */
const GRANTED_REMAINING = 3;

/** How long a grant lasts, in ms. */
export const leaseOf = (read: Read): number => Math.ceil(read.at(GRANTED_REMAINING) / 1000) + AFTER_LEASE_MS;

/** The times in a refusal, in ms from now. */
export interface NextTry {
  /** When the waiters of its class should be tried without a write; undefined for never. */
  readonly dueMs: number | undefined;
  /** When this waiter must be run again to keep its place; undefined if that is not necessary. */
  readonly refreshMs: number | undefined;
}

/** Reads from a refusal when to try again. */
export function nextTryOf(
  { until, back, ticket, grace, graceMs }: Waitable,
  args: readonly string[],
  read: Read,
): NextTry {
  const leaseMs = read.at(until) / 1000;
  const backMs = read.at(back) / 1000;
  const waits = back !== undefined && backMs > 0;
  let dueMs: number | undefined;
  if (leaseMs > 0) dueMs = Math.ceil(leaseMs) + AFTER_LEASE_MS;
  // It is free, so a waiter ahead is late: no write announces the end of a waiter's time.
  else if (waits) dueMs = Math.max(backMs, MIN_DELAY_MS);
  if (!waits) return { dueMs, refreshMs: undefined };
  // It lost its place and joins again.
  if (ticket !== undefined && read.at(ticket) === 0) return { dueMs, refreshMs: MIN_REFRESH_MS };
  const toleratedMs = graceMs ?? (Number(args[grace ?? -1]) || 0);
  return { dueMs, refreshMs: Math.max(backMs + toleratedMs / 2, MIN_REFRESH_MS) };
}

/** The arguments of the next run: the caller's, with the values that have changed since. */
export function nextArgs(call: WaitableCall, read: Read | undefined, heldMs: number): readonly string[] {
  const { waitable, args } = call;
  const next = [...args];
  const { waited, seen, clock, ticket, ticketArg, carries, carriesArg } = waitable;
  if (waited !== undefined) next[waited] = String(Math.round(Number(args[waited]) + heldMs));
  if (clock !== undefined) next[clock] = "";
  if (seen !== undefined && read) next[seen] = String(read.at(1));
  if (ticketArg !== undefined && ticket !== undefined && read && Number(args[ticketArg]) >= 0)
    next[ticketArg] = String(read.at(ticket));
  if (carriesArg !== undefined && read) next[carriesArg] = String(read.at(carries));
  return next;
}
