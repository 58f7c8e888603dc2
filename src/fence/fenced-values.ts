import { offsetOf } from "../redis/clock.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { runScript } from "../redis/run.ts";
import { fenceRead, fenceWrite } from "../redis/scripts.gen.ts";
import { type Target, targetOf } from "../redis/target.ts";
import { bytesOf } from "../shared/bytes.ts";
import { checkOptions, type Duration, isWellFormed, toTtl } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { inCall, kindOf } from "../shared/misuse.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** Options of `redisFence`. */
export interface RedisFenceOptions {
  /**
   * How long a name's highest token is remembered after its last write, in ms or like `"30d"`; at least 60 s. After
   * that, a stale write is no longer refused. Default 30 days.
   */
  readonly ttl?: Duration | undefined;
}

/** Replies that all operations share. */
type Refused =
  | { readonly status: "stale"; readonly seen: number }
  | { readonly status: "forgotten"; readonly seen: number };

/** The first arguments of every operation: its id, the token, the fence's `ttl` in ms, and when it began, in µs. */
type Head = readonly [id: string, token: number, ttlMs: number, began: number];

/** A Redis fence without `call`, for callers that only keep values, since each script adds to a bundle. */
interface FencedValues {
  /**
   * Retries until it is known whether the operation ran. The server refuses an operation as `forgotten` if it might
   * have run it and no longer remember, or if its start is ahead of the server's clock. An operation that cannot have
   * run is retried under the same ID: a late duplicate of the refused request may be accepted once the clock has caught
   * up, and must not run twice.
   */
  operate<Reply extends { readonly status: string }>(
    lease: Fenced,
    ask: (target: Target, head: Head, doubt: Doubt) => Promise<Reply | Refused>,
  ): Promise<Exclude<Reply, Refused>>;
  claim(lease: Fenced): Promise<void>;
  write(lease: Fenced, value: string): Promise<void>;
  read(name: string): Promise<{ readonly token: number; readonly value: string } | null>;
}

const MAX_BYTES = 256 * 1024;
/** Clocks report whole milliseconds, so the estimate of the server's time may be ahead by that much. */
const CLOCK_STEP_MS = 1;
const MAX_ROUNDS = 10;
/** Operations are remembered for this time; otherwise a command whose answer was lost could run twice. */
const MIN_TTL_MS = 60_000;

function toValue(value: string): string {
  if (!isWellFormed(value))
    throw new TypeError(`fence.write: value must be a well-formed string, not ${kindOf(value)}`);
  const { length } = bytesOf(value);
  if (length > MAX_BYTES)
    throw new RangeError(`fence.write: value has ${length} bytes: at most ${MAX_BYTES} are stored`);
  return value;
}

/** @throws TypeError or RangeError for an invalid connection or option. */
export function fencedValues(source: ConnectionSource, options: RedisFenceOptions): FencedValues {
  const [connection, ttlMs] = inCall("redisFence", () => {
    checkOptions(options, "ttl lease>ttl");
    return [connectionOf(source), toTtl(options.ttl ?? "30d", MIN_TTL_MS)];
  });

  function fenceOf(name: string): Target {
    const target = targetOf(connection, "fence", [name]);
    return { ...target, keys: [`${target.keys[0]}%fence`] };
  }

  async function operate<Reply extends { readonly status: string }>(
    fenced: Fenced,
    ask: (target: Target, head: Head, doubt: Doubt) => Promise<Reply | Refused>,
  ): Promise<Exclude<Reply, Refused>> {
    const lease = toFenced(fenced);
    const target = fenceOf(lease.name);
    const id = randomId();
    for (let round = 1; ; round++) {
      const doubt = new Doubt();
      const nowMs = connection.clock.now() + offsetOf(connection.state.offsets, target.keys[0] as string);
      const began = Math.floor((nowMs - CLOCK_STEP_MS) * 1000);
      const reply = await ask(target, [id, lease.token, ttlMs, began], doubt);
      const { seen = 0 } = reply as { seen?: number };
      if (reply.status === "stale" || (reply.status === "forgotten" && !doubt.isOpen() && seen > lease.token)) {
        target.emit?.({ type: "stale", token: lease.token, seen });
        throw new StaleTokenError(lease, seen);
      }
      if (reply.status !== "forgotten") return reply as Exclude<Reply, Refused>;
      if (doubt.isOpen()) throw new OutcomeUnknownError(lease.name, "the operation may have run", undefined, "write");
      if (round === MAX_ROUNDS)
        throw new LeaseholdError("redis_error", `too many writes at once under "${lease.name}"`);
    }
  }

  async function write(lease: Fenced, value: string, operation: string): Promise<void> {
    await operate(lease, (target, head, doubt) =>
      runScript(target, fenceWrite, [...head, value], { operation, doubt }),
    );
  }

  return {
    operate,
    claim: (lease) => write(lease, "", "claim"),
    write: async (lease, value) => write(lease, `=${toValue(value)}`, "write"),
    async read(name) {
      const { token, value } = await runScript(fenceOf(name), fenceRead, [], { operation: "read" });
      return token === 0 ? null : { token, value: value.slice(1) };
    },
  };
}
