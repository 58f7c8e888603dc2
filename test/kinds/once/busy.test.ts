/** A result that a busy server refuses for now is stored later, in virtual time. */
import { describe, expect, it } from "vitest";
import { createLocks, type LeaseholdEvent, type Once, type Started, singleFlight } from "../../../src/index.ts";
import { createTestRedis } from "../../../testing/src/index.ts";
import { parseRequest } from "../../support/wire.ts";

/** What becomes of a completion, which may carry a result. */
type Answer = (hasResult: boolean) => Response | "pass" | "lost";
const NAME = "invoice:42";
const refusal =
  (status: number, error: string, headers = {}): Answer =>
  () =>
    Response.json({ error }, { status, headers });
const limited = refusal(429, "ERR max requests limit exceeded", { "retry-after": "10" });
const full = refusal(400, "OOM command not allowed when used memory > 'maxmemory'.");
/** Only the result has no room. */
const fullForResults: Answer = (hasResult) => (hasResult ? full(hasResult) : "pass");
const pass: Answer = () => "pass";
const lost: Answer = () => "lost";

/** A server that answers the completions of an attempt in turn like this, the last for all later ones. */
function createScene(...answers: readonly Answer[]) {
  const redis = createTestRedis();
  const { fetch: send, clock, ...options } = redis.options;
  const events: LeaseholdEvent[] = [];
  let completions = 0;
  let isOpen = false;
  const fetch: typeof send = async (...request) => {
    const { script, args } = parseRequest(`${request[1]?.body}`);
    if (!isOpen || script !== "once-complete") return send(...request);
    const answer = answers[Math.min(completions++, answers.length - 1)]?.(args.at(-1) !== "") ?? "pass";
    if (answer instanceof Response) return answer;
    const response = await send(...request);
    if (answer === "lost") throw new TypeError("the connection broke");
    return response;
  };
  const locks = createLocks({ ...options, clock, fetch, requestTimeout: "4s", onEvent: (event) => events.push(event) });
  async function ended<T>(
    call: Promise<T>,
  ): Promise<{ readonly value: T | undefined; error: unknown; tookMs: number }> {
    const start = clock.now();
    let outcome: { value: T | undefined; error: unknown; tookMs: number } | undefined;
    call.then(
      (value) => {
        outcome = { value, error: undefined, tookMs: clock.now() - start };
      },
      (error: unknown) => {
        outcome = { value: undefined, error, tookMs: clock.now() - start };
      },
    );
    while (outcome === undefined) await redis.advance("100ms");
    return outcome;
  }
  /** Lets the server know the scripts; from then on, the answers apply. */
  async function open(): Promise<void> {
    await ended(locks.once("another").run(() => 1));
    isOpen = true;
  }
  return {
    redis,
    locks,
    ended,
    events,
    completions: () => completions,
    open,
    /** Begins an attempt whose completions get the answers. */
    async begin(once: Once): Promise<Started> {
      await open();
      const { value } = await ended(once.begin());
      if (value?.status !== "started") throw new Error(`expected a start, got ${value?.status}`);
      return value;
    },
    /** What another client receives. */
    duplicate: async () => (await ended(createLocks(redis.options).once(NAME).begin())).value,
  };
}

