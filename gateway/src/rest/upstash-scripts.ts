import { createHash } from "node:crypto";
import type { Command, Reply } from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";

/**
 * The maximum number of remembered scripts, so that callers who generate scripts do not fill the memory. The least
 * recently used is forgotten.
 */
const MAX_KNOWN = 1_000;

const SHEBANG = /^#!lua[^\n]*/;
const SHA1 = /[\da-f]{40}/;
const FLAGS = /\sflags=(\S*)/;
const UPSTASH_FLAG = "allow-key-locking";

/** Adapts commands for Upstash's Redis to other servers. */
export interface Scripts {
  /**
   * Adapts a command with a script that begins with `#!lua flags=allow-key-locking`; other commands are unchanged.
   * Redis refuses an unknown flag, and this one only promises that the script uses only its `KEYS`. So the flag is
   * removed. If the caller uses the SHA-1 of its own text, it is replaced with the SHA-1 of the text without the flag.
   */
  adapt(command: Command): Command;
  /**
   * Restores the caller's SHA-1 in the replies to adapted commands, in which Redis reports that of the text without the
   * flag.
   */
  restore(commands: readonly Command[], replies: readonly Reply[]): readonly Reply[];
}

/** The script without the flag; `undefined` if it has none. A first line without any other flag is left empty. */
function withoutFlag(script: string): string | undefined {
  const [line = ""] = SHEBANG.exec(script) ?? [];
  const flags = FLAGS.exec(line)?.[1]?.split(",") ?? [];
  if (!flags.includes(UPSTASH_FLAG)) return undefined;
  const others = flags.filter((flag) => flag !== UPSTASH_FLAG);
  const rest = others.length === 0 ? "" : line.replace(FLAGS, ` flags=${others.join(",")}`);
  return rest + script.slice(line.length);
}

const sha1 = (bytes: string | Buffer): string => createHash("sha1").update(bytes).digest("hex");

/** The SHA-1 of each adapted text by the SHA-1 of the caller's text. */
class KnownScripts {
  readonly #known = new Map<string, string>();

  learn(from: string, to: string): void {
    this.#known.delete(from);
    this.#known.set(from, to);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  textFor(script: string | Buffer): string | Buffer {
    // One character for each byte, since a script may have bytes that are not UTF-8.
    const plain = withoutFlag(typeof script === "string" ? script : script.toString("latin1"));
    if (plain === undefined) return script;
    const fit = typeof script === "string" ? plain : Buffer.from(plain, "latin1");
    this.learn(sha1(script), sha1(fit));
    return fit;
  }

  shaFor(sha: string | Buffer): string | Buffer {
    if (this.#known.size === 0) return sha;
    const from = sha.toString().toLowerCase();
    const to = this.#known.get(from);
    if (to === undefined) return sha;
    this.learn(from, to);
    return to;
  }
}

export function createScripts(): Scripts {
  const known = new KnownScripts();
  const loads = new WeakMap<Command, string>();

  function adaptScript(subcommand: string, args: readonly (string | Buffer)[]): readonly (string | Buffer)[] {
    if (subcommand === "LOAD") return args.map((text) => known.textFor(text));
    return subcommand === "EXISTS" ? args.map((sha) => known.shaFor(sha)) : args;
  }

  function shaSent(command: Command | undefined, reply: Reply): Reply {
    const sha = command === undefined ? undefined : loads.get(command);
    // Both have the same length, so this works for raw bytes of RESP2 as well.
    return sha !== undefined && Buffer.isBuffer(reply) ? Buffer.from(reply.toString().replace(SHA1, sha)) : reply;
  }

  function adaptLoad(command: Command): Command {
    const [name, first = "", ...rest] = command;
    const adapted: Command = [name, first, ...adaptScript(first.toString().toUpperCase(), rest)];
    const [script] = rest;
    if (script !== undefined && adapted[2] !== script) loads.set(adapted, sha1(script));
    return adapted;
  }

  return {
    adapt(command) {
      const { script } = factsOf(command);
      if (script === undefined) return command;
      const [name, first] = command;
      if (first === undefined) return command;
      if (script === "subcommand") return adaptLoad(command);
      const fit = script === "sha1" ? known.shaFor(first) : known.textFor(first);
      return fit === first ? command : [name, fit, ...command.slice(2)];
    },
    restore(commands, replies) {
      if (!commands.some((command) => loads.has(command))) return replies;
      return replies.map((reply, at) => shaSent(commands[at], reply));
    },
  };
}
