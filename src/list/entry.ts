import type { Refusing } from "../redis/call.ts";
import type { NameInspectReply } from "../redis/scripts.gen.ts";
import { noteOf } from "../shared/note.ts";
import { holdersOf, type ListedHolder } from "./holders.ts";
import { type Purpose, purposeOf } from "./purpose.ts";
import { type ListedWaiter, waitersOf } from "./waiters.ts";

/** The kinds that a name can be in use as, `fence` for the token that `redisFence` keeps. */
export type ListedKind = "lock" | "fair" | "rw" | "once" | "semaphore" | "counter" | "latch" | "fence";

/** A name that is in use or remembered. Times are in ms since 1970, by the server's clock. */
export interface Listed extends Purpose {
  readonly name: string;
  readonly group?: string;
  /**
   * `none` where nothing but the last token is remembered. Of what is `unreadable`: `foreign`, a value that is not
   * ours; `lock/2`, a format newer than this release; `lock/1`, a damaged record.
   */
  readonly kind: ListedKind | "none" | "foreign" | `${string}/${number}`;
  /**
   * As `inspect` of the kind has it. `free`: only the last token is remembered. `fence`: the highest token seen at a
   * Redis fence. `unreadable`: see the member of this name.
   */
  readonly state:
    | ("held" | "read" | "write" | "running")
    | ("done" | "idle" | "set" | "counting" | "open")
    | ("free" | "fence" | "unreadable");
  /**
   * Why the value under its key cannot be read, in words; only with the state `unreadable`. Nothing is known then:
   * `held` is false, and `token` and `holds` are 0.
   */
  readonly unreadable?: string;
  /** Whether somebody has it right now: `held`, `read`, `write` or `running`. */
  readonly held: boolean;
  /** The last token given; of a latch its generation. */
  readonly token: number;
  /**
   * Since when: the tenure began, of a semaphore the newest; the last attempt began; the latch was set. It is the time
   * in the token, and left out where the token was not taken from the clock.
   */
  readonly since?: number;
  /**
   * The time until which it is held: the end of the lease that ends last, unless it is extended. If it is not held, the
   * time until which it is remembered.
   */
  readonly until?: number;
  /** The time until which its state is remembered: the attempts and the result of a `once`, a number of permits, a latch. */
  readonly rememberedUntil?: number;
  /** How many have it: holds of a reentry key, readers, permits in use, a running attempt. */
  readonly holds: number;
  /** The hash of the reentry key, if the holder named one. */
  readonly reentryKey?: string;
  /** The label of the hold that began the tenure, of a lock, a fair lock or a writer. */
  readonly label?: string;
  /** The process of the holder, of the running attempt of a `once` too, where its connection has a `holder`. */
  readonly holder?: string;
  /** The queue of a fair lock or fair semaphore; the writers and readers that wait for a read-write lock. */
  readonly waiters?: number;
  /** How often a `once` was attempted. */
  readonly attempts?: number;
  /** The number that was set for a semaphore or a counter; how much a latch still has to count down. */
  readonly count?: number;
}

type Live = Extract<NameInspectReply, { readonly status: "live" }>;
interface Facts {
  readonly state: Listed["state"];
  readonly holds: number;
  readonly reentryKey?: string | undefined;
  /** Label and process, as they are stored. */
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

/** Describes a name as the server reported it; with its holders and waiters, where `most` of them were asked for. */
export function entryOf(
  name: Pick<Listed, "name" | "group">,
  reply: Exclude<NameInspectReply, Refusing>,
  most: number,
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
  // The record keeps the last holder's until there is another.
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
    ...(most > 0 && { holders: held ? holdersOf(reply, tenure) : [] }),
    ...(most > 0 && facts.waiters !== undefined && { waiting: waitersOf(reply) }),
  };
}
