import type { World } from "../world.ts";
import type { Sentence } from "./sentences.ts";

/** One call of the SDK, with its outcome. */
export interface Op {
  readonly id: string;
  readonly what: string;
  readonly startedAt: number;
  /** The names in which it may have been granted: keys of `names`. */
  readonly asked: Set<string>;
  /** The time of its last request so far. */
  sentAt?: number;
  /** When it ended, and its outcome: `lease`, `null`, or an error code. */
  endedAt?: number;
  outcome?: string;
  /** When its lease had ended as well. */
  overAt?: number;
  /** The number of requests sent. */
  requests: number;
  /** Whether a request of it was duplicated although it was answered. */
  copied: boolean;
  /** Whether a request of it was repeated by a proxy that lost the answer. The server may still hold the first copy. */
  isRepeated?: boolean;
  /** Whether it sent a request to a server whose clock its client did not know. */
  isFirst?: boolean;
  /** Whether it sent a request to a server whose clock its client had learned long before. */
  isStale?: boolean;
  /** The number of its requests that arrived late. */
  late: number;
  /** The acquisition whose lease this call refers to. */
  readonly of?: Op | undefined;
  /** Whether it acquires and releases several leases, so that its outcome is not the outcome of one of them. */
  readonly isComposite?: boolean;
  /** Whether it returns only after a replica has its hold. */
  readonly isReplicated?: boolean | undefined;
}

export interface Violation {
  readonly rule: string;
  readonly text: string;
}

export interface Hold {
  readonly id: string;
  readonly op: Op | undefined;
  readonly token: number;
  readonly reentryKey: string;
  readonly mode: "alone" | "shared" | "permits";
  permits: number;
  /** In µs by the server's clock. */
  until: number;
  readonly grantedAt: number;
  /** Whether it had ended at the server's last check: a clock set back may revive it. */
  wasOver?: boolean;
}

interface Waiter {
  readonly place: number;
  /** In µs by the server's clock: after this time it is dead. */
  readonly deadline: number;
  /** Whether it was late at the server's last check and may have been removed. */
  wasLate?: boolean;
}

/** Permits granted by a counter. */
interface Taken {
  readonly op: Op | undefined;
  readonly count: number;
  /** In µs by the server's clock. */
  readonly at: number;
}

/** Everything known about a name from the server's replies. */
export interface Name {
  holds: Map<string, Hold>;
  /** Holds of which one of two keys is lost: the other may still contain them. */
  remains: Map<string, Hold>;
  /** Expired holds: in a crowd they count again when the clock is set back, unless a script removed them. */
  expired: Map<string, Hold>;
  /** When reads were last released by force, in µs by the server's clock: before that time, they count again. */
  readsForcedAt: number;
  over: Map<string, string>;
  queue: Map<string, Waiter>;
  done: { readonly id: string; readonly until: number } | undefined;
  latch: { readonly id: string; readonly of: number; readonly parties: Set<string> } | undefined;
  /** The requests that set a latch, and when it was set anew or forced, in µs by the server's clock; 0 before. */
  setters: Map<string, number>;
  counter:
    | {
        count: number;
        /** Its number: the initial value, and the sums added and drained. */
        size: number;
        /** When that number was set, in µs by the server's clock. */
        setAt: number;
        /** Whether a request may have changed `count` twice. A drain makes it known again. */
        isUnsure?: boolean;
        /** Whether a request may have changed `size` twice. */
        isSizeUnsure?: boolean;
        /** The counted requests, with their times in µs by the server's clock. */
        readonly seen: Map<string, number>;
        readonly taken: Map<string, Taken>;
      }
    | undefined;
  /** The permits of a semaphore whose number was set. */
  stock:
    | {
        /** NaN if it is unknown. */
        number: number;
        /** Whether the server has lost it. */
        isForgotten?: boolean;
        /** The counted changes, with their times in µs by the server's clock. */
        readonly seen: Map<string, number>;
        /** What was spent, by the ID of the hold. */
        readonly spent: Map<string, { readonly by: Op | undefined; readonly count: number }>;
      }
    | undefined;
  /** The messages of a conversation whose turns collect. */
  inbox:
    | {
        /** By ID, in order of arrival, as JSON: those that wait, and those whose turn is running. */
        waiting: Map<string, string>;
        /** Those whose turn has ended, with the times until which they are remembered, in µs by the server's clock. */
        readonly ended: Map<string, number>;
        /** The IDs that a turn was given, by its hold and the place of the last one. */
        readonly given: Map<string, ReadonlySet<string>>;
        /** False after a loss, until the next turn is given what is left. */
        isKnown: boolean;
      }
    | undefined;
  fence:
    | {
        token: number;
        value: string;
        readonly seen: Set<string>;
        /** What it still has if the end of the last run was not recorded. */
        former: { readonly token: number; readonly value: string } | undefined;
      }
    | undefined;
  /** The callers that were refused by a lock that is not fair, and may retry. */
  readonly refused: Set<Op>;
  lastToken: number;
  lostAt: number;
  /** Until when its record is kept if nobody writes it, in µs by its server's clock; 0 before the first write. */
  keptUntil: number;
  /** Whether its record expired since the last token: the server no longer knows that token. */
  wasForgotten: boolean;
  forcedAt: number;
  /** The last tokens of the calls that took it from its holders by their grant. */
  readonly takers: Map<Op, number>;
}

/** The facts about all names and servers, and the violations found: shared by all checks. */
export interface Facts {
  readonly world: World;
  /** The number of servers that must agree: 1 except for a quorum lock. */
  readonly majority: number;
  /** Whether waiters listen for messages. */
  readonly listens: boolean;
  readonly requestTimeoutMs: number;
  readonly retentionMs: number;
  readonly violations: readonly Violation[];
  readonly excused: ReadonlyMap<Sentence, number>;
  report(rule: string, text: string, excuse?: Sentence): void;
  /** A server's clock in µs. */
  clockOf(server: string): number;
  /** The latest time that the clock of a name's server has shown, in µs. */
  latestOf(full: string): number;
  /** The facts about a name: by its server, `/` and its key. */
  nameOf(full: string): Name;
  /** The reason why a state at an earlier time may have ended. */
  lossSince(full: string, at: number): Sentence | undefined;
  /** The reason why a request may still take effect although its operation has ended. */
  excuseOf(full: string, op: Op): Sentence | undefined;
  /** Whether the clock of a name's server was set back. */
  wasSetBack(full: string): boolean;
  /** The IDs of the messages that the work of a turn has handled, by its name and token. */
  readonly handledBy: Map<string, ReadonlySet<string>>;
  /** All names, by their server, `/` and their key. */
  readonly names: ReadonlyMap<string, Name>;
  /** The holders of a name by its server's clock. */
  holdersOf(full: string): readonly Hold[];
  /** A server has lost its data of all names, or of one key. */
  lost(server: string, key?: string): void;
  /**
   * Saves the facts about a server's names; returns a function that restores them, as after a loss. Its argument says
   * whether the new primary is a replica that had every confirmed write.
   */
  keep(server: string): (isReplica: boolean) => void;
  stepped(server: string, ms: number): void;
}

/** The number of permits requested by an id: `id#n`, followed by a note. */
export const permitsOf = (id: string): number => Number(/^.{36}#(\d+)/.exec(id)?.[1] ?? 1);

export const serverOf = (full: string): string => full.slice(0, full.indexOf("/"));
