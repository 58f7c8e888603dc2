import type { AcquireOptions } from "../lease/acquire-options.ts";
import { type Backoff, defaultBackoff, exponentialBackoff } from "../lease/backoff.ts";
import { type Contesting, contend, MIN_POLL_MS } from "../lease/contest.ts";
import { bodyOf, forceRecord } from "../lease/record.ts";
import type { Call, Ran } from "../redis/call.ts";
import { type ConnectionSource, startPatience } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import {
  crowdForce,
  type LatchWaitReply,
  latchDown,
  latchSet,
  latchWait,
  type RecordInspectReply,
  recordInspect,
} from "../redis/scripts.gen.ts";
import { callOf, channelsOf, type Target, toTarget, withCrowd } from "../redis/target.ts";
import { checkOptions, type Duration, toCount, toFunction, toMs, toSignal, toTtl } from "../shared/checks.ts";
import { hash, randomId } from "../shared/crypto.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { refuseMissing, toIdentity } from "../shared/identity.ts";
import { inCall } from "../shared/misuse.ts";

/** Options of a {@link latch}. */
export interface LatchOptions {
  /**
   * How long the latch is remembered after it was last set or counted down, also at zero. Waiters must poll more often
   * than that. Default 7 days.
   */
  readonly ttl?: Duration | undefined;
}

/**
 * `wait`: default 10 s; 0 polls once. `backoff`: default `exponentialBackoff()`, from 50 ms to 2 s; a waiter that a
 * message will wake polls every 4 to 5 s.
 */
export type LatchWaitOptions = Pick<AcquireOptions, "wait" | "maxPolls" | "backoff" | "signal">;

/** What `inspect` of a latch returns. */
export interface LatchState {
  /** `free`: never set, or forgotten; `counting`: above zero; `open`: at zero. */
  readonly state: "free" | "counting" | "open";
  /**
   * The generation, which rises whenever the latch is set. For a free latch, the last one, or 0 if none is remembered.
   */
  readonly generation: number;
  /** The count that is left. */
  readonly count: number;
  /** The count that the latch was set to. */
  readonly of: number;
  /** Milliseconds until the latch is forgotten. */
  readonly remaining: number;
}

/** A count; clients wait until it is zero. At zero it can be set again, which begins another generation. */
export interface Latch {
  readonly name: string;
  /**
   * Sets the count, at least 1, if the latch was never set or has reached zero. Returns false if the latch was left
   * unchanged.
   */
  trySetCount(count: number): Promise<boolean>;
  /**
   * Counts down by one and returns the count that is left. A `party` counts once per generation, however often it
   * calls; without a party, every call counts. Without a `generation` (from `inspect`), one more request reads the
   * current one first, so that a late duplicate never counts in the next generation. The result is 0 if there is
   * nothing to count down: the latch was never set, or it or the given generation has reached zero.
   *
   * @throws LeaseholdError `state_lost` if the generation is no longer remembered, so it is unknown whether it reached
   * zero; nothing was counted.
   */
  countDown(party?: string, options?: { readonly generation?: number | undefined }): Promise<number>;
  /** Returns the count that is left; 0 also if the latch was never set. */
  count(): Promise<number>;
  /**
   * Waits until the count is zero, also if the latch is not set yet. Returns true at zero, immediately if it already
   * was. Returns false if that did not happen in time; `inspect` then shows whether a count was set. A server that
   * holds requests answers at zero; other servers are polled. Rare polls miss nothing: a later generation proves that
   * the previous one reached zero.
   *
   * @throws LeaseholdError `state_lost` if the generation is no longer remembered (released by force, forgotten, data
   * lost); the signal's reason.
   */
  wait(options?: LatchWaitOptions): Promise<boolean>;
  /** Reads the state on the server. */
  inspect(): Promise<LatchState>;
  /** Removes the latch; its waiters get a `state_lost` error. Returns true if there was one. */
  forceRelease(): Promise<boolean>;
}

const MOST = 2 ** 53 - 1;
/** The maximum number of requests of one operation in an outage. */
const MAX_REQUESTS = 8;

const unwoken = exponentialBackoff();
/** The count of a latch says nothing about when it is zero, so polls become rare; rarer still if a message wakes. */
const latchBackoff: Backoff = (info) => (info.isListed ? defaultBackoff(info) : unwoken(info));

/** Decodes the record of a latch. */
function decode(reply: Ran<RecordInspectReply>): LatchState {
  const { token: generation } = reply;
  const body = reply.status === "live" ? bodyOf(reply) : "";
  if (reply.status !== "live" || body === "") return { state: "free", generation, count: 0, of: 0, remaining: 0 };
  const [count = 0, of = 0] = body.split(" ").map(Number);
  return { state: count > 0 ? "counting" : "open", generation, count, of, remaining: reply.remaining / 1000 };
}

