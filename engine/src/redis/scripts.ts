import { type Budget, OutOfBudget } from "../budget.ts";
import { isOwn } from "../holding/own-scripts.ts";
import { textOf } from "../lua/base-library.ts";
import { createInterpreter } from "../lua/interpreter.ts";
import { SyntaxFailure } from "../lua/lexer.ts";
import { Recent } from "../lua/recent.ts";
import { LuaTable } from "../lua/table.ts";
import { LuaError, type LuaFunction, type Machine } from "../lua/value.ts";
import { oneLine, toReply } from "./lua-replies.ts";
import { toInteger } from "./numbers.ts";
import { redisLibrary } from "./redis-library.ts";
import { ErrorReply, OK, type Reply, refuse } from "./reply.ts";
import { DIGEST_STEPS, sha1 } from "./sha1.ts";

/** The accepted first lines of scripts: `redis` refuses the flag that Upstash supports. */
export type Dialect = "upstash" | "redis";

/** The context of a running script. */
export interface Running {
  readonly isReadOnly: boolean;
  readonly allowsFullMemory: boolean;
  /** Whether it has called a writing command. */
  wrote: boolean;
}

/** A compiled script. */
interface Script {
  readonly sha: string;
  readonly run: LuaFunction;
  /** The flags of the first line; undefined without such a line. */
  readonly flags: ReadonlySet<string> | undefined;
}

export interface Scripts {
  /** EVAL, or EVALSHA for `bySha`. */
  eval(args: readonly string[], bySha: boolean, readOnly: boolean, budget: Budget): Reply;
  /** SCRIPT LOAD, EXISTS and FLUSH. */
  manage(args: readonly string[], budget: Budget): Reply;
}

const NO_SCRIPT = "NOSCRIPT No matching script. Please use EVAL.";
const SHA_LENGTH = 40;
const UPSTASH_FLAG = "allow-key-locking";
const FLAGS: ReadonlySet<string> = new Set([
  "no-writes",
  "allow-oom",
  "allow-stale",
  "no-cluster",
  "allow-cross-slot-keys",
]);

/** Reads `#!lua flags=…`. */
function firstLine(text: string, dialect: Dialect): { body: string; flags: ReadonlySet<string> | undefined } {
  if (!text.startsWith("#!")) return { body: text, flags: undefined };
  const end = text.indexOf("\n");
  if (end === -1) refuse("ERR Invalid script shebang");
  const [engine = "", ...options] = text
    .slice(0, end)
    .split(" ")
    .filter((part) => part !== "");
  if (engine !== "#!lua") refuse(`ERR Unexpected engine in script shebang: ${engine}`);
  const flags = new Set<string>();
  for (const option of options) {
    if (!option.startsWith("flags=")) refuse(`ERR Unknown lua shebang option: ${option}`);
    for (const flag of option
      .slice(6)
      .split(",")
      .filter((name) => name !== "")) {
      if (!FLAGS.has(flag) && !(dialect === "upstash" && flag === UPSTASH_FLAG))
        refuse(`ERR Unexpected flag in script shebang: ${flag}`);
      flags.add(flag);
    }
  }
  // The flag only changes what Upstash locks.
  const isPlain = flags.delete(UPSTASH_FLAG) && flags.size === 0;
  return { body: text.slice(end), flags: isPlain ? undefined : flags };
}

/**
 * The maximum number of kept scripts of callers, and of their characters. A compiled script needs about 15 bytes of
 * memory for each character, or 100 if it is written to need many. One that was forgotten gets NOSCRIPT, as after SCRIPT
 * FLUSH.
 */
const ROOM = { count: 500, weight: 200_000 };

/** Why a script may not begin, if there is a reason. */
export type Check = (flags: ReadonlySet<string>) => string | undefined;

function failureOf(machine: Machine, { value, line }: LuaError, sha: string): ErrorReply {
  const error = value instanceof LuaTable ? value.get("err") : `ERR ${textOf(machine, value)}`;
  const message = typeof error === "string" ? error : "ERR unknown error";
  return new ErrorReply(oneLine(`${message} script: ${sha}, on @user_script:${line}.`));
}

