/** Everything that a run needs: a site, the gateway, the proxy, the clients and their faults. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../tools/redis.ts";
import {
  buildPrograms,
  type Client,
  endGroup,
  isOverTcp,
  type Runtime,
  signalGroup,
  startClient,
  startGroup,
} from "./clients.ts";
import { pause, type Random } from "./random.ts";
import { type Nemesis, type Site, TOKEN } from "./site.ts";
import { SITES, type SiteName } from "./sites.ts";

export interface Theatre {
  readonly site: Site;
  readonly clients: readonly Client[];
  /** How often each nemesis was used. */
  readonly befallen: Map<string, number>;
  /** Applies one nemesis after another until the run ends. */
  torment(random: Random, isOver: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface TheatreOptions {
  readonly site: SiteName;
  /** One client per runtime; the TCP ones only where the servers support it. */
  readonly runtimes: readonly Runtime[];
  /** The share of requests through the proxy that get a fault. Half of the clients use the proxy. */
  readonly faulty: number;
  /** The mean pause between two nemeses, in ms. */
  readonly calmMs: number;
  /** The names of the nemeses; all by default. */
  readonly only?: readonly string[];
}

const ROOT = join(import.meta.dirname, "../..");

function startGateway(dir: string, redis: string, port: number): ChildProcess {
  const options = ["--redis", redis, "--token", TOKEN, "--port", String(port), "--log-level", "silent"];
  const child = startGroup(process.execPath, [join(dir, "gateway.mjs"), ...options], dir);
  child.stdout?.resume();
  child.stderr?.on("data", (text) => console.error(`gateway: ${text}`));
  return child;
}

/** Whether it answers before it exits and before the time limit. */
async function isListening(port: number, child: ChildProcess): Promise<boolean> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const end = performance.now() + 20_000; performance.now() < end && child.exitCode === null; await pause(20)) {
    const options = { method: "POST", headers, body: '["PING"]', signal: AbortSignal.timeout(5000) };
    const response = await fetch(`http://127.0.0.1:${port}`, options).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return true;
  }
  return false;
}

/** Starts a gateway on a free port. Another process may take the port first. */
async function openGateway(dir: string, redis: string, tries = 3): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const child = startGateway(dir, redis, port);
  if (await isListening(port, child)) return { child, port };
  await endGroup(child);
  if (tries > 1) return openGateway(dir, redis, tries - 1);
  throw new Error("the gateway does not answer");
}

/** The proxy prints its port when it listens. */
async function startProxy(
  target: string,
  faulty: number,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = startGroup(
    process.execPath,
    [join(ROOT, "verification/histories/proxy.ts"), target, String(faulty)],
    ROOT,
  );
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", () => reject(new Error("the proxy ended")));
  });
  return { url: `http://127.0.0.1:${port}`, child };
}

/** A gateway that can be restarted on its port. */
interface GatewayProcess {
  readonly url: string;
  child: ChildProcess;
  restart(): void;
}

async function startAnew(dir: string, redis: string): Promise<GatewayProcess> {
  const { child, port } = await openGateway(dir, redis);
  const gateway = {
    url: `http://127.0.0.1:${port}`,
    child,
    restart(): void {
      gateway.child = startGateway(dir, redis, port);
    },
  };
  return gateway;
}

/** Nemeses of the processes between Redis and the recorder. */
function nemesesOf(clients: readonly Client[], gateways: readonly GatewayProcess[]): Record<string, Nemesis> {
  const ofClients: Record<string, Nemesis> = {
    async "client frozen"(random) {
      const client = random.pick(clients);
      client.freeze();
      await pause(random.between(50, 900));
      client.thaw();
    },
    "client killed": (random) => random.pick(clients).restart(),
  };
  if (gateways.length === 0) return ofClients;
  return {
    ...ofClients,
    async "gateway frozen"(random) {
      const gateway = random.pick(gateways);
      signalGroup(gateway.child, "SIGSTOP");
      await pause(random.between(50, 900));
      signalGroup(gateway.child, "SIGCONT");
    },
    async "gateway killed"(random) {
      const gateway = random.pick(gateways);
      await endGroup(gateway.child);
      await pause(random.between(0, 200));
      gateway.restart();
    },
  };
}

export async function openTheatre({ site: name, runtimes, faulty, calmMs, only }: TheatreOptions): Promise<Theatre> {
  const closing: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.reverse()) await close();
  };
  try {
    const programs = await buildPrograms(runtimes);
    closing.push(programs.remove);
    const site = await SITES[name]();
    closing.push(site.stop);
    const gateways: GatewayProcess[] = [];
    closing.push(() => Promise.all(gateways.map(({ child }) => endGroup(child))));
    const count = site.speaks === "http" ? 0 : (site.gateways ?? 1);
    while (gateways.length < count) gateways.push(await startAnew(programs.dir, site.url));
    // Half of the clients use the proxy to the first gateway, the others the last gateway directly.
    const direct = gateways.at(-1)?.url ?? site.url;
    const proxy = await startProxy(gateways[0]?.url ?? site.url, faulty);
    closing.push(() => endGroup(proxy.child));
    const urlOf = (runtime: Runtime, index: number): string =>
      isOverTcp(runtime) ? site.url : index % 2 ? direct : proxy.url;
    const reaching = site.runtimes ?? runtimes.filter((runtime) => !isOverTcp(runtime) || site.speaks === "tcp");
    const clients = reaching.map((runtime, index) =>
      startClient(`${runtime} ${index}`, runtime, programs, { url: urlOf(runtime, index), token: TOKEN }),
    );
    closing.push(() => Promise.all(clients.map((client) => client.stop())));
    const chosen = (all: Readonly<Record<string, Nemesis>>) =>
      Object.entries(all).filter(([each]) => only?.includes(each) ?? true);
    // The site's own nemeses are its purpose, so every other one is one of them.
    const groups = [chosen(nemesesOf(clients, gateways)), chosen(site.nemeses)].filter((group) => group.length > 0);
    const befallen = new Map<string, number>();
    return {
      site,
      clients,
      befallen,
      async torment(random, isOver) {
        let lastedMs = 0;
        while (!isOver()) {
          // Servers that need long to come back are up for as long again: between faults, something must be answered.
          const calm = performance.now() + Math.max(random.between(50, 50 + 2 * calmMs), lastedMs);
          while (performance.now() < calm && !isOver()) await pause(50);
          if (isOver()) return;
          const [each, nemesis] = random.pick(random.pick(groups));
          const start = performance.now();
          await nemesis(random).catch((error: unknown) => console.error(`${each}: ${error}`));
          lastedMs = performance.now() - start;
          befallen.set(each, (befallen.get(each) ?? 0) + 1);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
