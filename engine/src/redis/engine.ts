import { Budget, type Limits, OutOfBudget } from "../budget.ts";
import { CommandFailure } from "../lua/value.ts";
import { at, type Command, type Commands, type Run } from "./command.ts";
import { hashCommands } from "./hash-commands.ts";
import type { Journal } from "./journal.ts";
import { keyCommands } from "./key-commands.ts";
import { createKeyspace, type Keyspace } from "./keyspace.ts";
import { listCommands } from "./list-commands.ts";
import { toInteger } from "./numbers.ts";
import { ErrorReply, QUEUED_ERROR, type Reply, refuse, Status } from "./reply.ts";
import {
  createScriptCache,
  createScripts,
  type Dialect,
  type Running,
  type ScriptCache,
  type Scripts,
} from "./scripts.ts";
import { setCommands } from "./set-commands.ts";
import { sortedSetCommands } from "./sorted-set-commands.ts";
import { stringCommands } from "./string-commands.ts";
import type { StoredKey } from "./values.ts";

/**
 * An additional command: its arity as in Redis (the number of words, including the name, negative for a minimum); its
 * flags (`w` for a writing command, `s` for one that scripts may not call); and a function of the words after its name,
 * and of the budget that counts its work. It may throw an {@link ErrorReply}.
 */
export type ExtraCommand = readonly [
  arity: number,
  flags: string,
  run: (args: readonly string[], budget: Budget) => Reply,
];

export interface EngineOptions extends Limits {
  /** The accepted first lines of scripts: `"redis"` refuses the flag `allow-key-locking`, which Upstash supports. */
  readonly dialect: Dialect;
  /** The server's clock, in ms since 1970. Fractions count in the reply to TIME. */
  readonly now: () => number;
  /** Uniform in [0, 1), for commands that pick a member. */
  readonly random: () => number;
  /** More commands, by their names in lower case. None by default. */
  readonly commands?: Readonly<Record<string, ExtraCommand>>;
  /** Sends a message to the subscribers of a channel, and returns their number. By default there are none. */
  readonly publish?: (channel: string, message: string, budget: Budget) => number;
  /**
   * Called with each command before it runs, including those that a script calls, and with the budget of its request.
   * A refused command is not reported.
   */
  readonly onCommand?: (words: readonly string[], isFromScript: boolean, budget: Budget) => void;
  /** The initial keys. None by default. */
  readonly stored?: Iterable<StoredKey>;
  /** Records the changes of each request. None by default. */
  readonly journal?: Journal;
  /** Compiled scripts, shared by engines of the same dialect. By default its own. */
  readonly scripts?: ScriptCache;
}

/** The properties of a command. */
export interface CommandInfo {
  readonly name: string;
  readonly arity: number;
  /** By their Redis names: `write`, `readonly`, `denyoom`, `noscript`. */
  readonly flags: readonly string[];
}

/** A small Redis without a protocol. Words and the strings of replies have one character for each byte. */
export interface Engine {
  /** Every command that it has. */
  readonly commands: readonly CommandInfo[];
  /** All stored data. */
  readonly keys: Keyspace;
  /** Whether commands that may use more memory are refused, as with `maxmemory`. */
  isFull: boolean;
  /** Whether writing commands are refused, as on a replica. */
  isReadOnly: boolean;
  /** What one request may use, as the options say. Commands that are run with the same budget share it. */
  budget(): Budget;
  /**
   * Runs one command: its name, then its arguments. An error is a reply.
   *
   * @param budget what the command may use. Beyond it, the command ends with an error; a script's earlier writes stay.
   *   By default a budget of its own
   */
  run(words: readonly string[], budget?: Budget): Reply;
  /** The error of a command that would be rejected before it runs, such as an unknown one; undefined for others. */
  refusal(words: readonly string[]): ErrorReply | undefined;
  /** Runs commands as one transaction: returns their replies, or the error of a transaction with a refused command. */
  transact(commands: readonly (readonly string[])[], budget?: Budget): readonly Reply[] | ErrorReply;
}

const OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";
const SCRIPT_OUT_OF_MEMORY =
  "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'";
const READ_ONLY = "READONLY You can't write against a read only replica.";

/** Commands that concern the server. */
const serverCommands: Commands = {
  ping: [
    -1,
    "",
    (_, args) => {
      if (args.length > 1) refuse("ERR wrong number of arguments for 'ping' command");
      return args[0] ?? new Status("PONG");
    },
  ],
  echo: [2, "", (_, [text = ""]) => text],
  publish: [3, "", ({ publish, budget }, [channel = "", message = ""]) => publish(channel, message, budget)],
  time: [
    1,
    "",
    ({ now }) => {
      const micros = Math.round(now() * 1000);
      return [String(Math.floor(micros / 1e6)), String(micros % 1e6)];
    },
  ],
  // There is no replica.
  wait: [
    3,
    "s",
    (_, args) => {
      toInteger(at(args, 0));
      const timeout = toInteger(at(args, 1), "ERR timeout is not an integer or out of range");
      if (timeout < 0) refuse("ERR timeout is negative");
      return 0;
    },
  ],
};

