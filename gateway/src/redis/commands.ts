import { createHash } from "node:crypto";
import { ROOM_COMMANDS } from "leasehold-engine/holding";
import type { Command } from "./backend.ts";
import { COMMAND_NAMES } from "./command-names.ts";
import { OWN_SCRIPTS } from "./own-scripts.gen.ts";

/** The reason a command is refused, or a function that finds one in its arguments; `undefined` allows it. */
type Refusal = string | ((args: readonly string[]) => string | undefined);

/**
 * The position of a command's first key: `2` is the second argument, and `counted` means that a number of keys precedes
 * it.
 */
type KeyPosition = "none" | 1 | 2 | { readonly counted: 1 | 2 } | "after STREAMS";

/** The facts about a command. The defaults describe a command with one reply, and its key as the first argument. */
interface CommandFacts {
  /** The name in upper case. */
  readonly name: string;
  /** The name in lower case, or `other` for an unknown command. */
  readonly label: string;
  /** Why it cannot be sent on the connection that all requests share. */
  readonly refused?: Refusal;
  readonly refusedInTransaction?: string;
  readonly key: KeyPosition;
  /** Overrides, for a read-only token, the server's own flag that says whether the command only reads. */
  readonly readOnlyToken?: "allowed" | "refused";
  /** Set for commands after which a connection receives unsolicited data; a path of that name answers with a stream. */
  readonly stream?: "subscription" | "monitor";
  /** How a Lua script is passed: as text, as SHA-1, or after a subcommand. */
  readonly script?: "text" | "sha1" | "subcommand";
  /** Whether the reply counts the writes of the connection that the command arrives on. */
  readonly countsOwnWrites?: boolean;
  /** Whether the gateway answers it from its held requests, without Redis. */
  readonly isForRoom?: boolean;
}

const PUBSUB = "is not supported as a command: /subscribe/CHANNEL, /psubscribe/PATTERN and /monitor are streams";
const TRANSACTION = "is not supported as a command: use /multi-exec";
const CONNECTION = "is not supported: it would change the connection that all requests share";
const SERVER = "is not supported: it would end, move or block the server that all requests share";
const TO_PIPELINE = "is not supported in a transaction: use /pipeline";
const BLOCKING = "is not supported: it would block the connection that all requests share";

const [WAITERS, AWAITED] = ROOM_COMMANDS;

/** The number of arguments examined: enough for all options, far fewer than the million that a command may have. */
const MAX_WORDS = 100;

/** Refuses the named subcommands of a container command. */
const subcommands = (names: string, reason: string): Refusal => {
  const refused = new Set(names.split(" "));
  return (args) => (refused.has(args[0] ?? "") ? reason : undefined);
};

/** Refuses all subcommands except the named ones, for containers that get new ones in each server version. */
const onlySubcommands = (names: string): Refusal => {
  const allowed = new Set(names.split(" "));
  const reason =
    `is not supported except for ${[...allowed].join(", ")}: ` +
    "another subcommand could change what all requests share, or get no answer";
  // Without a subcommand, Redis returns the error.
  return ([name]) => (name === undefined || allowed.has(name) ? undefined : reason);
};

/** The number of values after an option of `XREAD` and `XREADGROUP`. The options come in any order before `STREAMS`. */
const VALUES: ReadonlyMap<string, number> = new Map([
  ["COUNT", 1],
  ["CLAIM", 1],
  ["GROUP", 2],
]);

const blockOption: Refusal = (args) => {
  let at = 0;
  for (; at < args.length && args[at] !== "STREAMS"; at += 1 + (VALUES.get(args[at] ?? "") ?? 0)) {
    if (args[at] === "BLOCK") return BLOCKING;
  }
  return at < MAX_WORDS ? undefined : "is not supported with so many options";
};

type Row = readonly [names: string, facts: Partial<CommandFacts>];

