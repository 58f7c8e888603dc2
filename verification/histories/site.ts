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
  /** The number of names that it can serve at a time; `NAMES_AT_ONCE` by default. */
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