describe("a result that a busy server refuses", () => {
  it.each<[string, ...Answer[]]>([
    ["429 with a Retry-After longer than requestTimeout", limited, pass],
    ["429 twice", limited, limited, pass],
    ["LOADING", refusal(400, "LOADING Redis is loading the dataset in memory"), pass],
    ["MISCONF", refusal(400, "MISCONF Errors writing to the AOF file"), pass],
    ["OOM that passes", full, full, pass],
    ["429, and then a lost answer", limited, lost, pass],
    ["a lost answer, and then 429", lost, limited, pass],
  ])("is stored as soon as the server takes it: %s (B9)", async (_, ...answers) => {
    const { locks, begin, ended, duplicate, events, completions } = createScene(...answers);
    const turn = await begin(locks.once(NAME, { lease: "60s" }));
    const { value } = await ended(turn.complete({ paid: 42 }));
    expect(value).toEqual({ stored: true, result: { paid: 42 } });
    expect(completions()).toBe(answers.length);
    expect(await duplicate()).toMatchObject({ status: "done", stored: true, result: { paid: 42 } });
    expect(events.filter(({ type }) => type === "unstored")).toEqual([]);
  });

  it("reaches the callers of a single flight (B9)", async () => {
    const { redis, locks, ended, open } = createScene(limited, pass);
    await open();
    const waiter = createLocks(redis.options);
    const first = ended(singleFlight(locks, NAME, { ttl: "10m", wait: "30s" }, () => 4200));
    await redis.advance("100ms");
    const second = ended(
      singleFlight(waiter, NAME, { ttl: "10m", wait: "30s" }, (): number => expect.unreachable("it ran twice")),
    );
    expect([(await first).value, (await second).value]).toEqual([4200, 4200]);
  });

  it("is not given up for a mark without it while the attempt lasts, and the error says why then (B9)", async () => {
    const { locks, begin, ended, duplicate, redis } = createScene(limited);
    const turn = await begin(locks.once(NAME, { lease: "35s" }));
    const { error, tookMs } = await ended(turn.complete("result"));
    expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 10_000 });
    expect(tookMs).toBeGreaterThan(10_000);
    expect(tookMs).toBeLessThan(35_000);
    expect(await duplicate()).toMatchObject({ status: "running" });
    await redis.advance("35s");
    expect(await duplicate()).toMatchObject({ status: "started", attempt: 2 });
  });

  it("is an unknown outcome if an earlier attempt to store it had no answer (B9)", async () => {
    const { locks, begin, ended, duplicate } = createScene(lost, limited);
    const turn = await begin(locks.once(NAME, { lease: "20s" }));
    const { error } = await ended(turn.complete("result"));
    expect(error).toMatchObject({ code: "outcome_unknown", operation: "complete", cause: { code: "rate_limited" } });
    expect(await duplicate()).toMatchObject({ status: "done", stored: true, result: "result" });
  });
});

describe("a result that cannot be stored", () => {
  it("is left out within requestTimeout if memory stays full (B9)", async () => {
    const { locks, begin, ended, duplicate, events } = createScene(fullForResults);
    const turn = await begin(locks.once(NAME, { lease: "60s" }));
    const { value, tookMs } = await ended(turn.complete("result"));
    expect(value).toMatchObject({
      stored: false,
      error: { code: "redis_error", message: expect.stringContaining("OOM") },
    });
    expect(tookMs).toBeGreaterThan(500);
    expect(tookMs).toBeLessThanOrEqual(4000);
    expect(events.filter(({ type }) => type === "unstored")).toHaveLength(1);
    expect(await duplicate()).toMatchObject({ status: "done", stored: false });
  });

  it("is left out at once if the server refuses it as too large (B9)", async () => {
    const { locks, begin, ended, duplicate, completions } = createScene(
      refusal(413, "ERR max request size exceeded"),
      pass,
    );
    const turn = await begin(locks.once(NAME, { lease: "60s" }));
    expect((await ended(turn.complete("result"))).value).toMatchObject({ stored: false });
    expect(completions()).toBe(2);
    expect(await duplicate()).toMatchObject({ status: "done", stored: false });
  });

  it("was stored, if the request before the refusal ran: the answer to the mark says so (B9)", async () => {
    const { locks, begin, ended, duplicate, events } = createScene(lost, refusal(400, "ERR not allowed"), pass);
    const turn = await begin(locks.once(NAME, { lease: "60s" }));
    expect((await ended(turn.complete("result"))).value).toEqual({ stored: true, result: "result" });
    expect(await duplicate()).toMatchObject({ status: "done", stored: true, result: "result" });
    expect(events.filter(({ type }) => type === "unstored")).toEqual([]);
  });

  it("stays left out: a later complete does not report that it was stored (B9)", async () => {
    const { locks, begin, ended, duplicate } = createScene(pass);
    const turn = await begin(locks.once(NAME, { lease: "60s" }));
    await ended(turn.complete(new Map() as never));
    expect((await ended(turn.complete("later"))).value).toMatchObject({ stored: false, error: { code: "no_result" } });
    expect(await duplicate()).toMatchObject({ stored: false });
  });
});
