import type { Random } from "./random.ts";

/** A fault that lasts for a while. Resolves when it has ended. */
export type Nemesis = (random: Random) => Promise<void>;

/** The servers of a run, and their possible faults. */
export interface Site {
  readonly name: string;
  /** The server, with its version. */
  readonly server: string;
  readonly url: string;
  /** What the URL leads to: Redis over TCP, behind gateways for HTTP clients, or a server that speaks HTTP itself. */
  readonly speaks: "tcp" | "http";
  /** The number of gateways in front of the servers. 1 by default. */
  readonly gateways?: number;
  /** Its clients, instead of those that were asked for. */
  readonly runtimes?: readonly ("ioredis" | "node-redis")[];
  /** The share of callers that wait, of kinds that can; 0.15 by default. */
  readonly waiting?: number;
  /**
   * The leases of holders, in ms; 200 to 1000 by default. An acquire that does not wait must be answered within its
   * lease, since a later grant would be useless: they must be longer than the servers' answers take.
   */
  readonly leases?: readonly number[];
  /** The number of names in use at first, if it may serve fewer than `NAMES_AT_ONCE`. */
  readonly atOnce?: number;
  /** Whether a lease never ends before its release or expiry. Otherwise only the rules of tokens are checked. */
  readonly isStrict: boolean;
  /** Whether the data of a fenced resource is never lost. */
  readonly keepsData: boolean;
  readonly nemeses: Readonly<Record<string, Nemesis>>;
  stop(): Promise<void>;
}

/** The authentication token of gateways and objects. */
export const TOKEN = "token-of-the-histories";
