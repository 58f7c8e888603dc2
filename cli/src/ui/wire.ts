/** The messages between the server and its page, as JSON. Times are in ms since 1970, by the clock of Redis. */
import type { LastRun } from "../../../src/cron/last-run.ts";
import type { Inspected, Listed } from "../../../src/list/index.ts";
import type { Finding } from "../operations/doctor/finding.ts";

/** The first message of every stream. */
export interface Hello {
  /** Names the stream when the page says what it looks at. */
  readonly stream: string;
  /** Host and path of the Redis, empty where they are not known. */
  readonly server: string;
  /** The beginning of every key. */
  readonly prefix: string;
  readonly canRelease: boolean;
  readonly canDiagnose: boolean;
}

/** The changes since the message before; the first message of a stream has all names. */
export interface Rows {
  readonly rows: readonly Listed[];
  /** The ids of names that are gone; see {@link idOf}. */
  readonly gone: readonly string[];
}

/** One pass over all names. */
export interface Round {
  readonly startedAt: number;
  readonly endedAt?: number;
  /** How many names it has read. */
  readonly names: number;
}

/** Sent once a second. */
export interface Status {
  /** The server's time. */
  readonly now: number;
  /**
   * Requests and commands since the program began, and the commands of the last ten seconds per second. Commands in
   * scripts count, too, as they are billed.
   */
  readonly requests: number;
  readonly commands: number;
  readonly commandsPerSecond: number;
  /** How many pages look. */
  readonly pages: number;
  readonly round?: Round | undefined;
  readonly lastRound?: Round | undefined;
  /** Why nothing can be read at the moment. */
  readonly problem?: { readonly since: number; readonly code: string; readonly message: string } | undefined;
}

/** The time that one holder had a name, as far as it was seen. */
export interface Tenure {
  /** Tells it from others of the same name. */
  readonly key: string;
  /** The fencing token; a reader has none of its own here. */
  readonly token?: number | undefined;
  /** When it began: as the record says, or when it was first seen. */
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
  /** When its lease was seen to be longer. */
  readonly extendedAt: number[];
  /**
   * `ranOut`: its lease had ended. `gaveBack`: it was gone while its lease still ran, so released or taken away. `here`:
   * it was released by this page.
   */
  ended?: "gaveBack" | "ranOut" | "done" | "here";
  endedAt?: number;
}

/** The history of one name, as far as it was seen. */
export interface History {
  readonly tenures: readonly Tenure[];
  /** Changes of the number of those who wait. */
  readonly waiters: readonly { readonly at: number; readonly count: number }[];
  readonly startedAt: number;
}

/** An entry of the list, or one that was read alone and has its holders. */
export type Seen = Listed & Partial<Pick<Inspected, "holders" | "waiting" | "fence" | "unreadableFence">>;

/** The name that the page looks at. */
export interface NameReport {
  readonly id: string;
  readonly entry?: Seen | undefined;
  /** Whether the server reports whose requests it holds: then the waiters of every kind are known. */
  readonly isHolding: boolean;
  readonly history: History;
  /** Times in which nobody looked. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

/** The most recent runs of jobs. */
export interface Runs {
  readonly jobs: readonly LastRun[];
  readonly readAt: number;
  /** How many jobs there are beyond those read. */
  readonly left: number;
}

/** The doctor's last examination, or the one under way. */
export interface Examination {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  /** Why it ended early. */
  readonly problem?: string;
}

/** What a page looks at besides the list. */
export interface Look {
  readonly stream: string;
  readonly name?: { readonly name: string; readonly group?: string; readonly isFence?: boolean } | undefined;
  /** The text in the search: a name that is exactly so is read at once. */
  readonly search?: string | undefined;
}

export interface ReleaseRequest {
  readonly name: string;
  readonly group?: string;
  /** The tenure that is ended; another is left alone. */
  readonly token: number;
  /** Of a semaphore: only the permits of this token, and not those of older ones. */
  readonly isOne?: boolean;
}

export interface ReleaseAnswer {
  readonly outcome: "released" | "gone" | "refused";
  readonly message: string;
}

/** Whether an entry is that of a fence, also of one that cannot be read. */
export const isFence = (kind: Listed["kind"]): boolean => kind.startsWith("fence");

/** Tells a name from others: a lock and its fence, readable or not, share one. */
export const idOf = ({ name, group = "", kind }: Pick<Listed, "name" | "group" | "kind">): string =>
  JSON.stringify([isFence(kind) ? 1 : 0, group, name]);
