import { createHash } from "node:crypto";
import { getEventListeners } from "node:events";
import { takeGlobals } from "./globals.ts";
import { createForgetful } from "./history/forgetful.ts";
import { createHistory, type Op, type Sentence, type Violation } from "./history/index.ts";
import { createHolders } from "./holders.ts";
import { type HoldBreak, holdingsOf } from "./holding.ts";
import { createHost, type Host } from "./host.ts";
import { createListening, type Listening } from "./listening.ts";
import { createMessages } from "./messages.ts";
import { createNetwork } from "./network.ts";
import type { Noted } from "./notes.ts";
import type { Plan } from "./plan.ts";
import type { Break } from "./scripts.ts";
import { type Change, createServer, type Server, type ServerOptions } from "./server.ts";
import { announce, type Scene, schedule } from "./server-faults.ts";
import type { ObjectBreak } from "./sim-object.ts";
import { type Counts, createWorker, type WaitBreak, type Worker } from "./worker.ts";
import { WORKLOADS } from "./workloads/index.ts";
import { createWorld, type World, within } from "./world.ts";

/** A run and its findings. */
export interface Result {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly excused: ReadonlyMap<Sentence, number>;
  /** The calls of the SDK, and their requests. */
  readonly calls: number;
  readonly requests: number;
  readonly hash: string;
  readonly lines: readonly string[];
  /** The requests with a fault. */
  readonly faulty: readonly string[];
  /** What happened, where that was noted. */
  readonly notes: readonly Noted[];
  readonly hosts: readonly { readonly name: string; readonly workers: readonly string[] }[];
}

/** The number of servers of a kind that has several. */
const SERVERS: Readonly<Record<string, number>> = { quorum: 3, multi: 2, cluster: 3 };
/** Kinds in which every second host has clocks that advance only between events. */
const STANDING: ReadonlySet<string> = new Set(["run"]);
/** Kinds whose code reads streams. */
export const STREAMING: ReadonlySet<string> = new Set(["http"]);
/** The maximum duration of a run in virtual time. */
const MAX_MS = 6 * 3_600_000;

/** Responses to requests that took effect and must not take effect again. */
const EFFECT = /^(granted|extended|set|done|completed|written|called|committed|left)$/;

const contentsOf = (servers: readonly Server[]): readonly string[] => servers.map((server) => server.contents());

/** The contents of servers without expired holds and without remembered ids: any script removes those. */
const tidied = (contents: readonly string[], servers: readonly Server[]): string =>
  contents
    .map((text, n) => {
      const nowUs = (servers[n] as Server).clock() * 1000;
      return text.replace(/( (?!fence)\w+ 1 \d+ \d+) \S* (\S*) /g, (_, head: string, holds: string) =>
        [head, ...holds.split(",").filter((hold) => Number(hold.split(":")[1]) > nowUs)].join(" "),
      );
    })
    .join("\n");

/** Repeats every effective request at the end of the run: it must be refused or get the same response. */
function sendAllAgain({ history, network, servers }: Scene): void {
  for (const { server, commands, isPipeline, op, status = "", id } of network.sent) {
    if (!EFFECT.test(status)) continue;
    const had = contentsOf(servers);
    let again = "";
    server.perform<Op>(commands, isPipeline, op, (execution) => {
      again ||= execution.status;
      history.executed(execution);
    });
    const has = contentsOf(servers);
    // Both as of now: a hold may have ended in between.
    const [before, after] = [tidied(had, servers), tidied(has, servers)];
    // In time and during its lease, an extension extends again.
    if (after === before || (status === "extended" && again === status)) continue;
    const full = `${server.name}/${commands[0]?.[3]}`;
    const isBack = history.wasSetBack(full);
    const early = history.lossSince(full, op?.startedAt ?? 0) === "A lease can end early" && "A lease can end early";
    const unknown = op?.isFirst && "The first request of a client uses the client's clock";
    const excuse = (isBack && "A late duplicate can run again") || unknown || early || undefined;
    history.report("late", `${id}, answered ${status}, makes of "${before}" "${after}"`, excuse);
  }
}

