import type { Budget } from "../budget.ts";
import type { Keyspace } from "./keyspace.ts";
import type { Reply } from "./reply.ts";

/** The context of a command. */
export interface Host {
  readonly keys: Keyspace;
  /** The server's clock in ms since 1970, with fractions. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Sends a message to the subscribers of a channel, and returns their number. */
  readonly publish: (channel: string, message: string, budget: Budget) => number;
  /** What the request may still use. A command counts its work before it writes, so that it is done whole or not. */
  readonly budget: Budget;
}

export type Run = (host: Host, args: readonly string[]) => Reply;

/**
 * The arity of a command as in Redis: the number of its words, including its name, negative for a minimum. The flags
 * are `w` for a writing command, `m` for one that is refused when memory is full, and `s` for one that scripts may not
 * call.
 */
export type Command = readonly [arity: number, flags: string, run: Run];

export type Commands = Readonly<Record<string, Command>>;

/** An argument that must exist, since the arity was checked. */
export const at = (args: readonly string[], index: number): string => args[index] as string;
