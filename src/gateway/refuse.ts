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

/** `XREAD` and `XREADGROUP` block only with `BLOCK`, which stands before `STREAMS`; `skip` jumps over `GROUP group consumer`. */
const blockOption =
  (skip: number): Rule =>
  (args) => {
    for (let at = skip; at < args.length && args[at] !== "STREAMS"; at++) {
      if (args[at] === "BLOCK") return BLOCKING;
    }
    return undefined;
  };

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...each("SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE MONITOR", PUBSUB),
  ...each("MULTI EXEC DISCARD WATCH UNWATCH", TRANSACTION),
  ...each("AUTH HELLO SELECT QUIT RESET READONLY READWRITE ASKING SYNC PSYNC REPLCONF", CONNECTION),
  ...each("BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BLMOVEM BZPOPMIN BZPOPMAX BZMPOP WAITAOF", BLOCKING),
  ...each("SHUTDOWN DEBUG FAILOVER REPLICAOF SLAVEOF MIGRATE", SERVER),
  ["CLIENT", subcommands("REPLY TRACKING CACHING SETNAME NO-EVICT NO-TOUCH PAUSE KILL", CONNECTION)],
  ["MODULE", subcommands("LOAD LOADEX UNLOAD", SERVER)],
  [
    "CLUSTER",
    subcommands(
      "ADDSLOTS ADDSLOTSRANGE BUMPEPOCH DELSLOTS DELSLOTSRANGE FAILOVER FLUSHSLOTS FORGET MEET REPLICATE RESET SAVECONFIG " +
        "SET-CONFIG-EPOCH SETSLOT",
      SERVER,
    ),
  ],
  ["SCRIPT", subcommands("DEBUG", CONNECTION)],
  ["XREAD", blockOption(0)],
  ["XREADGROUP", blockOption(3)],
]);

/** Why a command must not be sent, as an error text; `undefined` when it may. */
export function refusal(command: Command): string | undefined {
  const name = command[0].toString().toUpperCase();
  const rule = RULES.get(name);
  if (rule === undefined) return undefined;
  const reason = typeof rule === "string" ? rule : rule(command.slice(1).map((arg) => arg.toString().toUpperCase()));
  return reason === undefined ? undefined : `ERR ${name} ${reason}`;
}

/** As {@link refusal}, for a command of a transaction: WAIT does not wait there. */
export function refusalInTransaction(command: Command): string | undefined {
  return isWait(command) ? "ERR WAIT is not supported in a transaction: use /pipeline" : refusal(command);
}
