import type { Waitable, WaitableCall } from "./waitable.ts";

/** Milliseconds between the end of a lease, as a refusal reports it, and the try after it. */
const AFTER_LEASE_MS = 1;
/** The least delay of a try that no write announces. */
const LEAST_DELAY_MS = 5;

/** How a request left the room. */
export type Ending =
  /** The script gave another answer than a refusal. */
  | "answered"
  /** The time has passed. */
  | "refused"
  /** A later request with the same id took its place. */
  | "replaced"
  /** The room was closed. */
  | "closed"
  /** Its connection was gone; nobody gets the answer. */
  | "aborted"
  /** The script could not be run, or answered with an error. */
  | "failed";

/** A request that was refused and is to be held. */
export interface HoldRequest<Reply> extends WaitableCall {
  /** The refusal. Its strings may be anything that `String` makes one of, and numbers that `Number` does. */
  readonly reply: Reply;
  /** How long its sender lets it be held, in ms. */
  readonly waitMs: number;
  /** Runs the script again. It may take its time, and reject. */
  readonly run: (args: readonly string[]) => Promise<Reply>;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Whose requests are counted together. */
  readonly owner?: string | undefined;
}

/** The end of a held request. */
export interface Held<Reply> {
  readonly reply: Reply;
  readonly ending: Ending;
  /** How long it had been held when the run began that the reply is of. */
  readonly heldMs: number;
}

/** A reply as the room reads it. */
interface Read {
  readonly status: string;
  /** The number in a place of the reply; 0 without one. */
  readonly at: (place: number | undefined) => number;
}

/** Reads a reply; undefined for an error, or anything else that is no reply of a script. */
export function readReply(reply: unknown): Read | undefined {
  if (!Array.isArray(reply)) return undefined;
  const numberAt = (place: number | undefined): number =>
    place === undefined ? 0 : Number(String(reply[place] ?? "")) || 0;
  return { status: String(reply[0]), at: numberAt };
}

/**
 * The class of a waiter after a refusal: waiters of one class can succeed in one order only, those of different classes
 * in any.
 */
export function classOf({ waitable, keys, args }: WaitableCall, read: Read | undefined): string {
  const given = waitable.class === undefined ? "" : (args[waitable.class] ?? "");
  const own = waitable.classIsCount ? (/#(\d+)/.exec(given)?.[1] ?? "1") : given;
  const isPlaced = waitable.placed !== undefined && (read?.at(waitable.placed) ?? 0) > 0;
  const place = isPlaced ? "placed" : "";
  return `${waitable.name} ${own} ${place} ${joinsBy(waitable, args)} ${waitable.allKeys ? keys.join(" ") : ""}`;
}

/** The key by which a waiter joins a holder; empty for none. */
const joinsBy = ({ joins }: Waitable, args: readonly string[]): string =>
  joins === undefined ? "" : (args[joins] ?? "");

/** What an answer to a waiter leaves for others. */
export interface Beside {
  /** Whether others of its class may succeed, too, and many of them at once. */
  readonly same: boolean;
  readonly atOnce: boolean;
  /** Whether those of other classes may. */
  readonly others: boolean;
}

/** Reads from the status of an answer what it means for the waiters after it. */
export function roomBeside(waitable: Waitable, args: readonly string[], status: string): Beside {
  const { many, all, class: at } = waitable;
  if (all?.includes(status)) return { same: true, atOnce: true, others: true };
  if (status !== "granted" || many === "permits") return { same: true, atOnce: false, others: true };
  const isShared = many !== undefined && at !== undefined && args[at] === many;
  return { same: isShared || joinsBy(waitable, args) !== "", atOnce: isShared, others: isShared };
}

/** Where all scripts that grant report how long the lease lasts. */
const GRANTED_REMAINING = 3;

/** How long a grant lasts, in ms. */
export const leaseOf = (read: Read): number => Math.ceil(read.at(GRANTED_REMAINING) / 1000) + AFTER_LEASE_MS;

/** What a refusal says of the time to come, in ms from now. */
export interface Outlook {
  /** When the waiters of its class should be tried though nothing was written; undefined for no time. */
  readonly dueMs: number | undefined;
  /** When this waiter has to be run again to keep its place; undefined for one that needs not. */
  readonly refreshMs: number | undefined;
}

/** Reads from a refusal when to try again. */
export function outlookOf(
  { until, back, ticket, grace, graceMs }: Waitable,
  args: readonly string[],
  read: Read,
): Outlook {
  const leaseMs = read.at(until) / 1000;
  const backMs = read.at(back) / 1000;
  const waits = back !== undefined && backMs > 0;
  let dueMs: number | undefined;
  if (leaseMs > 0) dueMs = Math.ceil(leaseMs) + AFTER_LEASE_MS;
  // Nobody holds it, so somebody in front is late: no write announces the end of a waiter's time.
  else if (waits) dueMs = Math.max(backMs, LEAST_DELAY_MS);
  if (!waits) return { dueMs, refreshMs: undefined };
  // It lost its place, and joins again.
  if (ticket !== undefined && read.at(ticket) === 0) return { dueMs, refreshMs: 0 };
  const toleratedMs = graceMs ?? Number(args[grace as number]);
  return { dueMs, refreshMs: backMs + toleratedMs / 2 };
}

/** The arguments of the next run: the caller's own, with what has changed since it sent them. */
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
