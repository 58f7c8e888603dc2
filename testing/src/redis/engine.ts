import { at, type Command, type Commands, type Host, type Run } from "./command.ts";
import { hashCommands } from "./hash-commands.ts";
import { keyCommands } from "./key-commands.ts";
import { createKeyspace, type Keyspace } from "./keyspace.ts";
import { listCommands } from "./list-commands.ts";
import { toInteger } from "./numbers.ts";
import { ErrorReply, QUEUED_ERROR, type Reply, refuse, Status } from "./reply.ts";
import { createScripts, type Dialect, type Running } from "./scripts.ts";
import { setCommands } from "./set-commands.ts";
import { sortedSetCommands } from "./sorted-set-commands.ts";
import { stringCommands } from "./string-commands.ts";

export interface EngineOptions {
  readonly dialect: Dialect;
  /** The server's clock, in ms since 1970. Fractions count in the reply to TIME. */
  readonly now: () => number;
  /** Uniform in [0, 1): for commands that pick a member. */
  readonly random: () => number;
}

/** A small Redis. Words have one character for each byte. */
export interface Engine {
  readonly keys: Keyspace;
  /** Whether commands that could take more memory are refused, as with `maxmemory`. */
  isFull: boolean;
  /** Whether commands that write are refused, as on a replica. */
  isReadOnly: boolean;
  run(words: readonly string[]): Reply;
  /** MULTI and EXEC. */
  transact(commands: readonly (readonly string[])[]): readonly Reply[] | ErrorReply;
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

/** A text up to its first NUL, where a text of C ends. */
const asC = (text: string): string => text.split("\0", 1)[0] as string;

const notHere: Run = () => refuse("ERR no scripts");

/** All commands. Those that run scripts get what they do from the engine. */
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

function unknown([name = "", ...args]: readonly string[]): string {
  let told = "";
  for (const arg of args) {
    if (told.length >= 128) break;
    told += `'${asC(arg).slice(0, 128 - told.length)}' `;
  }
  return `ERR unknown command '${asC(name).slice(0, 128)}', with args beginning with: ${told}`.replace(/[\r\n]/g, " ");
}

export function createEngine({ dialect, now, random }: EngineOptions): Engine {
  const keys = createKeyspace();
  const host: Host = { keys, now, random };
  const scripts = createScripts(dialect, runInScript, (flags) => {
    if (engine.isFull && !flags.has("allow-oom") && !flags.has("no-writes")) return SCRIPT_OUT_OF_MEMORY;
    return engine.isReadOnly && !flags.has("no-writes") ? READ_ONLY : undefined;
  });
  const evaluating =
    (bySha: boolean, readOnly: boolean): Run =>
    (_, args) =>
      scripts.eval(args, bySha, readOnly);
  const scripting: Readonly<Record<string, Run>> = {
    eval: evaluating(false, false),
    evalsha: evaluating(true, false),
    eval_ro: evaluating(false, true),
    evalsha_ro: evaluating(true, true),
    script: (_, args) => scripts.manage(args),
  };
  const table = new Map(
    Object.entries(commandTable).map(([name, [arity, flags, run]]): [string, Command] => [
      name,
      [arity, flags, scripting[name] ?? run],
    ]),
  );
  const find = (words: readonly string[]): Command | undefined => {
    const name = at(words, 0);
    return table.get(name) ?? table.get(name.toLowerCase());
  };
  const fits = ([arity]: Command, words: readonly string[]): boolean =>
    arity > 0 ? words.length === arity : words.length >= -arity;

  /** The reason why a command is not begun, if there is one. */
  function refusalOf(words: readonly string[]): string | undefined {
    const command = find(words);
    if (!command) return unknown(words);
    if (!fits(command, words)) return `ERR wrong number of arguments for '${at(words, 0).toLowerCase()}' command`;
    const [, flags] = command;
    if (engine.isFull && flags.includes("m")) return OUT_OF_MEMORY;
    return engine.isReadOnly && flags.includes("w") ? READ_ONLY : undefined;
  }

  function runInScript(words: readonly string[], by: Running): Reply {
    const command = find(words);
    if (!command) return new ErrorReply("ERR Unknown Redis command called from script");
    const [, flags] = command;
    if (!fits(command, words)) return new ErrorReply("ERR Wrong number of args calling Redis command from script");
    if (flags.includes("s")) return new ErrorReply("ERR This Redis command is not allowed from script");
    const writes = flags.includes("w");
    if (writes && by.isReadOnly) return new ErrorReply("ERR Write commands are not allowed from read-only scripts.");
    if (writes && engine.isReadOnly) return new ErrorReply(READ_ONLY);
    if (engine.isFull && flags.includes("m") && !by.allowsFullMemory && !by.wrote) return new ErrorReply(OUT_OF_MEMORY);
    by.wrote ||= writes;
    return apply(command, words);
  }

  function apply([, , run]: Command, words: readonly string[]): Reply {
    try {
      return run(host, words.slice(1));
    } catch (error) {
      if (error instanceof ErrorReply) return error;
      throw error;
    }
  }

  const engine: Engine = {
    keys,
    isFull: false,
    isReadOnly: false,
    run(words) {
      keys.at = Math.floor(now());
      const reason = refusalOf(words);
      return reason === undefined ? apply(find(words) as Command, words) : new ErrorReply(reason);
    },
    transact(commands) {
      keys.at = Math.floor(now());
      // With a full memory Redis queues nothing at all.
      if (engine.isFull || commands.some((words) => refusalOf(words) !== undefined))
        return new ErrorReply(QUEUED_ERROR);
      return commands.map((words) => apply(find(words) as Command, words));
    },
  };
  return engine;
}