/** At the end nothing is held, and no repeated request changes anything. */
function checkEnd(scene: Scene, signals: readonly AbortSignal[]): void {
  const { world, history, network, servers, plan, hosts } = scene;
  const random = world.random("end");
  if (network.inFlight > 0) history.report("settles", `${network.inFlight} requests are still on their way`);
  const listeners = signals.reduce((sum, signal) => sum + getEventListeners(signal, "abort").length, 0);
  if (listeners > 0 && hosts.every(({ isDead }) => !isDead)) history.report("listeners", `${listeners} are left`);
  history.finish();
  if (plan.seed % 4 === 1) sendAllAgain(scene);
  // Longer than any lease, ttl and retention: the slots of a cron are remembered for days.
  world.skip(400 * 86_400_000);
  for (const server of servers) {
    const keys = server.keys();
    if (keys.length > 0) history.report("nothing is left", `${server.name} has ${keys.join()} a year later`);
  }
  const { sent } = network;
  if (plan.seed % 4 === 0 && sent.length > 0) {
    for (let count = Math.min(sent.length, 60); count > 0; count--) {
      const { server, commands, isPipeline } = random.pick(sent);
      server.perform(commands, isPipeline, undefined, ({ script, status, args }) => {
        if (/granted|extended|set|done|written|called/.test(status) && args["notAfter"] !== undefined)
          history.report("late", `${script} was answered ${status} a year later`);
      });
    }
  }
}

export interface RunOptions {
  /** Rules broken on purpose. */
  readonly breaks?: readonly Break[];
  /** Replaced texts of scripts, by name. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Whether errors have stacks, which cost time. */
  readonly isTraced?: boolean;
  /** Whether the run is noted, for a picture of it. */
  readonly isNoted?: boolean;
  /** Whether the run ends with the first violation. */
  readonly endsEarly?: boolean;
  /** A part of the holding of requests that is broken on purpose. */
  readonly brokenHold?: HoldBreak;
  /** A part of the waiters that messages wake that is broken on purpose. */
  readonly brokenWait?: WaitBreak;
  /** A part of the Durable Objects that is broken on purpose. */
  readonly brokenObject?: ObjectBreak;
  /** Whether the run keeps no record of itself, so that the memory of the SDK and of the servers can be measured. */
  readonly forgets?: boolean;
  /** Called with every executed script that has one key. */
  readonly onChange?: (change: Change) => void;
}

/** The engine of servers that are Durable Objects. */
async function objectsOf({ object }: Plan, { brokenObject }: RunOptions): Promise<ServerOptions["durable"]> {
  if (!object) return undefined;
  const { createObjectStore } = await import("./object-store.ts");
  return (store) => createObjectStore(store, { ...object, broken: brokenObject });
}

/** Creates the servers, the hosts and the network of a run. */
export function createScene(world: World, plan: Plan, options: RunOptions, durable: ServerOptions["durable"]): Scene {
  const { breaks = [], texts, brokenHold, brokenWait, onChange, forgets = false } = options;
  const traits = world.random("traits");
  const skewed = (): number => (traits() * 2 - 1) * plan.skewMs;
  const messages = plan.wakes && createMessages(world, world.random("messages"), plan.wakes);
  let listening: Listening | undefined;
  const servers = Array.from({ length: SERVERS[plan.kind] ?? 1 }, (_, index) => {
    const name = `s${index}`;
    return createServer({
      ...{ name, world, breaks, texts, onChange },
      random: world.random(`server ${index}`),
      offsetMs: skewed(),
      durable,
      publish:
        messages &&
        ((channel, text) => {
          listening?.published(name, text);
          return messages.publish(channel, text);
        }),
    });
  });
  const clocks = new Map(servers.map((server) => [server.name, server]));
  const history = forgets
    ? createForgetful(world)
    : createHistory({
        world,
        requestTimeoutMs: plan.requestTimeoutMs,
        retentionMs: plan.retentionMs,
        listens: plan.wakes !== undefined,
        majority: plan.kind === "quorum" ? 2 : 1,
        clockOf: (name) => (clocks.get(name)?.clock() ?? 0) * 1000,
      });
  const holdings = plan.holds ? holdingsOf(world, plan.holds, servers, history, brokenHold) : undefined;
  const holders = options.isNoted ? createHolders(world, history, servers) : undefined;
  if (plan.wakes) listening = createListening(world, servers, plan, history.report);
  const startedAt = world.now();
  const network = createNetwork<Op>({
    ...{ world, holdings, forgets },
    isCut: (host, server) =>
      plan.partitions.some(
        ({ at, ms, ...between }) =>
          hosts[between.host % hosts.length] === host &&
          servers[between.server % servers.length] === server &&
          world.now() >= startedAt + at &&
          world.now() < startedAt + at + ms,
      ),
    random: world.random,
    faults: plan.networkFaults,
    spared: plan.spared,
    observe(execution) {
      history.executed(execution);
      listening?.executed(execution);
      holders?.executed(execution);
    },
    onSend: history.sent,
  });
  const hosts = Array.from({ length: plan.hosts }, (_, index) =>
    createHost({
      world,
      name: `h${index}`,
      traits: {
        offsetMs: skewed(),
        drift: (traits() - 0.5) * 0.008,
        freezes: plan.hostFreezes,
        standsStill: STANDING.has(plan.kind) && index % 2 === 0,
      },
      random: world.random(`host ${index}`),
      onLeak: (op) => history.report("timers", `a timer of ${(op as Op).id} is left`),
      patienceMs: plan.requestTimeoutMs + 1,
    }),
  );
  return { world, plan, hosts, servers, history, network, holdings, holders, messages, brokenWait };
}

