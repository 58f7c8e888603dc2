import { placeOf } from "../engine/place.ts";
import { offsetOf } from "../redis/clock.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { type Place, runScript } from "../redis/run.ts";
import { fenceCall, fenceRead, fenceWrite } from "../redis/scripts.gen.ts";
import { bytesOf } from "../shared/bytes.ts";
import { checkOptions, type Duration, isWellFormed, toText, toTtl } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

export interface RedisFenceOptions {
  /**
   * How long a name's highest token is remembered after its last write: 60 s at least. A stale write that comes later
   * is no longer refused. Default 30 d.
   */
  readonly ttl?: Duration | undefined;
  /** The lock's group, if it has one. */
  readonly group?: string | undefined;
}

/** A reply of Redis as JSON: nil is null, and a status is its text. */
export type RedisReply = string | number | null | RedisReply[];

/**
 * Redis as the protected resource. Every call is one request and one script, and takes effect once if it is repeated.
 */
export interface RedisFence {
  /** Raises the token of `lease.name` and writes nothing else. @throws StaleTokenError when a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Writes a value of at most 256 kB next to the token, and replaces the last one.
   *
   * @throws StaleTokenError when a higher token was seen; the value is unchanged.
   */
  write(lease: Fenced, value: string): Promise<void>;
  /** Reads the highest token and the last value, `""` when none was written; null for an unknown or forgotten name. */
  read(name: string): Promise<{ readonly token: number; readonly value: string } | null>;
  /**
   * Raises the token and runs one command on one key, such as `call(lease, "HSET", "invoice:42", "paid", 1)`; returns
   * Redis's reply. The command's first argument must be its only key. On a cluster the key must be in the lock's slot,
   * by `{name}` (or `{group}`) in it; else Redis answers CROSSSLOT.
   *
   * @throws StaleTokenError when a higher token was seen; LeaseholdError `redis_error` when Redis refused the command
   * (in both cases nothing was written); OutcomeUnknownError when no answer came, or when the command ran and its reply
   * of more than 255 bytes was lost.
   */
  call(lease: Fenced, command: string, key: string, ...args: readonly (string | number)[]): Promise<RedisReply>;
}

/** Replies that all operations share. */
type Refused =
  | { readonly status: "stale"; readonly seen: number }
  | { readonly status: "forgotten"; readonly seen: number };

const MOST_BYTES = 256 * 1024;
/** Most arguments of one command. Lua's stack holds about 8 000 values. */
const MOST_ARGS = 4000;
/** Clocks tell whole milliseconds, so our estimate of the server's time may be ahead of it by that much. */
const CLOCK_STEP_MS = 1;
const MOST_ROUNDS = 10;
/** Operations are remembered for as long: a fence that ended sooner would run a command again whose answer was lost. */
const LEAST_TTL_MS = 60_000;

function toValue(value: string): string {
  if (!isWellFormed(value)) throw new TypeError("value must be well-formed text");
  const { length } = bytesOf(value);
  if (length > MOST_BYTES) throw new RangeError(`value has ${length} bytes; at most ${MOST_BYTES} are stored`);
  return value;
}

function toCommand(command: string, key: string, args: readonly (string | number)[]): void {
  if (typeof command !== "string" || !/^[a-z]+(\.[a-z]+)?$/i.test(command))
    throw new TypeError("command must be a word");
  if (!isWellFormed(key) || key === "") throw new TypeError("key must be well-formed text");
  if (args.length > MOST_ARGS) throw new RangeError(`a command has at most ${MOST_ARGS} arguments`);
  for (const arg of args) {
    if (!(typeof arg === "number" ? Number.isFinite(arg) : isWellFormed(arg)))
      throw new TypeError("arguments must be text or numbers");
  }
}

/**
 * Fences writes to Redis itself, over the same connection as the locks.
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
  const connection: Connection = connectionOf(source);
  checkOptions(options, "ttl group lease>ttl");
  const ttlMs = toTtl(options.ttl ?? "30d", LEAST_TTL_MS);
  const { group } = options;
  if (group !== undefined) toText(group, "group");

  function fenceOf(name: string): Place {
    const place = placeOf(connection, "fence", [name], group);
    return { ...place, keys: [`${place.keys[0]}%fence`] };
  }

  /**
   * Asks until it is known whether the operation ran. The server refuses as `forgotten` an operation that it might have
   * run and no longer remember, or whose start lies ahead of its clock. One that cannot have run is sent again, under
   * the same id: a late copy of the refused request may be accepted once the clock has caught up, and must not run
   * twice.
   */
  async function operate<Reply extends { readonly status: string }>(
    lease: Fenced,
    { keys: [key = ""], emit }: Place,
    ask: (id: string, began: number, doubt: { open: boolean }) => Promise<Reply | Refused>,
  ): Promise<Exclude<Reply, Refused>> {
    const { clock, state } = connection;
    const id = randomId();
    for (let round = 1; ; round++) {
      const doubt = { open: false };
      const began = Math.floor((clock.now() - CLOCK_STEP_MS + offsetOf(state.offsets, key)) * 1000);
      const reply = await ask(id, began, doubt).catch((error: unknown) => {
        // The refusal of the last attempt says nothing about an earlier one that went unanswered.
        if (!doubt.open || !(error instanceof LeaseholdError) || error instanceof OutcomeUnknownError) throw error;
        throw new OutcomeUnknownError(lease.name, error.message);
      });
      const { seen = 0 } = reply as { seen?: number };
      if (reply.status === "stale" || (reply.status === "forgotten" && !doubt.open && seen > lease.token)) {
        emit?.({ type: "stale", token: lease.token, seen });
        throw new StaleTokenError(lease, seen);
      }
      if (reply.status !== "forgotten") return reply as Exclude<Reply, Refused>;
      if (doubt.open || round === MOST_ROUNDS) {
        throw doubt.open
          ? new OutcomeUnknownError(lease.name, "the operation may have run, among many others")
          : new LeaseholdError("redis_error", `too many writes at once under "${lease.name}"`);
      }
    }
  }

  async function write(given: Fenced, value: string, operation: string): Promise<void> {
    const lease = toFenced(given);
    const place = fenceOf(lease.name);
    await operate(lease, place, (id, began, doubt) =>
      runScript(place, fenceWrite, [id, lease.token, ttlMs, began, value], { operation, doubt }),
    );
  }

  return {
    claim: (lease) => write(lease, "", "claim"),
    write: async (lease, value) => write(lease, `=${toValue(value)}`, "write"),
    async read(name) {
      const { token, value } = await runScript(fenceOf(name), fenceRead, [], { operation: "read" });
      return token === 0 ? null : { token, value: value.slice(1) };
    },
    async call(given, command, key, ...args) {
      const lease = toFenced(given);
      toCommand(command, key, args);
      const place = fenceOf(lease.name);
      if (key === place.keys[0]) throw new TypeError("key is the fence's own");
      const called = { ...place, keys: [...place.keys, key] };
      const reply = await operate(lease, place, (id, began, doubt) =>
        runScript(called, fenceCall, [id, lease.token, ttlMs, began, command, ...args], { operation: "call", doubt }),
      );
      if (reply.status === "failed") throw new LeaseholdError("redis_error", reply.why);
      if (reply.reply === "=") throw new OutcomeUnknownError(lease.name, "the command ran, and its reply is lost");
      return JSON.parse(reply.reply.slice(1)) as RedisReply;
    },
  };
}
