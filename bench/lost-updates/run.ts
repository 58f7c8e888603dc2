import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ReadyWorker, startReadyWorker } from "../../durable-object/test/support/workerd.ts";
import { type Endpoint, type Stage, startStage } from "../stage.ts";
import { seeded } from "../stats.ts";
import { OBJECTS, readList } from "./libraries.ts";
import { type LossyProxy, startLossyProxy } from "./lossy-proxy.ts";
import type { Append, Freeze, FromWorker, Job } from "./messages.ts";

export interface Plan {
  readonly workers: number;
  /** The number of elements that each worker appends. */
  readonly appends: number;
  readonly leaseMs: number;
  /** The duration of a freeze, longer than the lease. */
  readonly freezeMs: number;
  /** One in this many appends is frozen: half of them before the check, half after it. */
  readonly frozenOneIn: number;
  /** One in this many responses to the lock's requests is lost. */
  readonly lostOneIn: number;
}

export interface Outcome {
  readonly library: string;
  /** Elements whose write was answered: at the end, all. */
  readonly appended: number;
  /** Elements missing from the list. */
  readonly lost: number;
  /** Appends that the library's own check or the fence refused and that were repeated. */
  readonly refused: number;
  readonly seconds: number;
}

export interface Theatre {
  run(library: string): Promise<Outcome>;
  stop(): Promise<void>;
}

const FREEZES: readonly Freeze[] = ["before the check", "after the check"];
const LOOK_EVERY_MS = 10;

/** The plan, the same for every library: who appends what, and which appends are frozen. */
function shares({ workers, appends, frozenOneIn }: Plan): Append[][] {
  let count = 0;
  return Array.from({ length: workers }, (_, worker) =>
    Array.from({ length: appends }, (_, index) => {
      const id = worker * appends + index;
      // Not all of them in the same round.
      const isFrozen = (index + worker * 5) % frozenOneIn === frozenOneIn - 1;
      return { id, freeze: isFrozen ? FREEZES[count++ % 2] : undefined };
    }),
  );
}

async function startWorker(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [], { execArgv: [] });
  await once(child, "message");
  return child;
}

/** Ends a process that may be frozen. */
async function stopWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Runs the workers. A frozen one is woken after its freeze, when another worker has appended. */
async function perform(children: readonly ChildProcess[], jobs: readonly Job[]) {
  const acknowledged = new Set<number>();
  const busy = new Set(children);
  let refused = 0;

  async function wake(child: ChildProcess, freezeMs: number): Promise<void> {
    const before = acknowledged.size;
    await pause(freezeMs);
    while (acknowledged.size === before && busy.size > 0) await pause(LOOK_EVERY_MS);
    // Repeated until it reports that it is awake: on a busy machine it may stop itself later than announced.
    while (!busy.has(child) && child.connected) {
      child.kill("SIGCONT");
      await pause(LOOK_EVERY_MS);
    }
  }

  await Promise.all(
    children.map(
      (child, index) =>
        new Promise<void>((done, fail) => {
          const job = jobs[index] as Job;
          const ended = (code: number | null): void => fail(new Error(`a worker ended with ${code}`));
          const hear = (message: FromWorker): void => {
            if (message.type === "appended") acknowledged.add(message.id);
            if (message.type === "woken") busy.add(child);
            if (message.type === "frozen") {
              busy.delete(child);
              wake(child, job.freezeMs).catch(fail);
            }
            if (message.type !== "done") return;
            refused += message.refused;
            busy.delete(child);
            child.off("message", hear).off("exit", ended);
            done();
          };
          child.on("message", hear).on("exit", ended);
          child.send(job);
        }),
    ),
  );
  return { acknowledged, refused };
}

/** The addresses of a server: the lossy one for the lock, and the direct one for the list. */
type Ways = Pick<Job, "lossy" | "direct">;

/**
 * Starts Redis, the gateway, the lossy proxies and the workers. The objects start when they are first used. The same
 * seed loses the same responses.
 */
export async function openTheatre(plan: Plan, seed = 1): Promise<Theatre> {
  const stage: Stage = await startStage();
  const proxies: LossyProxy[] = [];
  const workers: ChildProcess[] = [];
  let objects: ReadyWorker | undefined;
  async function stop(): Promise<void> {
    await Promise.all(workers.map(stopWorker));
    await objects?.stop();
    for (const proxy of proxies) proxy.close();
    await stage.stop();
  }
  const random = seeded(seed);
  async function lossyOf(url: string): Promise<string> {
    const address = new URL(url);
    const proxy = await startLossyProxy(Number(address.port), 1 / plan.lostOneIn, random);
    proxies.push(proxy);
    address.port = String(proxy.port);
    return address.href;
  }
  const { token } = stage;
  /** The packaged Worker with its objects, in workerd. */
  async function waysToObjects(): Promise<Ways> {
    objects ??= await startReadyWorker({ LEASEHOLD_TOKEN: token });
    const direct: Endpoint = { url: objects.url, token, redisUrl: "" };
    return { direct, lossy: { ...direct, url: await lossyOf(objects.url) } };
  }
  try {
    workers.push(...(await Promise.all(Array.from({ length: plan.workers }, startWorker))));
    const direct: Endpoint = { url: stage.url, token, redisUrl: stage.redisUrl };
    const lossy = { ...direct, url: await lossyOf(stage.url), redisUrl: await lossyOf(stage.redisUrl) };
    const overRedis: Ways = { direct, lossy };
    return {
      async run(library) {
        const name = library.replaceAll(" ", "-");
        const { leaseMs, freezeMs } = plan;
        const ways = library === OBJECTS ? await waysToObjects() : overRedis;
        const jobs = shares(plan).map((appends) => ({ library, name, leaseMs, freezeMs, appends, ...ways }));
        const start = performance.now();
        const { acknowledged, refused } = await perform(workers, jobs);
        const seconds = (performance.now() - start) / 1000;
        const list = new Set(await readList(library, ways.direct, name));
        const lost = [...acknowledged].filter((id) => !list.has(id)).length;
        return { library, appended: acknowledged.size, lost, refused, seconds };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