/** The host of a worker. */
const hostOf = ({ hosts }: Scene, worker: string): Host => hosts[Number(worker.slice(1)) % hosts.length] as Host;

/** Starts the workers of a run. Returns those that have not finished. */
export function startWorkers(scene: Scene, counts: Counts, rejected: (error: unknown) => void): Set<Worker> {
  const { world, plan } = scene;
  const workers: Worker[] = [];
  const work = WORKLOADS[plan.kind];
  if (!work) throw new Error(`no workload is called ${plan.kind}: ${Object.keys(WORKLOADS).join()}`);
  const running = new Set<Worker>();
  for (const id of plan.workers) {
    const host = hostOf(scene, id);
    const random = world.random(`worker ${id}`);
    const worker = createWorker({ ...scene, id, host, random, counts, peers: workers });
    running.add(worker);
    workers.push(worker);
    const live = async (): Promise<void> => {
      await worker.sleep(random.between(0, 500));
      for (let round = 0; round < plan.rounds; round++) {
        if (plan.restMs > 0) await worker.sleep(random.between(0, plan.restMs));
        await work(worker);
      }
      running.delete(worker);
    };
    within({ host, op: undefined }, live).catch(rejected);
  }
  return running;
}

/** Runs a plan, and checks the run. */
export async function run(plan: Plan, options: RunOptions = {}): Promise<Result> {
  const { isTraced = false, endsEarly = false } = options;
  const seed = `${plan.kind} ${plan.seed}`;
  const durable = await objectsOf(plan, options);
  const world = createWorld(seed, STREAMING.has(plan.kind) ? 1 : undefined, { isNoted: options.isNoted ?? false });
  const restore = takeGlobals(world.random("ids"));
  // Thousands of errors are created, whose stacks are not read.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = isTraced ? 10 : 0;
  const rejected = (error: unknown): void => {
    history.report("rejections", `nobody took ${error instanceof Error ? error.stack : error}`);
  };
  process.on("unhandledRejection", rejected);
  const scene = createScene(world, plan, options, durable);
  const { history, network } = scene;
  const signals: AbortSignal[] = [];
  const counts: Counts = { calls: 0, signals };
  try {
    for (const fault of plan.faults) schedule(scene, fault);
    for (const partition of plan.partitions) announce(scene, partition);
    const running = startWorkers(scene, counts, rejected);
    await world.run(world.now() + MAX_MS, () => endsEarly && history.violations.length > 0);
    if (endsEarly && history.violations.length > 0) running.clear();
    for (const { id, host, as } of running)
      if (!host.isDead && !as?.host.isDead) history.report("settles", `${id} has not come to its end`);
    if (!endsEarly || history.violations.length === 0) checkEnd(scene, signals);
  } finally {
    process.off("unhandledRejection", rejected);
    Error.stackTraceLimit = stackTraceLimit;
    restore();
  }
  const { lines } = world;
  const hash = createHash("sha1").update(lines.join("\n")).digest("hex").slice(0, 12);
  const { violations, excused } = history;
  return {
    plan,
    violations,
    excused,
    calls: counts.calls,
    requests: network.sent.length,
    hash,
    lines,
    faulty: network.faulty,
    notes: world.notes,
    hosts: scene.hosts.map(({ name }) => ({
      name,
      workers: plan.workers.filter((id) => hostOf(scene, id).name === name),
    })),
  };
}