/** A text up to its first NUL, where a C string ends. */
const asC = (text: string): string => text.split("\0", 1)[0] as string;

/** A placeholder for commands that run scripts: each engine has its own, see `scriptingOf`. */
const notHere: Run = () => refuse("ERR no scripts");

/** All commands, with their arity and flags. */
export const commandTable: Commands = {
  ...stringCommands,
  ...keyCommands,
  ...hashCommands,
  ...listCommands,
  ...setCommands,
  ...sortedSetCommands,
  ...serverCommands,
  eval: [-3, "s", notHere],
  evalsha: [-3, "s", notHere],
  eval_ro: [-3, "s", notHere],
  evalsha_ro: [-3, "s", notHere],
  script: [-2, "s", notHere],
};

/** Commands that neither read nor write keys. */
const KEYLESS: ReadonlySet<string> = new Set([...Object.keys(serverCommands), "eval", "evalsha", "script"]);

const FLAGS: readonly (readonly [letter: string, name: string])[] = [
  ["w", "write"],
  ["m", "denyoom"],
  ["s", "noscript"],
];

function infoOf(name: string, [arity, letters]: Command, isExtra: boolean): CommandInfo {
  const flags = FLAGS.filter(([letter]) => letters.includes(letter)).map(([, flag]) => flag);
  const isReading = !isExtra && !KEYLESS.has(name) && !letters.includes("w");
  return { name, arity, flags: isReading ? ["readonly", ...flags] : flags };
}

function unknown([name = "", ...args]: readonly string[]): string {
  let message = "";
  for (const arg of args) {
    if (message.length >= 128) break;
    message += `'${asC(arg).slice(0, 128 - message.length)}' `;
  }
  return `ERR unknown command '${asC(name).slice(0, 128)}', with args beginning with: ${message}`.replace(
    /[\r\n]/g,
    " ",
  );
}

const fits = ([arity]: Command, words: readonly string[]): boolean =>
  arity > 0 ? words.length === arity : words.length >= -arity;

/** All commands by their names, with those that run scripts and those that the engine does not have. */
function tableOf(
  scripting: Readonly<Record<string, Run>>,
  extra: Readonly<Record<string, ExtraCommand>>,
): ReadonlyMap<string, Command> {
  const table = new Map<string, Command>();
  for (const [name, [arity, flags, run]] of Object.entries(commandTable))
    table.set(name, [arity, flags, scripting[name] ?? run]);
  for (const [name, [arity, flags, run]] of Object.entries(extra))
    table.set(name, [arity, flags, ({ budget }, args) => run(args, budget)]);
  return table;
}

/** The implementation of the commands that run scripts. */
function scriptingOf(scripts: Scripts): Readonly<Record<string, Run>> {
  const evaluating =
    (bySha: boolean, readOnly: boolean): Run =>
    ({ budget }, args) =>
      scripts.eval(args, bySha, readOnly, budget);
  return {
    eval: evaluating(false, false),
    evalsha: evaluating(true, false),
    eval_ro: evaluating(false, true),
    evalsha_ro: evaluating(true, true),
    script: ({ budget }, args) => scripts.manage(args, budget),
  };
}

type Mode = Pick<Engine, "isFull" | "isReadOnly">;

/** Why a command may not run, if there is a reason. */
function reasonAgainst(
  command: Command | undefined,
  words: readonly string[],
  { isFull, isReadOnly }: Mode,
): string | undefined {
  if (!command) return unknown(words);
  if (!fits(command, words)) return `ERR wrong number of arguments for '${at(words, 0).toLowerCase()}' command`;
  const [, flags] = command;
  if (isFull && flags.includes("m")) return OUT_OF_MEMORY;
  return isReadOnly && flags.includes("w") ? READ_ONLY : undefined;
}

/** Why a script may not call a command, if there is a reason. */
function reasonInScript(
  command: Command,
  words: readonly string[],
  by: Running,
  { isFull, isReadOnly }: Mode,
): string | undefined {
  const [, flags] = command;
  if (!fits(command, words)) return "ERR Wrong number of args calling Redis command from script";
  if (flags.includes("s")) return "ERR This Redis command is not allowed from script";
  const writes = flags.includes("w");
  if (writes && by.isReadOnly) return "ERR Write commands are not allowed from read-only scripts.";
  if (writes && isReadOnly) return READ_ONLY;
  return isFull && flags.includes("m") && !by.allowsFullMemory && !by.wrote ? OUT_OF_MEMORY : undefined;
}

