import type { Listed, ListedHolder, ListedWaiter } from "../../src/list/index.ts";

import { counted, duration, harmless, type Paint } from "./text.ts";

/** The name for people: after its group, if it has one. */
export const titleOf = ({ name, group }: Pick<Listed, "name" | "group">): string =>
  harmless(group === undefined ? name : `${group}/${name}`);

/** Says how long it has been held and how much time is left, or the state of a free name. */
export function stateOf(entry: Listed, now: number, paint: Paint): string {
  const { state, held, since, until } = entry;
  if (entry.unreadable !== undefined) return paint("red", state);
  const left = until === undefined ? "" : duration(until - now);
  if (!held)
    return paint("dim", left && state !== "free" && state !== "fence" ? `${state}, remembered ${left}` : state);
  const age = since === undefined ? "" : ` ${duration(now - since)}`;
  return `${paint("green", state)}${age}${left && `, ${left} left`}`;
}

/** The word for the holders of a name, by kind. */
const UNITS: Partial<Record<Listed["kind"], string>> = { semaphore: "permit", rw: "reader" };

/** Everything else known about a name, in words. */
export function detailsOf(entry: Listed): string {
  const { kind, state, held, holds, label, holder, reentryKey, waiters, attempts, count, job, slot, sender } = entry;
  return [
    entry.unreadable === undefined ? "" : harmless(entry.unreadable),
    waiters ? `${waiters} waiting` : "",
    label === undefined ? "" : `“${harmless(label)}”`,
    holder === undefined ? "" : `by ${harmless(holder)}`,
    held && (holds > 1 || kind === "semaphore")
      ? counted(holds, UNITS[kind] ?? "hold", kind === "semaphore" ? count : undefined)
      : "",
    job === undefined ? "" : `job ${harmless(job)}${slot === undefined ? "" : `, slot ${harmless(slot)}`}`,
    sender === undefined ? "" : `from ${harmless(sender)}`,
    attempts ? `attempt ${attempts}${state === "idle" ? " ended without a result" : ""}` : "",
    count === undefined || (held && kind === "semaphore")
      ? ""
      : kind === "latch"
        ? `${count} to go`
        : counted(count, "permit"),
    reentryKey === undefined ? "" : `re-entry key ${reentryKey.slice(0, 8)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** A time for people and programs, in UTC. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

const joined = (parts: readonly string[], by: string): string => parts.filter((part) => part !== "").join(by);

/** The holders of a name, one per row. */
export const holderRows = (holders: readonly ListedHolder[], now: number): readonly (readonly string[])[] =>
  holders.map(({ since, until, mode, permits, token, holder, label, reentryKey }) => [
    since === undefined ? "" : duration(now - since),
    `${duration(until - now)} left`,
    joined(
      [
        mode ?? "",
        permits === undefined ? "" : counted(permits, "permit"),
        token === undefined ? "" : `token ${token}`,
        label === undefined ? "" : `“${harmless(label)}”`,
        holder === undefined ? "" : `by ${harmless(holder)}`,
        reentryKey === undefined ? "" : `re-entry key ${reentryKey.slice(0, 8)}`,
      ],
      ", ",
    ),
  ]);

/** The waiters of a name, one per row. Waiters of a queue have a place. */
export const waiterRows = (waiting: readonly ListedWaiter[], now: number): readonly (readonly string[])[] =>
  waiting.map(({ since, mode, label, holder }, n) => [
    mode ?? String(n + 1),
    since === undefined ? "" : duration(Math.max(now - since, 0)),
    joined(
      [label === undefined ? "" : `“${harmless(label)}”`, holder === undefined ? "" : `by ${harmless(holder)}`],
      " ",
    ),
  ]);