/** SCRIPT LOAD, EXISTS and FLUSH. */
function manage([subcommand = "", ...args]: readonly string[], cache: ScriptCache, budget: Budget): Reply {
  const wrong = (name: string): never => refuse(`ERR wrong number of arguments for 'script|${name}' command`);
  switch (subcommand.toUpperCase()) {
    case "LOAD":
      if (args.length !== 1) wrong("load");
      return cache.keep(args[0] as string, budget).sha;
    case "EXISTS":
      return args.length > 0 ? args.map((sha) => Number(cache.find(sha) !== undefined)) : wrong("exists");
    case "FLUSH":
      if (args.length > 1 || (args[0] !== undefined && !/^a?sync$/i.test(args[0])))
        refuse("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
      cache.flush();
      return OK;
    default:
      return refuse(
        `ERR unknown subcommand '${(subcommand.split("\0", 1)[0] as string).slice(0, 128)}'. Try SCRIPT HELP.`,
      );
  }
}

type RunCommand = (words: string[], by: Running) => Reply;

/**
 * Compiled scripts and the interpreter that runs them. Several engines can share them, since scripts run synchronously.
 * It keeps leasehold's own scripts, and those of callers that were used last.
 */
export interface ScriptCache {
  /**
   * Compiles a script unless it is known.
   *
   * @throws ErrorReply for an invalid script
   * @throws OutOfBudget
   */
  load(text: string, budget: Budget): Script;
  /** Like `load`. @throws ErrorReply also for a script that is too large to be kept */
  keep(text: string, budget: Budget): Script;
  find(sha: string): Script | undefined;
  flush(): void;
  /** Runs a script. @param command runs a command for it; errors are replies */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    command: RunCommand,
    by: Running,
    budget: Budget,
  ): Reply;
}

/** Makes a cache for engines of this dialect. */
export function createScriptCache(dialect: Dialect): ScriptCache {
  const own = new Map<string, Script>();
  const others = new Recent<Script>(ROOM);
  const find = (sha: string): Script | undefined => own.get(sha) ?? others.get(sha);
  /**
   * The implementation of `redis.call` for the running script. The library is made once for all scripts; only one runs
   * at a time, since a script ends before another begins.
   */
  let runCommand: ((words: string[]) => Reply) | undefined;
  const lua = createInterpreter((machine) => ({
    redis: redisLibrary(machine, (words) => (runCommand ?? refuse("ERR no script is running"))(words)),
  }));

  const cache: ScriptCache = {
    load(text, budget) {
      budget.spend(DIGEST_STEPS);
      budget.read(text.length);
      const sha = sha1(text);
      const before = find(sha);
      if (before) return before;
      const { body, flags } = firstLine(text, dialect);
      try {
        const script = { sha, run: lua.load(body, budget), flags };
        if (isOwn(sha)) own.set(sha, script);
        else others.add(sha, script, text.length);
        return script;
      } catch (error) {
        if (error instanceof SyntaxFailure)
          refuse(`ERR Error compiling script (new function): ${oneLine(error.message)}`);
        throw error;
      }
    },
    keep(text, budget) {
      if (text.length > ROOM.weight / 2) refuse("ERR the script is too large to be kept: use EVAL");
      return cache.load(text, budget);
    },
    find: (sha) => find(sha.toLowerCase()),
    flush() {
      own.clear();
      others.clear();
    },
    run(script, keys, args, command, by, budget) {
      const variables = { KEYS: LuaTable.of([...keys]), ARGV: LuaTable.of([...args]) };
      runCommand = (words) => command(words, by);
      try {
        return toReply(lua.run(script.run, variables, budget), budget);
      } catch (error) {
        if (error instanceof LuaError) return failureOf(lua.machine, error, script.sha);
        if (error instanceof OutOfBudget)
          return new ErrorReply(`ERR the script ${error.message} script: ${script.sha}`);
        throw error;
      } finally {
        runCommand = undefined;
      }
    },
  };
  return cache;
}

/**
 * Makes a cache with a list of known scripts of its own, over the compiled scripts of another cache. So a new engine
 * answers NOSCRIPT, as a new server does, and yet compiles no script that the other cache has.
 */
export function createKnownScripts(compiled: ScriptCache): ScriptCache {
  const known = new Set<string>();
  const noted = (script: Script): Script => {
    known.add(script.sha);
    return script;
  };
  return {
    load: (text, budget) => noted(compiled.load(text, budget)),
    keep: (text, budget) => noted(compiled.keep(text, budget)),
    find: (sha) => (known.has(sha.toLowerCase()) ? compiled.find(sha) : undefined),
    flush: () => known.clear(),
    run: compiled.run,
  };
}

/** @param run runs a command for a script; errors are replies */
export function createScripts(cache: ScriptCache, run: RunCommand, check: Check): Scripts {
  return {
    eval(args, bySha, readOnly, budget) {
      const [text = "", count = "", ...rest] = args;
      if (bySha && text.length !== SHA_LENGTH) refuse(NO_SCRIPT);
      const keys = toInteger(count);
      if (keys > rest.length) refuse("ERR Number of keys can't be greater than number of args");
      if (keys < 0) refuse("ERR Number of keys can't be negative");
      const script = bySha ? cache.find(text) : cache.load(text, budget);
      if (!script) return refuse(NO_SCRIPT);
      const { flags } = script;
      const reason = flags && check(flags);
      if (reason) refuse(reason);
      const by: Running = {
        isReadOnly: readOnly || flags?.has("no-writes") === true,
        allowsFullMemory: flags !== undefined,
        wrote: false,
      };
      return cache.run(script, rest.slice(0, keys), rest.slice(keys), run, by, budget);
    },
    manage: (args, budget) => manage(args, cache, budget),
  };
}
