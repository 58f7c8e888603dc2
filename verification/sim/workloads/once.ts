import { lastRun, type Run, runCron } from "../../../src/cron/index.ts";
import { dedupe, github } from "../../../src/http/index.ts";
import type { Worker } from "../worker.ts";
import { FAILED, OURS, SLACK_MS } from "./lock.ts";

/** Work of random length, which sometimes fails. */
async function work({ random, sleep }: Worker): Promise<string> {
  await sleep(random.pick([0, 20, 300, 3000]));
  if (random.chance(0.15)) throw FAILED;
  return "done";
}

/** Each key is used for several rounds, so that many callers meet. */
const keyOf = ({ random }: Worker, round: number): string => `k${Math.floor(round / 4) + random.below(2)}`;
const rounds = new WeakMap<Worker, number>();
function nextRound(worker: Worker): number {
  const round = (rounds.get(worker) ?? 0) + 1;
  rounds.set(worker, round);
  return round;
}

export async function onceRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const key = keyOf(worker, nextRound(worker));
  const lease = random.pick([300, 2000, 8000]);
  const once = locks.once(key, { ttl: "10m", lease });
  if (random.chance(0.5)) {
    const { value: turn, op } = await worker.call(`begins ${key}`, mostMs, () => once.begin());
    if (turn?.status !== "started") return worker.sleep(random.pick([10, 500]));
    worker.believe(op, turn.lease, [worker.keyOf(key)]);
    await worker.sleep(random.pick([0, 20, 300, 3000]));
    worker.history.disbelieve(op);
    // While the server answers that it is busy, a result is retried until the lease ends.
    const busyMs = Math.max(0, turn.lease.remaining);
    if (random.chance(0.8))
      await worker.call("completes", busyMs + mostMs, () => turn.complete("done"), { expected: OURS, of: op });
    else await worker.call("fails", mostMs, () => turn.fail(), { of: op });
    worker.finish(op);
  } else {
    const wait = random.pick([0, 1000, 10_000]);
    const max = wait + lease + 3 * mostMs + 4000;
    const options = { expected: OURS, isComposite: true };
    await worker.call(`runs ${key}`, max, () => once.run(wait ? { wait } : {}, () => work(worker)), options);
  }
  await worker.sleep(random.pick([0, 10, 500, 2000]));
}

/** Deliveries of a webhook, some of them several times concurrently. */
export async function httpRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const key = keyOf(worker, nextRound(worker));
  const signed = { verify: () => true };
  const handler = dedupe(
    { locks, key: github(signed), ttl: "10m", lease: "2s" },
    async () => new Response(await work(worker)),
  );
  const headers = { "x-github-delivery": key, "x-hub-signature-256": "signed", "content-type": "application/json" };
  const request = new Request("https://hooks.invalid/github", { method: "POST", headers, body: "{}" });
  await worker.call(
    `delivers ${key}`,
    3 * (plan.requestTimeoutMs + SLACK_MS) + 4000,
    async () => (await handler(request)).status,
    { expected: OURS, isComposite: true },
  );
  await worker.sleep(random.pick([0, 10, 500, 2000]));
}

/** A job whose slots must run once each and never concurrently. Some work extends its lease, or releases it early. */
export async function cronRound(worker: Worker): Promise<void> {
  const { random, plan, locks, history } = worker;
  const slot = keyOf(worker, nextRound(worker));
  const lease = random.pick([1000, 4000, 60_000]);
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const key = worker.keyOf("cron:job");
  async function does({ lease: held }: Run): Promise<void> {
    const op = history.holdersOf(key).find(({ token }) => token === held.token)?.op;
    if (op) worker.believe(op, held, [key]);
    await work(worker);
    if (random.chance(0.2)) await held.extend().catch(() => {});
    if (random.chance(0.05)) await held.release().catch(() => false);
    if (random.chance(0.2)) await work(worker);
  }
  await worker.call(
    `runs slot ${slot}`,
    // What is done is stored while the server answers that it is busy, until the lease ends.
    6 * mostMs + 10_000 + lease,
    () => runCron({ locks, name: "job", slot, lease }, does),
    { expected: OURS, isComposite: true },
  );
  if (random.chance(0.2)) {
    const read = () => lastRun(locks, "job");
    await worker.call("reads the last run", 2 * mostMs, read, { expected: OURS, isComposite: true });
  }
  if (!plan.isCalm && random.chance(0.03))
    await worker.call("forces the job", mostMs, () => locks.lock("cron:job").forceRelease(), { isComposite: true });
  await worker.sleep(random.pick([0, 10, 500, 2000]));
}