/** The commands that differ from the defaults, each in one row. */
const ROWS: readonly Row[] = [
  ["SUBSCRIBE PSUBSCRIBE", { refused: PUBSUB, stream: "subscription" }],
  ["MONITOR", { refused: PUBSUB, stream: "monitor" }],
  ["UNSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE", { refused: PUBSUB }],
  ["MULTI EXEC DISCARD WATCH UNWATCH", { refused: TRANSACTION }],
  ["AUTH HELLO SELECT QUIT RESET READONLY READWRITE ASKING SYNC PSYNC REPLCONF", { refused: CONNECTION }],
  // Redis treats these names as an HTTP attack, and ends the connection.
  ["POST HOST:", { refused: CONNECTION }],
  ["BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BLMOVEM BZPOPMIN BZPOPMAX BZMPOP WAITAOF", { refused: BLOCKING }],
  ["SHUTDOWN DEBUG FAILOVER REPLICAOF SLAVEOF MIGRATE SAVE PFSELFTEST", { refused: SERVER }],
  [
    "CLIENT",
    {
      key: "none",
      // SETINFO is a label that changes no answer, and client libraries send it.
      refused: onlySubcommands("GETNAME GETREDIR HELP ID INFO LIST SETINFO TRACKINGINFO UNBLOCK UNPAUSE"),
    },
  ],
  [
    "CLUSTER",
    {
      key: "none",
      refused: onlySubcommands(
        "COUNT-FAILURE-REPORTS COUNTKEYSINSLOT GETKEYSINSLOT GETSLOTMIGRATIONS HELP INFO KEYSLOT LINKS MYID MYSHARDID NODES " +
          "REPLICAS SHARDS SLAVES SLOT-STATS SLOTS",
      ),
    },
  ],
  ["MODULE", { key: "none", refused: subcommands("LOAD LOADEX UNLOAD", SERVER) }],
  ["SCRIPT", { key: "none", refused: subcommands("DEBUG", CONNECTION), script: "subcommand" }],
  ["EVAL EVAL_RO", { key: { counted: 2 }, script: "text" }],
  ["EVALSHA EVALSHA_RO", { key: { counted: 2 }, script: "sha1" }],
  ["FCALL FCALL_RO", { key: { counted: 2 } }],
  ["XREAD XREADGROUP", { key: "after STREAMS", refused: blockOption }],
  [
    "WAIT",
    {
      key: "none",
      countsOwnWrites: true,
      refusedInTransaction: TO_PIPELINE,
    },
  ],
  // These touch no data, and show whether Redis answers.
  ["PING ECHO TIME", { key: "none", readOnlyToken: "allowed" }],
  // These only read, but would reveal the names of all keys.
  ["KEYS SCAN RANDOMKEY", { key: "none", readOnlyToken: "refused" }],
  [
    "ACL BGREWRITEAOF BGSAVE COMMAND CONFIG DBSIZE FLUSHALL FLUSHDB FUNCTION INFO LASTSAVE LATENCY LOLWUT PUBLISH PUBSUB " +
      "ROLE SLOWLOG SWAPDB",
    { key: "none" },
  ],
  [WAITERS, { isForRoom: true, refusedInTransaction: TO_PIPELINE }],
  // This would reveal the names of keys.
  [AWAITED, { isForRoom: true, key: "none", readOnlyToken: "refused", refusedInTransaction: TO_PIPELINE }],
  ["LMPOP ZMPOP SINTERCARD ZINTERCARD ZINTER ZUNION ZDIFF MSETEX", { key: { counted: 1 } }],
  ["OBJECT XINFO XGROUP MEMORY BITOP", { key: 2 }],
];

/** For an unknown command, the first argument is assumed to be its key, as for most commands. */
const UNKNOWN: CommandFacts = { name: "", label: "other", key: 1 };

/**
 * Every command by its name, in upper and in lower case, as most clients write it. Commands without a row have the
 * defaults.
 */
const TABLE: ReadonlyMap<string, CommandFacts> = new Map(
  [...COMMAND_NAMES.map((name): Row => [name, {}]), ...ROWS].flatMap(([names, facts]) =>
    names.split(" ").flatMap((name): [string, CommandFacts][] => {
      const label = name.toLowerCase();
      const entry = { ...UNKNOWN, name, label, ...facts };
      return [
        [name, entry],
        [label, entry],
      ];
    }),
  ),
);

/** The table's entry for a command, in any case. It is looked up several times per command. */
export function factsOf([name]: Command): CommandFacts {
  const asWritten = typeof name === "string" ? TABLE.get(name) : undefined;
  return asWritten ?? TABLE.get(name.toString().toUpperCase()) ?? UNKNOWN;
}

