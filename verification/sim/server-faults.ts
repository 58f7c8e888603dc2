import type { History, Op } from "./history/index.ts";
import type { Holders } from "./holders.ts";
import type { Holding } from "./holding.ts";
import type { Host } from "./host.ts";
import type { Messages } from "./messages.ts";
import type { Network } from "./network.ts";
import { type Fault, LOSSES, type Partition, type Plan } from "./plan.ts";
import type { Server } from "./server.ts";
import type { WaitBreak } from "./worker.ts";
import type { World } from "./world.ts";

/** All parts of a run. */
export interface Scene {
  readonly world: World;
  readonly plan: Plan;
  readonly hosts: readonly Host[];
  readonly servers: readonly Server[];
  readonly history: History;
  readonly network: Network<Op>;
  /** Notes the holders of names; undefined if nothing is noted. */
  readonly holders?: Holders | undefined;
  /** The messages that wake waiters; undefined if they poll. */
  readonly messages?: Messages | undefined;
  /** A part of the waiters that is broken on purpose. */
  readonly brokenWait?: WaitBreak | undefined;
  /** The component that holds the requests of each server, if any. */
  readonly holdings: ReadonlyMap<Server, Holding> | undefined;
}

/** Makes a server lose the writes of the last ms given, or its replica, which lacks them, take over. */
function restart({ world, history, holdings, holders }: Scene, server: Server, { kind, at, ms }: Fault): void {
  const lost = Math.min(Math.abs(ms), at);
  const isReplica = kind === "failover";
  world.after(at - lost, () => {
    const [restore, recall] = [server.keep(), history.keep(server.name)];
    if (isReplica) server.setBehind(true);
    world.after(lost, () => {
      world.log(`${server.name} has lost the last ${lost.toFixed(0)} ms`);
      world.note({ type: "fault", where: server.name, what: isReplica ? "failover" : "restart", ms: lost });
      restore();
      holdings?.get(server)?.restart();
      recall(isReplica);
      if (isReplica) server.setBehind(false);
      server.flushScripts();
      holders?.met(server, isReplica ? "failover" : "restart");
    });
  });
}

/** The faults of a server that are noted here. Hosts note their own. */
const OF_SERVERS: ReadonlySet<Fault["kind"]> = new Set([
  "script flush",
  "flush",
  "evict",
  "memory full",
  "server clock",
]);

function meet(scene: Scene, { kind, where, ms }: Fault): void {
  const { world, hosts, servers, history, holders } = scene;
  const host = hosts[where % hosts.length] as Host;
  const server = servers[where % servers.length] as Server;
  world.log(`fault: ${kind} of ${where}, ${ms.toFixed(0)} ms`);
  if (OF_SERVERS.has(kind)) world.note({ type: "fault", where: server.name, what: kind, ms });
  if (kind === "freeze" || kind === "sleep") host.freeze(Math.abs(ms), kind === "sleep");
  else if (kind === "die") host.die();
  else if (kind === "host clock") host.step(ms);
  else if (kind === "script flush") server.flushScripts();
  else if (kind === "flush") {
    server.clear();
    history.lost(server.name);
  } else if (kind === "evict") {
    const keys = server.keys();
    const key = keys[where % Math.max(keys.length, 1)];
    if (key !== undefined && server.delete(key)) history.lost(server.name, key);
  } else if (kind === "memory full") {
    server.setFull(true);
    world.after(Math.abs(ms), () => server.setFull(false));
  } else if (kind === "server clock") {
    server.step(ms);
    history.stepped(server.name, ms);
  }
  if (OF_SERVERS.has(kind)) holders?.met(server, kind);
}

/** Tells of a partition when it begins. The network obeys it. */
export function announce({ world, hosts, servers }: Scene, { at, ms, host, server }: Partition): void {
  const [from, to] = [hosts[host % hosts.length] as Host, servers[server % servers.length] as Server];
  world.after(at, () => {
    world.log(`${from.name} and ${to.name} do not reach each other for ${ms.toFixed(0)} ms`);
    world.note({ type: "cut", host: from.name, server: to.name, ms });
  });
}

/** Schedules a fault. */
export function schedule(scene: Scene, fault: Fault): void {
  const { world, servers, holdings } = scene;
  const server = servers[fault.where % servers.length] as Server;
  if (server.restart && LOSSES.has(fault.kind))
    world.after(fault.at, () => {
      server.restart?.();
      world.note({ type: "fault", where: server.name, what: "restart without a loss" });
      holdings?.get(server)?.restart();
    });
  else if (fault.kind !== "restart" && fault.kind !== "failover") world.after(fault.at, () => meet(scene, fault));
  else restart(scene, server, fault);
}
