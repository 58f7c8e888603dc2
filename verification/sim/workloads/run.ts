import { turn } from "../../../agents/src/index.ts";
import { list } from "../../../src/list/index.ts";
import { ABORTED, type Worker } from "../worker.ts";
import { FAILED, OURS, SLACK_MS } from "./lock.ts";

/** The number of workers currently running without a lease, by key. */
const leaseless = new WeakMap<object, Map<string, number>>();
function leaselessOf({ world }: Worker): Map<string, number> {
  const counts = leaseless.get(world) ?? new Map<string, number>();
  leaseless.set(world, counts);
  return counts;
}

/** Counts a worker that begins to run without a lease, or that ends. A key without one is not kept. */
function countLeaseless(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Work of random length under a lease or, while Redis is unreachable, without one. */
async function workUnder(worker: Worker, key: string, lease: { readonly token: number } | undefined): Promise<void> {
  const { random, id, history } = worker;
  const counts = leaselessOf(worker);
  if (!lease) countLeaseless(counts, key, 1);
  await worker.sleep(random.pick([0, 20, 300, 2000]));
  const others = (counts.get(key) ?? 0) - (lease ? 0 : 1);
  const isShared = others > 0 || (!lease && history.holdersOf(key).length > 0);
  if (isShared)
    history.report("one holder", `${id} works beside others`, 'Work with `onUnavailable: "run"` has no lease');
  if (!lease) countLeaseless(counts, key, -1);
  if (random.chance(0.1)) throw FAILED;
}

/** `run`, with and without a `waitUntil`. Half of the hosts have clocks that advance only between events. */
export async function runRound(worker: Worker): Promise<void> {
  const { random, plan, locks, history, host } = worker;
  const name = `n${random.below(plan.names)}`;
  const key = worker.keyOf(name);
  const wait = random.pick([0, 500, 4000]);
  const behind = random.chance(0.5) ? [] : undefined;
  const promises: Promise<unknown>[] = behind ?? [];
  const max = wait + 4 * (plan.requestTimeoutMs + SLACK_MS) + 4000;
  const onUnavailable = random.chance(0.5) ? "run" : "refuse";
  const waitUntil = behind && ((promise: Promise<unknown>) => void promises.push(promise));
  const lease = random.pick([400, 2000, 8000]);
  let token = 0;
  const { op, error } = await worker.call(
    `runs under ${name}`,
    max,
    () =>
      locks.lock(name).run({ wait, lease, onUnavailable, waitUntil }, async (held) => {
        token = held?.token ?? 0;
        const current = history.holdersOf(key).find((hold) => hold.token === token)?.op;
        if (held && current) worker.believe(current, held, [key]);
        // Long code without an await: the clocks do not advance.
        if (!plan.isCalm && random.chance(0.1)) host.freeze(random.pick([300, 3000]), false);
        try {
          await workUnder(worker, key, held);
        } finally {
          if (current) history.disbelieve(current);
        }
      }),
    { expected: OURS, isComposite: true },
  );
  const isHeld = history.holdersOf(key).some((hold) => hold.op === op);
  if (isHeld && behind && !error)
    history.report("nothing is left", op.id, "With `waitUntil`, `run` releases after the response");
  await Promise.allSettled(promises);
  worker.finish(op);
  await worker.sleep(random.pick([0, 10, 500]));
}

/** Turns of conversations, most of which supersede each other. Some end early, by a signal or an error. */
export async function turnRound(worker: Worker): Promise<void> {
  const { random, plan, locks, host } = worker;
  const name = `n${random.below(plan.names)}`;
  const onBusy = random.pick(["supersede", "supersede", "supersede", "queue", "reject"] as const);
  const wait = random.pick([0, 500, 4000]);
  const controller = worker.controller();
  if (!plan.isCalm && random.chance(0.1)) host.setTimeout(() => controller.abort(ABORTED), random.between(0, 3000));
  // A turn of the same ID has the steps of the others.
  const id = random.chance(0.5) ? `message ${random.below(3)}` : undefined;
  const times = { wait, lease: random.pick([500, 2000, 8000]), ttl: "10m" } as const;
  const options = { onBusy, ...times, ...(id !== undefined && { id }), signal: controller.signal };
  // Each of three steps begins, waits for the same step of a turn that died, works and completes.
  const max = wait + 18 * (plan.requestTimeoutMs + SLACK_MS) + 6000 + 3 * (times.lease + 3000);
  await worker.call(
    `takes a turn in ${name}`,
    max,
    () =>
      turn(locks, name, options, async ({ signal, step }) => {
        for (let steps = random.below(4); steps > 0 && !signal.aborted; steps--) {
          const work = async (): Promise<number> => {
            await worker.sleep(random.pick([0, 20, 300, 1000]));
            if (random.chance(0.1)) throw FAILED;
            return steps;
          };
          if (random.chance(0.5)) await step(`step ${steps}`, work);
          else await work();
        }
        if (random.chance(0.1)) throw FAILED;
      }),
    { expected: OURS, isComposite: true },
  );
  await worker.sleep(random.pick([0, 10, 500]));
}

/** `request` and `query` of the Web Locks API. */
export async function webLocksRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const name = `n${random.below(plan.names)}`;
  const mode = random.chance(0.5) ? "shared" : "exclusive";
  const wait = random.pick([200, 2000, 8000]);
  const steal = mode === "exclusive" && !plan.isCalm && random.chance(0.05);
  const kinds = [
    { mode, wait },
    { mode, ifAvailable: true },
    { mode: "exclusive", steal: true, wait },
  ] as const;
  const options = steal ? kinds[2] : kinds[random.below(2)];
  const max = wait + 4 * (plan.requestTimeoutMs + SLACK_MS) + 4000;
  await worker.call(
    `requests ${name}`,
    max,
    () =>
      locks.request(name, options as object, async (held: unknown) => {
        await worker.sleep(random.pick([0, 20, 300, 2000]));
        if (held && random.chance(0.1)) throw FAILED;
      }),
    { expected: new RegExp(`${OURS.source}|AbortError`), isComposite: true },
  );
  if (random.chance(0.3)) await worker.call("queries", plan.requestTimeoutMs + SLACK_MS, () => locks.query([name]));
  await worker.sleep(random.pick([0, 10, 500]));
}

