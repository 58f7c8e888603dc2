import type { ConnectionSource } from "../redis/connect.ts";
import { redact } from "../redis/redact.ts";
import { runScript } from "../redis/run.ts";
import { fenceCall } from "../redis/scripts.gen.ts";
import { isWellFormed } from "../shared/checks.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { kindOf, shown } from "../shared/misuse.ts";
import { fencedValues, type RedisFenceOptions } from "./fenced-values.ts";
import type { Fenced } from "./rule.ts";

/** A reply of Redis as JSON: nil is null, and a status is its text. */
export type RedisReply = string | number | null | RedisReply[];

/** Redis as the protected resource. Every call is one request and one script, and a retry takes effect only once. */
export interface RedisFence {
  /** Raises the token of `lease.name` and writes nothing else. @throws StaleTokenError if a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Writes a value of at most 256 kB with the token, and replaces the last one.
   *
   * @throws StaleTokenError if a higher token was seen; the value is then unchanged.
   */
  write(lease: Fenced, value: string): Promise<void>;
  /** Reads the highest token and the last value, `""` if none was written; null for an unknown or forgotten name. */
  read(name: string): Promise<{ readonly token: number; readonly value: string } | null>;
  /**
   * Raises the token and runs one command on one key, such as `call(lease, "HSET", "invoice:42", "paid", 1)`; returns
   * Redis's reply. The command's first argument must be its only key. On a cluster, the key must contain `{name}` (or
   * `{group}`) to be in the lock's slot; otherwise Redis answers CROSSSLOT.
   *
   * @throws StaleTokenError if a higher token was seen; LeaseholdError `redis_error` if Redis refused the command (in
   * both cases nothing was written); OutcomeUnknownError without an answer, or if the command ran and its reply of more
   * than 255 bytes was lost.
   */
  call(lease: Fenced, command: string, key: string, ...args: readonly (string | number)[]): Promise<RedisReply>;
}

/** The maximum arguments of one command. Lua's stack holds about 8 000 values. */
const MAX_ARGS = 4000;

function toCommand(command: string, key: string, args: readonly (string | number)[]): void {
  if (typeof command !== "string" || !/^[a-z]+(\.[a-z]+)?$/i.test(command))
    throw new TypeError(`fence.call: command must be a word such as "HSET", not ${shown(command)}`);
  if (!isWellFormed(key) || key === "")
    throw new TypeError(`fence.call: key must be a well-formed string, not ${shown(key)}`);
  if (args.length > MAX_ARGS)
    throw new RangeError(`fence.call: ${args.length} arguments are too many: at most ${MAX_ARGS}`);
  for (const arg of args) {
    if (!(typeof arg === "number" ? Number.isFinite(arg) : isWellFormed(arg)))
      throw new TypeError(`fence.call: arguments must be strings or numbers, not ${kindOf(arg)}`);
  }
}

/**
 * Fences writes to Redis itself, on the same connection as the locks. For locks of a group, pass the group's view:
 * `redisFence(locks.group("g"))`.
 *
 * @example
 * ```ts
 * const fence = redisFence(locks);
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.call(lease, "HSET", "{invoice 42}:row", "paid", 1);
 *   await fence.write(lease, "paid"); // or one value that is kept with the token
 * });
 * console.log(await fence.read("invoice 42")); // { token, value: "paid" }
 * ```
 *
 * @throws TypeError or RangeError for an invalid connection or option.
 */
export function redisFence(source: ConnectionSource, options: RedisFenceOptions = {}): RedisFence {
  const { operate, ...values } = fencedValues(source, options);
  return {
    ...values,
    async call(lease, command, key, ...args) {
      toCommand(command, key, args);
      const reply = await operate(lease, (target, head, doubt) => {
        if (target.keys.includes(key)) throw new TypeError("fence.call: key is the fence's own: use another");
        const called = { ...target, keys: [...target.keys, key] };
        return runScript(called, fenceCall, [...head, command, ...args], { operation: "call", doubt });
      });
      if (reply.status === "failed")
        throw new LeaseholdError("redis_error", redact(reply.why, [[command, key, ...args]]));
      if (reply.reply === "=")
        throw new OutcomeUnknownError(lease.name, "the command ran, and its reply is lost", undefined, "call");
      return JSON.parse(reply.reply.slice(1)) as RedisReply;
    },
  };
}
