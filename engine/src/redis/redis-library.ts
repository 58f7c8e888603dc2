import { library } from "../lua/arguments.ts";
import { LuaTable } from "../lua/table.ts";
import { fail, LuaError, type LuaFunction, type Machine, NOTHING, type Value } from "../lua/value.ts";
import { single, toLua } from "./lua-replies.ts";
import type { Reply } from "./reply.ts";
import { DIGEST_STEPS, sha1 } from "./sha1.ts";
import { formatScore, SCORE_STEPS } from "./sorted-set-commands.ts";

const CONSTANTS = {
  LOG_DEBUG: 0,
  LOG_VERBOSE: 1,
  LOG_NOTICE: 2,
  LOG_WARNING: 3,
  REPL_ALL: 3,
  REPL_AOF: 1,
  REPL_NONE: 0,
  REPL_REPLICA: 2,
  REPL_SLAVE: 2,
  REDIS_VERSION: "7.0.15",
  REDIS_VERSION_NUM: 0x0007000f,
};

/** The words of a command in a script, or why they are invalid. Numbers keep 17 digits. */
function wordsOf({ budget }: Machine, args: readonly Value[]): string[] | string {
  if (args.length === 0) return "ERR Please specify at least one argument for this redis lib call";
  const words: string[] = [];
  for (const arg of args) {
    if (typeof arg === "string") words.push(arg);
    else if (typeof arg === "number") {
      if (!Number.isSafeInteger(arg)) budget.spend(SCORE_STEPS);
      words.push(Number.isNaN(arg) ? "-nan" : formatScore(arg));
    } else return "ERR Lua redis lib command arguments must be strings or integers";
  }
  return words;
}

function raise({ line }: Machine, message: string): never {
  throw new LuaError(message, line);
}

/** A message as an error of a script: its first word is the code if it begins with `-` or has several words. */
const coded = (text: string): string => {
  const message = text.replace(/^-/, "");
  return message.includes(" ") ? message : `ERR ${message}`;
};

/** The library `redis` of scripts. `run` runs a command; errors are replies. */
export function redisLibrary(machine: Machine, run: (words: string[]) => Reply): LuaTable {
  const ask = (args: readonly Value[]): Value => {
    const words = wordsOf(machine, args);
    return typeof words === "string" ? single("err", words) : toLua(run(words), machine);
  };
  const field =
    (name: "ok" | "err", text: (value: string) => string): (() => LuaFunction) =>
    () =>
    (args) => {
      const [value] = args;
      if (args.length !== 1 || typeof value !== "string") return single("err", "ERR wrong number or type of arguments");
      machine.budget.read(value.length);
      return single(name, text(value));
    };
  const table = library(machine, {
    pcall: () => ask,
    call: () => (args) => {
      const value = ask(args);
      if (value instanceof LuaTable && value.get("err") !== undefined) throw new LuaError(value, machine.line);
      return value;
    },
    error_reply: field("err", coded),
    status_reply: field("ok", (text) => text),
    sha1hex: (read) => (args) => {
      if (args.length !== 1) return raise(machine, "wrong number of arguments");
      const text = read.string(args, 0);
      machine.budget.spend(DIGEST_STEPS);
      machine.budget.read(text.length);
      machine.budget.allot(text.length);
      return sha1(text);
    },
    log: () => () => NOTHING,
    setresp: (read) => (args) => (read.number(args, 0) === 2 ? NOTHING : fail(machine, "RESP version must be 2 or 3.")),
    replicate_commands: () => () => true,
    set_repl: () => () => NOTHING,
    breakpoint: () => () => false,
    debug: () => () => NOTHING,
  });
  for (const [name, value] of Object.entries(CONSTANTS)) table.set(name, value);
  return table;
}
