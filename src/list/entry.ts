import type { Ran } from "../redis/run.ts";
import type { NameInspectReply } from "../redis/scripts.gen.ts";

/** The kinds that a name can be in use as, `fence` for the token that `redisFence` keeps. */
export type ListedKind = "lock" | "fair" | "rw" | "once" | "semaphore" | "counter" | "latch" | "fence";

/** A name that is in use or remembered. Times are in ms since 1970, by the server's clock. */
export interface Listed {
  readonly name: string;
  readonly group?: string;
  /**
   * `none` where nothing but the last token is remembered. `foreign` is a value that is not ours; `lock/2` a format
   * newer than this release.
   */
  readonly kind: ListedKind | "none" | "foreign" | `${string}/${number}`;
  /**
   * As `inspect` of the kind has it. `free`: only the last token is remembered. `fence`: the highest token seen at a
   * Redis fence. `foreign`: not read.
   */
  readonly state:
    | ("held" | "read" | "write" | "running")
    | ("done" | "idle" | "set" | "counting" | "open")
    | ("free" | "fence" | "foreign");
  /** Whether somebody has it right now: `held`, `read`, `write` or `running`. */
  readonly held: boolean;
  /** The last token given; of a latch its generation. */
  readonly token: number;
  /**
   * Since when: the tenure began, of a semaphore the newest; the last attempt began; the latch was set. It is the time
   * in the token, and left out where the token was not taken from the clock.
   */
  readonly since?: number;
  /** Until when it is held, or remembered if it is not held. */
  readonly until?: number;
  /** How many have it: holds of an owner, readers, permits in use, a running attempt. */
  readonly holds: number;
  /** The hash of the owner, if the holder named one. */
  readonly owner?: string;
  readonly label?: string;
  /** The queue of a fair lock or fair semaphore; the writers and readers that wait for a read-write lock. */
  readonly waiters?: number;
  /** How often a `once` was attempted. */
  readonly attempts?: number;
  /** The number that was set for a semaphore or a counter; how much a latch still has to count down. */
  readonly count?: number;
}

type Live = Extract<Ran<NameInspectReply>, { readonly status: "live" }>;
type Facts = Pick<Listed, "state" | "holds"> &
  Partial<Record<"owner" | "label" | "waiters" | "attempts" | "count", string | number | undefined>>;

/** Reads the body of a live record, by kind. */
function factsOf({ type, body, holds, many, waiting, behind }: Live): Facts {
  const [first, second, third] = body.slice(1).split(" ");
  switch (type) {
    case "once":
      return { state: second ? "done" : holds > 0 ? "running" : "idle", holds, attempts: Number(first) };
    case "rw": {
      const mode = holds > 0 ? "write" : many > 0 ? "read" : "free";
      return {
        state: mode,
        holds: holds || many,
        waiters: waiting + behind,
        ...(holds > 0 && { owner: second, label: third }),
      };
    }
    case "latch":
      return { state: Number(first) > 0 ? "counting" : "open", holds: 0, count: Number(first) };
    case "semaphore":
      return {
        state: many > 0 ? "held" : "set",
        holds: many,
        waiters: waiting,
        count: first ? Number(first) : undefined,
      };
    case "counter":
      return { state: "set", holds: 0, count: first ? Number(first) : undefined };
    default:
      return {
        state: holds > 0 ? "held" : "free",
        holds,
        waiters: type === "fair" ? waiting : undefined,
        ...(holds > 0 && { owner: first, label: second }),
      };
  }
}

/** Describes a name of what the server said of it. */
export function entryOf(name: Pick<Listed, "name" | "group">, reply: Ran<NameInspectReply>): Listed {
  const { token, now } = reply;
  if (reply.status !== "live") {
    const kind = reply.status === "fence" ? "fence" : "none";
    return { ...name, kind, state: kind === "fence" ? "fence" : "free", held: false, token, holds: 0 };
  }
  const { state, owner, label, ...facts } = factsOf(reply);
  const held = /^(held|read|write|running)$/.test(state);
  const dated = token > 0 && token <= now && !/^(free|set)$/.test(state);
  const known = Object.entries({
    ...facts,
    since: dated ? Math.floor(token / 1000) : undefined,
    until: state === "free" ? undefined : Math.ceil((now + (held ? reply.left : reply.remaining)) / 1000),
    owner: owner || undefined,
    label: label ? decodeURIComponent(`${label}`) : undefined,
  }).filter(([, value]) => value !== undefined);
  return {
    ...name,
    kind: reply.type as ListedKind,
    state,
    held,
    token,
    ...(Object.fromEntries(known) as Pick<Listed, "holds">),
  };
}