/** A word as Redis compares it: as a C string, which ends at a NUL. */
const wordOf = (part: string | Buffer): string => (part.toString().split("\0", 1)[0] ?? "").toUpperCase();

/** Why a command must not be sent, as an error text; `undefined` if it may. */
export function refusal(command: Command): string | undefined {
  // Redis compares names as C strings, and may find a command by a name with a NUL in it.
  if (command[0].includes("\0")) return "ERR unknown command";
  const { name, refused } = factsOf(command);
  if (refused === undefined) return undefined;
  const reason = typeof refused === "string" ? refused : refused(command.slice(1, 1 + MAX_WORDS).map(wordOf));
  return reason === undefined ? undefined : `ERR ${name} ${reason}`;
}

/** Why a command must not be sent in a transaction, in which WAIT does not wait; `undefined` if it may. */
export function refusalInTransaction(command: Command): string | undefined {
  const { name, refusedInTransaction } = factsOf(command);
  return refusedInTransaction === undefined ? refusal(command) : `ERR ${name} ${refusedInTransaction}`;
}

/** Whether a command is `WAIT`, which counts the replicas that have the writes of the connection it arrives on. */
export const isWait = (command: Command): boolean => factsOf(command).countsOwnWrites === true;

/** Whether a command asks who waits, so that the gateway answers it without Redis. */
export const isForRoom = (command: Command): boolean => factsOf(command).isForRoom === true;

/** The declared number of a command's keys; `undefined` if it declares none. */
export function keyCountOf(command: Command): number | undefined {
  const { key } = factsOf(command);
  if (typeof key !== "object") return undefined;
  const count = Number(command[key.counted]?.toString());
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function counted(command: Command, at: number): string | Buffer | undefined {
  return Number(command[at]?.toString()) > 0 ? command[at + 1] : undefined;
}

function afterStreams(command: Command): string | Buffer | undefined {
  const at = command.findIndex((part, index) => index > 0 && part.toString().toUpperCase() === "STREAMS");
  return at === -1 ? undefined : command[at + 1];
}

/**
 * The first key of a command; `undefined` if it has none. A mistake here costs only a redirection, since Redis says
 * where a key is.
 */
export function keyOf(command: Command): string | Buffer | undefined {
  const { key } = factsOf(command);
  if (key === "none") return undefined;
  if (key === "after STREAMS") return afterStreams(command);
  return typeof key === "number" ? command[key] : counted(command, key.counted);
}

/** The labels of one script by those of the commands that run it, computed once, since every request needs them. */
type Labels = Readonly<Record<string, string>>;

const labelsOf = (name: string): Labels =>
  Object.fromEntries(["eval", "eval_ro", "evalsha", "evalsha_ro"].map((label) => [label, `${label} ${name}`]));

const LABELS: ReadonlyMap<string, Labels> = new Map(
  OWN_SCRIPTS.flatMap(([name, , ...shas]) => {
    const labels = labelsOf(name);
    return shas.map((sha) => [sha, labels] as const);
  }),
);
/** The lengths of their texts, so that no other text is hashed. An empty line may precede a text. */
const LENGTHS: ReadonlySet<number> = new Set(OWN_SCRIPTS.flatMap(([, bytes]) => [bytes, bytes + 1]));

function labelsFor(script: "text" | "sha1", text: string | Buffer): Labels | undefined {
  if (script === "text") {
    if (!LENGTHS.has(text.length)) return undefined;
    return LABELS.get(createHash("sha1").update(text).digest("hex"));
  }
  const sha = text.toString();
  return LABELS.get(sha) ?? LABELS.get(sha.toLowerCase());
}

/**
 * The name of a command for people: Redis's name in lower case, with the name of the script if it is leasehold's, as in
 * `evalsha lock-acquire`. The names are a closed set.
 */
export function labelOf(command: Command): string {
  const { label, script } = factsOf(command);
  const source = command[1];
  if (script === undefined || script === "subcommand" || source === undefined) return label;
  return labelsFor(script, source)?.[label] ?? label;
}

/** Whether a command runs one of leasehold's scripts. */
export const isOwnScript = (command: Command): boolean => labelOf(command) !== factsOf(command).label;