/** The time of a command besides that of its words, and of an error. */
const COMMAND_STEPS = 3;
const ERROR_STEPS = 50;
/** The memory of a word that a command stores, besides its characters. */
const WORD_BYTES = 100;
/** The memory of an item of a reply. */
const ITEM_BYTES = 16;

/** Made once, since the rest of a long pipeline gets them. */
const OUT_OF_BUDGET = {
  "many steps": new ErrorReply("ERR the command takes too many steps"),
  "much memory": new ErrorReply("ERR the command takes too much memory"),
};

/** Counts what every command costs. A script can make its words; those of a request are limited by its server. */
function countCommand([, flags]: Command, words: readonly string[], isFromScript: boolean, budget: Budget): void {
  let length = 0;
  for (const word of words) length += word.length;
  budget.spend(COMMAND_STEPS + words.length);
  budget.copy(length);
  if (isFromScript && flags.includes("w")) budget.allot(length + words.length * WORD_BYTES);
}

/** Counts the texts of a reply, which a server copies when it sends them. Its lists are counted as they are made. */
function countReply(reply: Reply, budget: Budget): void {
  if (typeof reply === "string") budget.text(reply.length);
  else if (Array.isArray(reply)) {
    budget.allot(reply.length * ITEM_BYTES);
    for (const item of reply) countReply(item, budget);
  }
}

/** Makes an empty engine. It need not be closed. */
export function createEngine(options: EngineOptions): Engine {
  const { dialect, now, random, commands: extra = {}, onCommand, stored, journal, publish = () => 0 } = options;
  const keys = createKeyspace(stored, journal);
  const host = { keys, now, random, publish, budget: new Budget(options) };
  const scripts = createScripts(options.scripts ?? createScriptCache(dialect), runInScript, (flags) => {
    if (engine.isFull && !flags.has("allow-oom") && !flags.has("no-writes")) return SCRIPT_OUT_OF_MEMORY;
    return engine.isReadOnly && !flags.has("no-writes") ? READ_ONLY : undefined;
  });
  const table = tableOf(scriptingOf(scripts), extra);
  const longestName = Math.max(...[...table.keys()].map(({ length }) => length));
  const find = (words: readonly string[]): Command | undefined => {
    const name = at(words, 0);
    return name.length > longestName ? undefined : (table.get(name) ?? table.get(name.toLowerCase()));
  };

  function refusal(words: readonly string[]): ErrorReply | undefined {
    const reason = reasonAgainst(find(words), words, engine);
    return reason === undefined ? undefined : new ErrorReply(reason);
  }

  function runInScript(words: readonly string[], by: Running): Reply {
    const command = find(words);
    if (!command) return inScript("ERR Unknown Redis command called from script");
    const reason = reasonInScript(command, words, by, engine);
    if (reason !== undefined) return inScript(reason);
    by.wrote ||= command[1].includes("w");
    return apply(command, words, true);
  }

  function inScript(message: string): ErrorReply {
    host.budget.spend(ERROR_STEPS);
    return new ErrorReply(message);
  }

  function apply(command: Command, words: readonly string[], isFromScript: boolean): Reply {
    const { budget } = host;
    countCommand(command, words, isFromScript, budget);
    onCommand?.(words, isFromScript, budget);
    try {
      return command[2](host, words.slice(1));
    } catch (error) {
      // Scripts can catch what Lua's own functions throw at the end of the stack, but not this.
      if (!(error instanceof ErrorReply)) throw error instanceof RangeError ? new CommandFailure(error) : error;
      budget.spend(ERROR_STEPS);
      return error;
    }
  }

  /** Runs a command of a request, unless it is refused or nothing is left of the budget. */
  function perform(words: readonly string[]): Reply {
    const { budget } = host;
    try {
      budget.spend(1);
      const refused = refusal(words);
      if (refused !== undefined) {
        budget.charge(ERROR_STEPS);
        return refused;
      }
      const command = find(words) as Command;
      const reply = apply(command, words, false);
      // What a writing command has removed is only in its reply.
      if (!command[1].includes("w")) countReply(reply, budget);
      return reply;
    } catch (error) {
      if (error instanceof OutOfBudget) return OUT_OF_BUDGET[error.used];
      throw error;
    }
  }

  const engine: Engine = {
    commands: [...table].map(([name, command]) => infoOf(name, command, Object.hasOwn(extra, name))),
    keys,
    isFull: false,
    isReadOnly: false,
    budget: () => new Budget(options),
    run(words, budget = engine.budget()) {
      keys.at = Math.floor(now());
      host.budget = budget;
      return perform(words);
    },
    refusal,
    transact(commands, budget = engine.budget()) {
      keys.at = Math.floor(now());
      host.budget = budget;
      // With full memory, Redis queues nothing.
      if (engine.isFull || commands.some((words) => refusal(words) !== undefined)) return new ErrorReply(QUEUED_ERROR);
      return commands.map(perform);
    },
  };
  return engine;
}
