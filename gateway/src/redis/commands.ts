import type { Command } from "./backend.ts";
import { isWait } from "./wait.ts";

const PUBSUB = "is not supported as a command: /subscribe/CHANNEL, /psubscribe/PATTERN and /monitor are streams";
const TRANSACTION = "is not supported as a command: use /multi-exec";
const CONNECTION = "is not supported: it would change the connection that all requests share";
const SERVER = "is not supported: it would end, move or block the server that all requests share";
const BLOCKING = "is not supported: it would block the connection that all requests share";

type Rule = string | ((args: readonly string[]) => string | undefined);

const each = (names: string, rule: Rule): [string, Rule][] => names.split(" ").map((name) => [name, rule]);

/** For container commands: the reason holds for the named subcommands only. */
const subcommands = (names: string, reason: string): Rule => {
  const refused = new Set(names.split(" "));
  return (args) => (refused.has(args[0] ?? "") ? reason : undefined);
};

/** For container commands that get new subcommands with each version of a server: all but the named ones are refused. */
const onlySubcommands = (names: string): Rule => {
  const allowed = new Set(names.split(" "));
  const reason =
    `is not supported but for ${[...allowed].join(", ")}: ` +
    "another subcommand could change what all requests share, or get no answer";
  // Without a subcommand it is for Redis to say so.
  return ([name]) => (name === undefined || allowed.has(name) ? undefined : reason);
};

/** How many values follow an option of `XREAD` and `XREADGROUP`, which come in any order before `STREAMS`. */
const VALUES: ReadonlyMap<string, number> = new Map([
  ["COUNT", 1],
  ["CLAIM", 1],
  ["GROUP", 2],
]);

const blockOption: Rule = (args) => {
  let at = 0;
  for (; at < args.length && args[at] !== "STREAMS"; at += 1 + (VALUES.get(args[at] ?? "") ?? 0)) {
    if (args[at] === "BLOCK") return BLOCKING;
  }
  return at < MAX_WORDS ? undefined : "is not supported with so many options";
};

/** So many arguments are looked at: all that may be options, and not all of what may be a million. */
const MAX_WORDS = 100;

/** A word as Redis compares it: as a C string, which ends at a NUL. */
const wordOf = (part: string | Buffer): string => (part.toString().split("\0", 1)[0] ?? "").toUpperCase();

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...each("SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE MONITOR", PUBSUB),
  ...each("MULTI EXEC DISCARD WATCH UNWATCH", TRANSACTION),
  ...each("AUTH HELLO SELECT QUIT RESET READONLY READWRITE ASKING SYNC PSYNC REPLCONF", CONNECTION),
  ...each("BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BLMOVEM BZPOPMIN BZPOPMAX BZMPOP WAITAOF", BLOCKING),
  // Redis takes these for HTTP that somebody made it speak, and ends the connection.
  ...each("POST HOST:", CONNECTION),
  ...each("SHUTDOWN DEBUG FAILOVER REPLICAOF SLAVEOF MIGRATE SAVE PFSELFTEST", SERVER),
  // SETINFO is a label that nobody's answers depend on, and client libraries send it.
  ["CLIENT", onlySubcommands("GETNAME GETREDIR HELP ID INFO LIST SETINFO TRACKINGINFO UNBLOCK UNPAUSE")],
  ["MODULE", subcommands("LOAD LOADEX UNLOAD", SERVER)],
  [
    "CLUSTER",
    onlySubcommands(
      "COUNT-FAILURE-REPORTS COUNTKEYSINSLOT GETKEYSINSLOT GETSLOTMIGRATIONS HELP INFO KEYSLOT LINKS MYID MYSHARDID NODES REPLICAS " +
        "SHARDS SLAVES SLOT-STATS SLOTS",
    ),
  ],
  ["SCRIPT", subcommands("DEBUG", CONNECTION)],
  ["XREAD", blockOption],
  ["XREADGROUP", blockOption],
]);

/** Why a command must not be sent, as an error text; `undefined` when it may. */
export function refusal(command: Command): string | undefined {
  // Redis finds some commands by a name with a NUL in it, since it compares names as C strings; none is called so.
  if (command[0].includes("\0")) return "ERR unknown command";
  const name = command[0].toString().toUpperCase();
  const rule = RULES.get(name);
  if (rule === undefined) return undefined;
  const reason = typeof rule === "string" ? rule : rule(command.slice(1, 1 + MAX_WORDS).map(wordOf));
  return reason === undefined ? undefined : `ERR ${name} ${reason}`;
}

/** As {@link refusal}, for a command of a transaction: WAIT does not wait there. */
export function refusalInTransaction(command: Command): string | undefined {
  return isWait(command) ? "ERR WAIT is not supported in a transaction: use /pipeline" : refusal(command);
}
