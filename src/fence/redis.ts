import { placeOf } from "../engine/place.ts";
import { offsetOf } from "../redis/clock.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { type Place, runScript } from "../redis/run.ts";
import { fenceCall } from "../redis/scripts/fence-call.gen.ts";
import { fenceRead } from "../redis/scripts/fence-read.gen.ts";
import { fenceWrite } from "../redis/scripts/fence-write.gen.ts";
import { checkOptions, type Duration, isWellFormed, toText, toTtl } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

export interface RedisFenceOptions {
  /** How long a name's highest token is remembered after its last write. A write that comes later than that is no longer refused. Default 30 d. */
  readonly ttl?: Duration | undefined;
  /** The lock's, if it has one. */
  readonly group?: string | undefined;
}

/** A reply of Redis as JSON has it: nil is null, and a status is its text. */
export type RedisReply = string | number | null | RedisReply[];

/** Redis as the protected resource. Every call is one request and one script, and works once however often it arrives. */
export interface RedisFence {
  /** Raises the token of `lease.name`. @throws StaleTokenError when a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /**
   * Keeps a value of at most 256 kB next to the token, in place of the last.
   *
   * @throws StaleTokenError when a higher token was seen: the value there is untouched.
   */
  write(lease: Fenced, value: string): Promise<void>;
  /** The highest token and the value written last, `""` when there was none; null for a name not seen yet, or forgotten. */
  read(name: string): Promise<{ readonly token: number; readonly value: string } | null>;
  /**
   * Runs one command on one key, such as `call(lease, "HSET", "invoice:42", "paid", 1)`, and raises the token, unless a higher one was
   * seen; gives Redis's reply. The command's first argument must be its only key. On a cluster the key must be in the slot of the
   * lock: `{name}` (or `{group}`) in it, else Redis answers CROSSSLOT.
   *
   * @throws StaleTokenError when a higher token was seen; LeaseholdError `redis_error` when Redis refused the command. In both cases
   * nothing was written. OutcomeUnknownError when no answer came, or when it ran and its reply of more than 255 bytes was lost.
   */
  call(lease: Fenced, command: string, key: string, ...args: readonly (string | number)[]): Promise<RedisReply>;
}

/** Replies that are the same for all operations. */
type Refused =
  | { readonly status: "stale"; readonly seen: number }
  | { readonly status: "forgotten"; readonly seen: number };

const MOST_BYTES = 256 * 1024;
/** Lua's stack ends near 8 000. */
const MOST_ARGS = 4000;
/** Clocks tell whole milliseconds, so that what is known of the server's may be ahead of it by so much. */
const CLOCK_STEP_MS = 1;
const MOST_ROUNDS = 10;
/** As long as operations are remembered: a fence that is gone sooner runs a command again whose answer was lost. */
const LEAST_TTL_MS = 60_000;

function toValue(value: string): string {
  if (!isWellFormed(value)) throw new TypeError("value must be well-formed text");
  const { length } = new TextEncoder().encode(value);
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
 * @throws TypeError or RangeError for what is no connection, or an option that cannot be.
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
   * Asks until it is known whether the operation ran; what the server may have forgotten, and never ran, begins anew. Under the same id:
   * a copy of what was refused because our clock was ahead is no longer refused when the server's has caught up.
   */
  async function operate<Reply extends { readonly status: string }>(
    lease: Fenced,
    { keys: [key = ""] }: Place,
    ask: (id: string, began: number, doubt: { open: boolean }) => Promise<Reply | Refused>,
  ): Promise<Exclude<Reply, Refused>> {
    const { clock, state } = connection;
    const id = randomId();
    for (let round = 1; ; round++) {
      const doubt = { open: false };
      const began = Math.floor((clock.now() - CLOCK_STEP_MS + offsetOf(state.offsets, key)) * 1000);
      const reply = await ask(id, began, doubt).catch((error: unknown) => {
        // That the last attempt was refused says nothing of one that went unanswered.
        if (!doubt.open || !(error instanceof LeaseholdError) || error instanceof OutcomeUnknownError) throw error;
        throw new OutcomeUnknownError(lease.name, error.message);
      });
      const { seen = 0 } = reply as { seen?: number };
      if (reply.status === "stale") throw new StaleTokenError(lease, seen);
      if (reply.status !== "forgotten") return reply as Exclude<Reply, Refused>;
      if (!doubt.open && seen > lease.token) throw new StaleTokenError(lease, seen);
      if (doubt.open || round === MOST_ROUNDS) {
        throw doubt.open
          ? new OutcomeUnknownError(lease.name, "it may have run, among many others")
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
      if (reply.reply === "=") throw new OutcomeUnknownError(lease.name, "it ran, and its reply is lost");
      return JSON.parse(reply.reply.slice(1)) as RedisReply;
    },
  };
}
