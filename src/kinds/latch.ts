import type { AcquireOptions } from "../engine/acquire-options.ts";
import { exponentialBackoff } from "../engine/backoff.ts";
import { openPlace, withCrowd } from "../engine/place.ts";
import { LEAST_POLL_MS, poll } from "../engine/poll.ts";
import { forceRecord } from "../engine/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { type Call, type Ran, runScript } from "../redis/run.ts";
import { crowdForce } from "../redis/scripts/crowd-force.gen.ts";
import { latchDown } from "../redis/scripts/latch-down.gen.ts";
import { latchSet } from "../redis/scripts/latch-set.gen.ts";
import { type RecordInspectReply, recordInspect } from "../redis/scripts/record-inspect.gen.ts";
import { checkOptions, type Duration, toCount, toMs, toText, toTtl } from "../shared/checks.ts";
import { hash, randomId } from "../shared/crypto.ts";
import { LeaseholdError } from "../shared/errors.ts";

export interface LatchOptions {
  /** How long it is remembered after it was last set or counted down, at zero too. Waiters should look more often. Default 7 days. */
  readonly ttl?: Duration | undefined;
  /** Puts the keys of all names of the group into one slot of a cluster; part of the latch's name. */
  readonly group?: string | undefined;
}

/** `wait` 0 looks once. The default `backoff` is `exponentialBackoff()`: from 50 ms to 2 s. */
export type LatchWaitOptions = Pick<AcquireOptions, "wait" | "maxPolls" | "backoff" | "signal">;

export interface LatchState {
  /** `free`: it was never set, or is forgotten; `counting`: above zero; `open`: at zero. */
  readonly state: "free" | "counting" | "open";
  /** Rises each time it is set. Of a free one: the last number given, 0 when none is remembered. */
  readonly generation: number;
  /** What is left to be counted down. */
  readonly count: number;
  /** What it was set to. */
  readonly of: number;
  /** Milliseconds that it is still remembered. */
  readonly remaining: number;
}

/** Waits until something was counted down to zero; then it can be set again, which begins another generation. */
export interface Latch {
  readonly name: string;
  /** Sets what is to be counted down, from 1, if nothing is: it was not set yet, or has reached zero. False: it was left as it is. */
  trySetCount(count: number): Promise<boolean>;
  /**
   * Counts down by one and gives what is left. A `party` is counted once per generation, however often it calls; without one every
   * call counts. Without a `generation`, from `inspect`, the present one is asked for first, one more request, so that a late
   * copy never counts in the next. 0 when there is nothing to count down: not set, at zero already, or a `generation`
   * that is over, having reached zero.
   *
   * @throws LeaseholdError `state_lost` when that generation is gone and nobody knows whether it reached zero; nothing was counted.
   */
  countDown(party?: string, options?: { readonly generation?: number | undefined }): Promise<number>;
  /** What is left to be counted down; 0 also when it was never set. */
  count(): Promise<number>;
  /**
   * Polls until zero is reached; a latch that was not set yet, or is forgotten, is waited for until it is. True at once when it is at
   * zero already. False: not in time; `inspect` says whether a count was set. Who polls seldom misses nothing: a generation that came after
   * the one that was seen says that that one reached zero.
   *
   * @throws LeaseholdError `state_lost` when the latch that was seen is gone (forced, forgotten, its data lost); the signal's reason.
   */
  wait(options?: LatchWaitOptions): Promise<boolean>;
  /** How it was when the server looked. */
  inspect(): Promise<LatchState>;
  /** Removes it; who waits learns `state_lost`. True when there was one. */
  forceRelease(): Promise<boolean>;
}

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * A count-down latch. A request is at most 6 commands, however many parties there are.
 *
 * @throws TypeError or RangeError for a name or an option that cannot be.
 */
export function latch(connection: ConnectionSource, name: string, options: LatchOptions = {}): Latch {
  const record = openPlace(connection, "latch", name, options, "ttl group");
  const place = withCrowd(record);
  const ttlMs = toTtl(options.ttl ?? "7d");
  const { retentionMs } = place.connection;

  // The parties need no counting.
  const ask = (call: Call): Promise<Ran<RecordInspectReply>> => runScript(record, recordInspect, [place.kind], call);
  function decode(reply: Ran<RecordInspectReply>): LatchState & { readonly origin: number } {
    const { status, token: generation } = reply;
    const [body, remaining] = status === "live" ? [reply.body, reply.remaining / 1000] : ["", 0];
    // A chain that nobody has seen, when there is none.
    const [count = 0, of = 0, origin = 1 / 0] = body ? body.slice(1).split(" ").map(Number) : [];
    const state = !body ? "free" : count > 0 ? "counting" : "open";
    return { state, generation, count, of, remaining, origin };
  }
  const look = async (operation: string) => decode(await ask({ operation }));
  const stateLost = () => new LeaseholdError("state_lost", `"${name}" is not the latch that it was`);

  return {
    name,
    async trySetCount(count) {
      const args = [randomId(), toCount(count, "count", 1, MOST), ttlMs, retentionMs] as const;
      return (await runScript(place, latchSet, args, { operation: "trySetCount" })).status === "set";
    },
    async countDown(party, given = {}) {
      checkOptions(given, "generation");
      const { generation } = given;
      const operation = "countDown";
      const id = party === undefined ? randomId() : await hash(toText(party, "party"));
      const seen = generation === undefined ? await look(operation) : undefined;
      if (seen?.count === 0) return 0;
      const meant = seen?.generation ?? toCount(generation, "generation", 1, MOST);
      const answer = await runScript(place, latchDown, [id, meant, ttlMs, retentionMs], { operation });
      if (answer.status === "lost") throw stateLost();
      return answer.left;
    },
    count: async () => (await look("count")).count,
    async wait(given = {}) {
      checkOptions(given, "wait maxPolls backoff signal timeout>wait");
      const { wait = 10_000, maxPolls, backoff = exponentialBackoff(), signal } = given;
      const waitMs = toMs(wait, "wait", 0);
      let seen: number | undefined;
      let reached = false;
      const blockedBy = (reply: Ran<RecordInspectReply>) => {
        const { state, generation, remaining, origin } = decode(reply);
        if (seen !== undefined && origin > seen) throw stateLost();
        // Nobody has said yet what is to be counted: that is not zero.
        const set = state !== "free";
        if (set) seen ??= generation;
        reached = state === "open" || (seen !== undefined && generation > seen);
        return reached ? undefined : { remainingMs: set ? remaining : waitMs, ageMs: 0, tenureMs: 0, queueMs: 0 };
      };
      await poll(
        place,
        { waitMs, maxPolls: toCount(maxPolls, "maxPolls"), backoff, blockedBy },
        { operation: "wait", budgetMs: Math.max(waitMs, LEAST_POLL_MS), signal },
        (_, call) => ask(call),
      );
      return reached;
    },
    async inspect() {
      const { origin: _, ...state } = await look("inspect");
      return state;
    },
    forceRelease: () => forceRecord(place, crowdForce),
  };
}
