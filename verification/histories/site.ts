import type { Random } from "./random.ts";

/** A fault that comes, stays for a while, and goes. Resolves when it has gone. */
export type Nemesis = (random: Random) => Promise<void>;

/** The servers of a run, and the faults that can befall them. */
export interface Site {
  readonly name: string;
  /** What serves it, with its version. */
  readonly server: string;
  readonly url: string;
  /**
   * What clients reach under the URL: Redis over TCP, behind gateways for those that use HTTP, or a server that speaks
   * HTTP itself.
   */
  readonly speaks: "tcp" | "http";
  /** How many gateways there are in front of the servers. 1 by default. */
  readonly gateways?: number;
  /**
   * Whether a lease here ends at its release or when its time is over, and no earlier. Else only the rules of tokens
   * hold.
   */
  readonly isStrict: boolean;
  /** Whether the data of a fenced resource is kept. */
  readonly keepsData: boolean;
  readonly nemeses: Readonly<Record<string, Nemesis>>;
  stop(): Promise<void>;
}

/** The token that gateways and objects ask for. */
export const TOKEN = "token-of-the-histories";
