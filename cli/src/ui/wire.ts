/** The messages between the server and its page, as JSON. Times are in ms since 1970, by the clock of Redis. */
import type { LastRun } from "../../../src/cron/last-run.ts";
import type { Inspected, Listed } from "../../../src/list/index.ts";
import type { Finding } from "../operations/doctor/finding.ts";

/** The first message of every stream. */
export interface Hello {
  /** Identifies the stream when the page reports what it views. */
  readonly stream: string;
  /** Host and path of the Redis, empty if unknown. */
  readonly server: string;
  /** The prefix of every key. */
  readonly prefix: string;
  readonly canRelease: boolean;
  readonly canDiagnose: boolean;
}

/** The changes since the previous message; the first message of a stream has all names. */
export interface Rows {
  readonly rows: readonly Listed[];
  /** The IDs of removed names; see {@link idOf}. */
  readonly gone: readonly string[];
}

/** One pass over all names. */
export interface Round {
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The number of names read. */
  readonly names: number;
}

/** Sent once a second. */
export interface Status {
  /** The server's time. */
  readonly now: number;
  /**
   * Requests and commands since the program began, and commands per second over the last ten seconds. Commands in
   * scripts count as well, as they are billed.
   */
  readonly requests: number;
  readonly commands: number;
  readonly commandsPerSecond: number;
  /** The number of open pages. */
  readonly pages: number;
  readonly round?: Round | undefined;
  readonly lastRound?: Round | undefined;
  /** Why nothing can be read now. */
  readonly problem?: { readonly since: number; readonly code: string; readonly message: string } | undefined;
}

/** The time for which one holder had a name, as observed. */
export interface Tenure {
  /** Distinguishes it from others of the same name. */
  readonly key: string;
  /** The fencing token; a reader has no own token here. */
  readonly token?: number | undefined;
  /** When it began: from the record, or when it was first seen. */
  readonly since: number;
  readonly isExact: boolean;
  readonly label?: string | undefined;
  readonly holder?: string | undefined;
  readonly mode?: string | undefined;
  /** Which attempt of a `once` it is. */
  readonly attempt?: number | undefined;
  /** The end of its lease, as last seen. */
  until: number;
  lastSeenAt: number;
  /** When an extension of its lease was seen. */
  readonly extendedAt: number[];
  /**
   * `ranOut`: its lease had expired. `gaveBack`: it ended before its lease did, so it was released or taken over.
   * `here`: it was released from this page.
   */
  ended?: "gaveBack" | "ranOut" | "done" | "here";
  endedAt?: number;
}

/** The observed history of one name. */
export interface History {
  readonly tenures: readonly Tenure[];
  /** Changes of the number of waiters. */
  readonly waiters: readonly { readonly at: number; readonly count: number }[];
  readonly startedAt: number;
}

/** An entry of the list, or one that was read separately, with its holders. */
export type Seen = Listed & Partial<Pick<Inspected, "holders" | "waiting" | "fence" | "unreadableFence">>;

/** The viewed name. */
export interface NameReport {
  readonly id: string;
  readonly entry?: Seen | undefined;
  /** Whether the server reports its held requests. Then the waiters of every kind are known. */
  readonly isHolding: boolean;
  readonly history: History;
  /** Times without an open page. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

/** The most recent runs of jobs. */
export interface Runs {
  readonly jobs: readonly LastRun[];
  readonly readAt: number;
  /** The number of jobs beyond those read. */
  readonly left: number;
}

/** The doctor's last examination, or the one in progress. */
export interface Examination {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  /** Why it ended early. */
  readonly problem?: string;
}

/** What a page views in addition to the list. */
export interface Look {
  readonly stream: string;
  readonly name?: { readonly name: string; readonly group?: string; readonly isFence?: boolean } | undefined;
  /** The search text: a name equal to it is read immediately. */
  readonly search?: string | undefined;
}

export interface ReleaseRequest {
  readonly name: string;
  readonly group?: string;
  /** The tenure to end; any other is left unchanged. */
  readonly token: number;
  /** For a semaphore: only the permits of this token, not those of older ones. */
  readonly isOne?: boolean;
}

export interface ReleaseAnswer {
  readonly outcome: "released" | "gone" | "refused";
  readonly message: string;
}

/** Whether an entry is a fence, including an unreadable one. */
export const isFence = (kind: Listed["kind"]): boolean => kind.startsWith("fence");

/** Identifies a name: a lock and its fence, readable or not, share one ID. */
export const idOf = ({ name, group = "", kind }: Pick<Listed, "name" | "group" | "kind">): string =>
  JSON.stringify([isFence(kind) ? 1 : 0, group, name]);
