import type { Refusing } from "../redis/call.ts";
import type { NameInspectReply } from "../redis/scripts.gen.ts";
import { noteOf } from "../shared/note.ts";
import { holdersOf, type ListedHolder } from "./holders.ts";
import { type Purpose, purposeOf } from "./purpose.ts";
import { type ListedWaiter, waitersOf } from "./waiters.ts";

/** The kinds that a name can be in use as; `fence` for the token of a `redisFence`. */
export type ListedKind = "lock" | "fair" | "rw" | "once" | "semaphore" | "counter" | "latch" | "fence";

/** A name in use or remembered. Times are in ms since 1970, by the server's clock. */
export interface Listed extends Purpose {
  readonly name: string;
  readonly group?: string;
  /**
   * `none` if only the last token is remembered. For the state `unreadable`: `foreign`, a value that leasehold did not
   * write; `lock/2`, a format newer than this release; `lock/1`, a damaged record.
   */
  readonly kind: ListedKind | "none" | "foreign" | `${string}/${number}`;
  /**
   * The state as `inspect` of the kind reports it. `free`: only the last token is remembered. `fence`: the highest
   * token seen at a Redis fence. `unreadable`: see the member of this name.
   */
  readonly state:
    | ("held" | "read" | "write" | "running")
    | ("done" | "idle" | "set" | "counting" | "open")
    | ("free" | "fence" | "unreadable");
  /**
   * Only with the state `unreadable`: why the value under its key cannot be read, in words. `held` is then false, and
   * `token` and `holds` are 0.
   */
  readonly unreadable?: string;
  /** Whether it is held right now: `held`, `read`, `write` or `running`. */
  readonly held: boolean;
  /** The last token; for a latch, its generation. */
  readonly token: number;
  /**
   * The beginning of the tenure (of a semaphore, the newest one), of the last attempt, or of the latch's generation. It
   * is the time in the token, and missing if the token was not taken from the clock.
   */
  readonly since?: number;
  /**
   * While it is held, the end of the lease that ends last, unless it is extended. Otherwise, the time until which it is
   * remembered.
   */
  readonly until?: number;
  /** The time until which its state is remembered: the attempts and the result of a `once`, a number of permits, a latch. */
  readonly rememberedUntil?: number;
  /** The number of holds: holds of a re-entry key, readers, permits in use, a running attempt. */
  readonly holds: number;
  /** The hash of the holder's re-entry key, if it has one. */
  readonly reentryKey?: string;
  /** The label of the hold that began the tenure, for a lock, a fair lock or a writer. */
  readonly label?: string;
  /** The process of the holder, or of the running attempt of a `once`, if its connection has a `holder`. */
  readonly holder?: string;
  /**
   * The length of the queue of a fair lock or fair semaphore; the number of waiting writers and readers of a read-write
   * lock.
   */
  readonly waiters?: number;
  /** The number of attempts of a `once`. */
  readonly attempts?: number;
  /** The number set for a semaphore or a counter; the count left of a latch. */
  readonly count?: number;
}

type Live = Extract<NameInspectReply, { readonly status: "live" }>;
interface Facts {
  readonly state: Listed["state"];
  readonly holds: number;
  readonly reentryKey?: string | undefined;
  /** Label and process as they are stored. */
  readonly note?: string | undefined;
  readonly waiters?: number | undefined;
  readonly attempts?: number;
  readonly count?: number | undefined;
  /** Whether the state is remembered without a hold. */
  readonly lasts?: boolean;
}

/** Reads the body of a live record, by kind. */
function factsOf({ type, body, holds, many, waiting, behind }: Live): Facts {
  const [first, second, third] = body.slice(1).split(" ");
  const count = first ? Number(first) : undefined;
  switch (type) {
    case "once": {
      const state = second ? "done" : holds > 0 ? "running" : "idle";
      return { state, holds, attempts: Number(first), note: third, lasts: true };
    }
    case "rw": {
      const state = holds > 0 ? "write" : many > 0 ? "read" : "free";
      return { state, holds: holds || many, waiters: waiting + behind, reentryKey: second, note: third };
    }
    case "latch":
      return { state: Number(first) > 0 ? "counting" : "open", holds: 0, count, lasts: true };
    case "semaphore":
      return { state: many > 0 ? "held" : "set", holds: many, waiters: waiting, count, lasts: count !== undefined };
    case "counter":
      return { state: "set", holds: 0, count, lasts: true };
    default: {
      const state = holds > 0 ? "held" : "free";
      return { state, holds, waiters: type === "fair" ? waiting : undefined, reentryKey: first, note: second };
    }
  }
}

/** Describes a name as the server reported it, with at most `max` holders and waiters, if requested. */
export function entryOf(
  name: Pick<Listed, "name" | "group">,
  reply: Exclude<NameInspectReply, Refusing>,
  max: number,
): Listed & { readonly holders?: readonly ListedHolder[]; readonly waiting?: readonly ListedWaiter[] } {
  const { token, now } = reply;
  if (reply.status !== "live") {
    const kind = reply.status === "fence" ? "fence" : "none";
    const state = kind === "fence" ? "fence" : "free";
    return { ...name, kind, state, held: false, token, holds: 0, ...purposeOf(name.name, kind) };
  }
  const kind = reply.type as ListedKind;
  const { state, reentryKey, note, lasts, ...facts } = factsOf(reply);
  const held = /^(held|read|write|running)$/.test(state);
  const dated = token > 0 && token <= now && !/^(free|set)$/.test(state);
  const inMs = (us: number): number => Math.ceil((now + us) / 1000);
  // The record keeps the last holder's values until there is another.
  const tenure = {
    ...(dated && { since: Math.floor(token / 1000) }),
    ...(held && reply.holds > 0 && { ...(reentryKey && { reentryKey }), ...noteOf(note) }),
  };
  const more = Object.entries({
    ...facts,
    until: state === "free" ? undefined : inMs(held ? reply.left : reply.remaining),
    rememberedUntil: lasts ? inMs(reply.remaining) : undefined,
    ...tenure,
  }).filter(([, value]) => value !== undefined);
  return {
    ...name,
    kind,
    state,
    held,
    token,
    ...(Object.fromEntries(more) as Pick<Listed, "holds">),
    ...purposeOf(name.name, kind),
    ...(max > 0 && { holders: held ? holdersOf(reply, tenure) : [] }),
    ...(max > 0 && facts.waiters !== undefined && { waiting: waitersOf(reply) }),
  };
}
