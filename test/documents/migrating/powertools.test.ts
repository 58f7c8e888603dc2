/** The rows of the guide's table on Powertools: each as a program under both libraries. */
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { CachePersistenceLayer } from "@aws-lambda-powertools/idempotency/cache";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { nodeRedis } from "../../../src/tcp/node-redis.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";
import { textOf } from "../markdown.ts";

type Call = (event: { readonly id: string; readonly cents: number }) => Promise<string>;

const stack = useStack();
const [, section = ""] = textOf("docs/migrating.md").split("## From Powertools' idempotency\n");
let cache: ReturnType<typeof createClient>;
let locks: Locks;

beforeAll(async () => {
  cache = createClient({ url: stack.redis.url });
  cache.on("error", () => {});
  await cache.connect();
  locks = createLocks({ redis: nodeRedis(cache as never) });
});
afterAll(() => cache.destroy());

/** A function that runs once for each ID, by Powertools. Its Lambda has `leftMs` left. */
function theirs(work: () => Promise<string>, config: object = {}, leftMs = 60_000): Call {
  const settings = new IdempotencyConfig({ eventKeyJmesPath: "id", ...config });
  settings.registerLambdaContext({ getRemainingTimeInMillis: () => leftMs } as never);
  const persistenceStore = new CachePersistenceLayer({ client: cache as never });
  return makeIdempotent(async (_: { id: string; cents: number }) => work(), {
    persistenceStore,
    config: settings,
    keyPrefix: freshName(),
  }) as Call;
}

it("every row that a program can show is in the table (54.4)", () => {
  for (const code of [
    "`payloadValidationJmesPath` and `IdempotencyValidationError` | `fingerprint` and the status `mismatch`",
    "`expiresAfterSeconds` (1 h) | `ttl` (24 h)",
    "`IdempotencyAlreadyInProgressError` | the status `running`",
    "a crashed attempt blocks until the Lambda's deadline | it blocks until its lease expires",
  ])
    expect(section).toContain(`| ${code}`);
});

it("the same key with another payload is refused by both (54.4)", async () => {
  const call = theirs(async () => "charged", { payloadValidationJmesPath: "cents" });
  expect(await call({ id: "1", cents: 100 })).toBe("charged");
  await expect(call({ id: "1", cents: 200 })).rejects.toMatchObject({ name: "IdempotencyValidationError" });
  const name = freshName();
  const pay = (cents: number) => locks.once(name, { fingerprint: `${cents}` }).run(async () => "charged");
  expect(await pay(100)).toMatchObject({ status: "done", result: "charged" });
  expect(await pay(200)).toMatchObject({ status: "mismatch" });
});

it("a call during the run is refused by both (54.4)", async () => {
  let finish = (): void => {};
  const slow = () =>
    new Promise<string>((resolve) => {
      finish = () => resolve("charged");
    });
  const call = theirs(slow);
  const first = call({ id: "1", cents: 100 });
  await pause(100);
  const second = await call({ id: "1", cents: 100 }).catch((error) => error);
  expect([second.name, second.cause?.name]).toContain("IdempotencyAlreadyInProgressError");
  finish();
  expect(await first).toBe("charged");

  const once = locks.once(freshName());
  const running = once.run(slow);
  await pause(100);
  expect(await once.run(slow)).toMatchObject({ status: "running" });
  finish();
  expect(await running).toMatchObject({ status: "done", result: "charged" });
});

it("a result is forgotten after its time by both, and the work runs again (54.4)", async () => {
  let runs = 0;
  const work = async (): Promise<string> => `run ${++runs}`;
  const call = theirs(work, { expiresAfterSeconds: 1 });
  expect(await call({ id: "1", cents: 100 })).toBe("run 1");
  const once = locks.once(freshName(), { ttl: "1s" });
  expect(await once.run(work)).toMatchObject({ result: "run 2" });
  // Powertools counts in whole seconds.
  await pause(2_100);
  expect(await call({ id: "1", cents: 100 })).toBe("run 3");
  expect(await once.run(work)).toMatchObject({ result: "run 4" });
});

it("a crashed attempt blocks until the Lambda's deadline, here until its lease expires (54.4)", async () => {
  let isCrashing = true;
  const work = async (): Promise<string> => (isCrashing ? new Promise<string>(() => {}) : "charged");
  const call = theirs(work, {}, 3_000);
  void call({ id: "1", cents: 100 });
  const once = locks.once(freshName(), { lease: "3s" });
  expect((await once.begin()).status).toBe("started");
  await pause(100);
  isCrashing = false;
  const early = await call({ id: "1", cents: 100 }).catch((error) => error);
  expect([early.name, early.cause?.name]).toContain("IdempotencyAlreadyInProgressError");
  expect(await once.run(work)).toMatchObject({ status: "running" });
  await pause(3_500);
  expect(await call({ id: "1", cents: 100 })).toBe("charged");
  expect(await once.run(work)).toMatchObject({ status: "done", result: "charged" });
});