/** Waits until the latch has reached zero, or the time is up. */
async function waitForZero(target: Target, options: LatchWaitOptions, stateLost: () => Error): Promise<boolean> {
  const { waitMs, maxPolls, backoff, signal } = inCall(
    () => `${callOf(target)}.wait`,
    () => {
      checkOptions(options, "wait maxPolls backoff signal timeout>wait");
      return {
        waitMs: toMs(options.wait ?? 10_000, "wait", 0),
        maxPolls: toCount(options.maxPolls, "maxPolls"),
        backoff: toFunction(options.backoff ?? latchBackoff, "backoff"),
        signal: toSignal(options.signal),
      };
    },
  );
  const id = randomId();
  // The first generation that was seen, 0 for none.
  let seen = 0;
  const blockedBy = (reply: Ran<LatchWaitReply>) => {
    if (reply.status === "lost") throw stateLost();
    if (reply.status === "open") return undefined;
    seen = reply.generation;
    // Without a generation, the latch is not set.
    return {
      remainingMs: seen > 0 ? reply.remaining / 1000 : waitMs,
      tenureMs: 0,
      queueMs: 0,
      isListed: reply.listed === 1,
    };
  };
  const { status } = await contend<LatchWaitReply, Contesting<LatchWaitReply>>({
    target,
    operation: "wait",
    terms: { waitMs, maxPolls, backoff, blockedBy, signal, leaseMs: Number.POSITIVE_INFINITY, waitUntil: undefined },
    channels: channelsOf(target),
    ask: ({ listensMs }, call) =>
      runScript(target, latchWait, [id, seen, target.connection.retentionMs, listensMs], { ...call, doubt: undefined }),
    // Waiting changes nothing on the server.
    close: undefined,
    askingMs: MIN_POLL_MS,
  });
  return status === "open";
}

/**
 * Makes a count-down latch: clients wait until a count reaches zero. A request runs at most 6 commands in Redis,
 * however many parties there are. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const parts = latch(connection, "parts of upload 17");
 * await parts.trySetCount(2);
 * await parts.countDown("part 1");
 * await parts.countDown("part 2");
 * if (await parts.wait({ wait: "10s" })) await build();
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function latch(connection: ConnectionSource, name: string, options: LatchOptions = {}): Latch {
  const record = toTarget(connection, "latch", name, options, "ttl");
  inCall("latch", () => refuseMissing(name, "name"));
  const target = withCrowd(record);
  const inLatch = <T>(member: string, check: () => T): T => inCall(() => `${callOf(target)}${member}`, check);
  const ttlMs = inLatch("", () => toTtl(options.ttl ?? "7d"));
  const { retentionMs } = target.connection;

  // Reading the count and waiting need only the record, not the parties.
  const look = async (call: Call) => decode(await runScript(record, recordInspect, [target.kind], call));
  const stateLost = () => new LeaseholdError("state_lost", `the generation of "${name}" is no longer on the server`);

  return {
    name,
    async trySetCount(count) {
      const checked = inLatch(".trySetCount", () => toCount(count, "count", 1, MOST));
      const args = [randomId(), checked, ttlMs, retentionMs] as const;
      return (await runScript(target, latchSet, args, { operation: "trySetCount" })).status === "set";
    },
    async countDown(party, options = {}) {
      const { generation } = options;
      inLatch(".countDown", () => {
        checkOptions(options, "generation");
        if (party !== undefined) toIdentity(party, "party");
        if (generation !== undefined) toCount(generation, "generation", 1, MOST);
      });
      // Both requests share the time and the tries of one operation.
      const leftMs = startPatience(target.connection);
      const request = { operation: "countDown", tries: { made: 0, max: MAX_REQUESTS } };
      const id = party === undefined ? randomId() : await hash(party);
      const seen = generation === undefined ? await look(request) : undefined;
      if (seen?.count === 0) return 0;
      const counted = seen?.generation ?? (generation as number);
      const rest = { ...request, budgetMs: leftMs() };
      const answer = await runScript(target, latchDown, [id, counted, ttlMs, retentionMs], rest);
      if (answer.status === "lost") throw stateLost();
      return answer.left;
    },
    count: async () => (await look({ operation: "count" })).count,
    wait: (options = {}) => waitForZero(record, options, stateLost),
    inspect: () => look({ operation: "inspect" }),
    forceRelease: () => forceRecord(target, undefined, crowdForce),
  };
}