/** Lists everything while others work: a name held during the whole call must be in the list. */
export async function lookRound(worker: Worker): Promise<void> {
  const { random, plan, locks, history } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const name = `n${random.below(plan.names)}`;
  if (random.chance(0.7)) {
    const lease = random.pick([500, 4000]);
    const { value, op } = await worker.call(`tries ${name}`, mostMs, () => locks.lock(name).tryAcquire({ lease }));
    if (!value) return worker.sleep(random.pick([10, 300]));
    worker.believe(op, value, [worker.keyOf(name)]);
    await worker.sleep(random.pick([0, 100, 1000]));
    history.disbelieve(op);
    await worker.call("releases", mostMs, () => value.release());
    worker.finish(op);
    return;
  }
  const key = worker.keyOf(name);
  // A hold that has expired may be removed by then, also if its end is in the future again after a step of the clock.
  const lasts = ({ until }: { readonly until: number }): boolean => until > history.latestOf(key);
  const held = () =>
    new Map(
      history
        .holdersOf(key)
        .filter(lasts)
        .map(({ id, token }) => [id, token]),
    );
  const before = held();
  const { value } = await worker.call("lists", 5 * mostMs, async () => {
    const found: { readonly name: string; readonly token?: number | undefined }[] = [];
    for await (const { name: each, token } of list(locks, { held: true })) found.push({ name: each, token });
    return found;
  });
  const after = held();
  for (const [id, token] of value ? before : [])
    if (after.get(id) === token && !value?.some((each) => each.name === name && each.token === token))
      history.report("list", `${name}, held by ${id} under ${token} all the time, is not in the list`);
  await worker.sleep(random.pick([0, 10, 500]));
}
