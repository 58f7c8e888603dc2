import type { Command } from "./backend.ts";

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const KEYLESS = set(
  "ACL AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND CONFIG DBSIZE ECHO FAILOVER FLUSHALL FLUSHDB FUNCTION INFO KEYS LASTSAVE " +
    "LATENCY LOLWUT MODULE PING PUBLISH PUBSUB RANDOMKEY REPLICAOF ROLE SAVE SCAN SCRIPT SHUTDOWN SLAVEOF SLOWLOG SWAPDB TIME WAIT",
);
/** Where the number of keys stands, for commands that say it; the first key follows. */
const COUNTED_FIRST = set("LMPOP ZMPOP SINTERCARD ZINTERCARD ZINTER ZUNION ZDIFF MSETEX");
const COUNTED_SECOND = set("EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO");
const AFTER_SUBCOMMAND = set("OBJECT XINFO XGROUP MEMORY DEBUG BITOP");

function counted(command: Command, at: number): string | Buffer | undefined {
  return Number(command[at]?.toString()) > 0 ? command[at + 1] : undefined;
}

function afterStreams(command: Command): string | Buffer | undefined {
  const at = command.findIndex((part, index) => index > 0 && part.toString().toUpperCase() === "STREAMS");
  return at === -1 ? undefined : command[at + 1];
}

/**
 * The first key of a command; `undefined` when it has none. A mistake here costs a redirection and nothing else, since Redis
 * says where a key is; so a command that nobody here knows is taken for one whose key comes first, as most do.
 */
export function keyOf(command: Command): string | Buffer | undefined {
  const name = command[0].toString().toUpperCase();
  if (COUNTED_SECOND.has(name)) return counted(command, 2);
  if (KEYLESS.has(name)) return undefined;
  if (COUNTED_FIRST.has(name)) return counted(command, 1);
  if (AFTER_SUBCOMMAND.has(name)) return command[2];
  if (name === "XREAD" || name === "XREADGROUP") return afterStreams(command);
  return command[1];
}
