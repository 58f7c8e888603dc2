/**
 * Set-ups with failover: promotion by hand, Sentinel, Cluster. Everything reaches a server through its link. Changes
 * reach a replica some ms later than clients get their answers, and those on their way are lost when a primary ends, as
 * when its machine does.
 */
import type { RedisServer } from "../../tools/redis.ts";
import { startSentinels } from "../../tools/redis-sentinels.ts";
import { inStep, startCluster, startPair, until } from "../../tools/redis-topologies.ts";
import type { Random } from "../histories/random.ts";
import { type Link, startLink } from "./link.ts";
import { awayMs, clientOf, dial, dialCluster, type Fault, pause, type Stage, versionOf } from "./stage.ts";

/** How far a replica is behind its primary. */
const REPLICA_DELAY_MS = 5;
/** How long an operator, or a script, takes to promote a replica. */
const PROMOTION_MS = { min: 100, max: 400 };
/** How long a primary that returns after a failover works on before it learns of its successor. */
const STALE_MS = 1000;
/** A Sentinel whose machine is too busy does nothing for 30 s. */
const RESTORED_MS = 90_000;

const startLinks = (count: number, delayMs: number): Promise<Link[]> =>
  Promise.all(Array.from({ length: count }, () => startLink(0, delayMs)));
const closeAll = (links: readonly Link[]): Promise<unknown> => Promise.all(links.map((link) => link.close()));

/** A server, and the link in front of it. */
interface Node {
  readonly server: RedisServer;
  readonly link: Link;
}

/** Makes a server the replica of another one, and waits until it has its data. */
async function follow({ server }: Node, primary: Node): Promise<void> {
  await server.command("REPLICAOF", "127.0.0.1", String(primary.link.port));
  await inStep(primary.server, [server]);
}

/** How a primary goes away, and how it returns: a killed one empty. */
interface Way {
  leave(node: Node): Promise<void>;
  back(node: Node): Promise<void>;
}

const WAYS: Readonly<Record<"kill" | "freeze" | "partition", Way>> = {
  kill: {
    async leave({ server, link }) {
      const ended = server.kill();
      link.cut();
      await ended;
    },
    back: ({ server }) => server.start(),
  },
  freeze: {
    leave: async ({ server }) => server.freeze(),
    back: async ({ server }) => server.thaw(),
  },
  partition: {
    leave: async ({ link }) => link.stall(),
    back: async ({ link }) => link.resume(),
  },
};

/** The faults of a set-up, from what it does when its primary goes. */
const faultsOf = (fault: (way: Way, isKill: boolean) => Fault): Stage["faults"] => ({
  kill: fault(WAYS.kill, true),
  freeze: fault(WAYS.freeze, false),
  partition: fault(WAYS.partition, false),
});

/**
 * A primary and a replica, promoted by hand. Clients reach the primary under one address, which moves with the
 * promotion; connections to the former primary are cut.
 */
export async function startByHand(delayMs = REPLICA_DELAY_MS): Promise<Stage> {
  const links = await startLinks(2, delayMs);
  const pair = await startPair([], links);
  let [primary, replica] = [pair.primary, pair.replica].map((server, index) => ({
    server,
    link: links[index] as Link,
  })) as [Node, Node];
  const address = await startLink(primary.link.port);
  return {
    server: await versionOf(primary.server),
    faults: faultsOf((way, isKill) => async (random, struck) => {
      const former = primary;
      const began = performance.now();
      const left = way.leave(former);
      struck();
      await left;
      await pause(random.between(PROMOTION_MS.min, PROMOTION_MS.max));
      [primary, replica] = [replica, former];
      await primary.server.command("REPLICAOF", "NO", "ONE");
      address.lead(primary.link.port);
      address.cut();
      if (!isKill) await pause(Math.max(0, awayMs(random) - (performance.now() - began)));
      await way.back(former);
      await follow(former, primary);
    }),
    open: () => clientOf(dial({ port: address.port })),
    serving: async () => primary.server,
    async stop() {
      await address.close();
      await closeAll(links);
      await pair.stop();
    },
  };
}

/** A primary, a replica and three Sentinels. */
export async function startWatched(): Promise<Stage> {
  const links = await startLinks(2, REPLICA_DELAY_MS);
  const group = await startSentinels({ doors: links });
  const nodes = group.servers.map((server, index): Node => ({ server, link: links[index] as Link }));
  const at = (port: number): Node => nodes.find(({ link }) => link.port === port) as Node;
  const other = (node: Node): Node => nodes.find((each) => each !== node) as Node;
  /** All Sentinels see one replica, and nothing wrong with it: only then can they fail over again. */
  const isReady = async (): Promise<boolean> => {
    const seen = await Promise.all(group.sentinels.map((each) => each.command("SENTINEL", "REPLICAS", group.name)));
    return seen.every((text) => /\r\nflags\r\n\$5\r\nslave\r\n/.test(text));
  };
  /**
   * A primary that returned learns of its successor, and leaves its clients, as Sentinels would do after 8 s. Those that
   * found it while it was a primary would stay with it otherwise.
   */
  const isRestored = async (): Promise<boolean> => {
    const primary = at(await group.primaryPort());
    const { server } = other(primary);
    const info = await server.command("INFO", "replication");
    const isFollowing = info.includes(`master_port:${primary.link.port}\r`);
    if (!isFollowing) {
      await server.command("REPLICAOF", "127.0.0.1", String(primary.link.port));
      for (const type of ["normal", "pubsub"]) await server.command("CLIENT", "KILL", "TYPE", type);
    }
    return isFollowing && info.includes("master_link_status:up") && (await isReady());
  };
  return {
    server: await versionOf(nodes[0]?.server as RedisServer),
    faults: faultsOf((way, isKill) => async (random, struck) => {
      const former = at(await group.primaryPort());
      const began = performance.now();
      const left = way.leave(former);
      struck();
      await left;
      const next = other(former);
      const isSucceeded = async (): Promise<boolean> => (await group.primaryPort()) === next.link.port;
      if (isKill) await until("a failover", isSucceeded, RESTORED_MS);
      else await pause(Math.max(0, awayMs(random) - (performance.now() - began)));
      await way.back(former);
      // A primary that returns may be in time to prevent a failover; otherwise it does not know of its successor yet.
      if (!isKill) await pause(STALE_MS);
      await until("the primary has its replica, and the Sentinels know", isRestored, RESTORED_MS);
    }),
    open: () =>
      clientOf(
        dial({
          sentinels: group.sentinels.map(({ port }) => ({ host: "127.0.0.1", port })),
          name: group.name,
        }),
      ),
    serving: async () => at(await group.primaryPort()).server,
    async stop() {
      await closeAll(links);
      await group.stop();
    },
  };
}

const PRIMARIES = 3;
/** Slots of the first primary, and of each server that succeeds it. */
const FIRST_SLOTS = 5000;

/** A group whose names are in the first slots. */
async function groupInFirst(server: RedisServer, number = 0): Promise<string> {
  const group = `first-${number}`;
  const slot = Number((await server.command("CLUSTER", "KEYSLOT", `{${group}}`)).slice(1));
  return slot < FIRST_SLOTS ? group : groupInFirst(server, number + 1);
}

/**
 * A cluster of three primaries with a replica each. The faults meet the owner of the first slots, where all names are. A
 * partition separates it from its clients and its replica; its bus goes on, so there is no failover.
 */
export async function startSharded(): Promise<Stage> {
  const links = await startLinks(2 * PRIMARIES, REPLICA_DELAY_MS);
  const extra = ["--cluster-replica-validity-factor", "0"];
  const cluster = await startCluster(PRIMARIES, 1, { extra, doors: links });
  const group = await groupInFirst(cluster.servers[0] as RedisServer);
  const owner = async (): Promise<Node> => {
    const server = await cluster.ownerOf(0);
    return { server, link: links[cluster.servers.indexOf(server)] as Link };
  };
  const isWhole = async (server: RedisServer): Promise<boolean> => {
    const nodes = await server.command("CLUSTER", "NODES");
    return (
      !/fail/.test(nodes) &&
      nodes.match(/\bslave\b/g)?.length === PRIMARIES &&
      (await server.command("CLUSTER", "INFO")).includes("cluster_state:ok")
    );
  };
  const isRestored = async (): Promise<boolean> => {
    const replication = await (await owner()).server.command("INFO", "replication");
    return (
      /slave0:.*state=online/.test(replication) && (await Promise.all(cluster.servers.map(isWhole))).every(Boolean)
    );
  };
  const restored = (): Promise<void> => until("the cluster is whole", isRestored, RESTORED_MS);
  const failsOver =
    (way: Way, isKill: boolean): Fault =>
    async (random, struck) => {
      const former = await owner();
      const others = cluster.servers.filter((server) => server !== former.server);
      const began = performance.now();
      const left = way.leave(former);
      struck();
      await left;
      const isSucceeded = async (): Promise<boolean> => {
        const nodes = await others[0]?.command("CLUSTER", "NODES");
        const owning = nodes?.split("\n").find((line) => /\bmaster\b(?!,fail)/.test(line) && / 0-\d+/.test(line));
        return owning !== undefined && !owning.includes(`:${former.link.port}@`);
      };
      await until("a failover", isSucceeded, RESTORED_MS);
      if (!isKill) await pause(Math.max(0, awayMs(random) - (performance.now() - began)));
      await way.back(former);
      await restored();
    };
  return {
    server: await versionOf(cluster.servers[0] as RedisServer),
    faults: {
      kill: failsOver(WAYS.kill, true),
      freeze: failsOver(WAYS.freeze, false),
      async partition(random: Random, struck) {
        const node = await owner();
        await WAYS.partition.leave(node);
        struck();
        await pause(awayMs(random));
        await WAYS.partition.back(node);
        await restored();
      },
    },
    open: () => clientOf(dialCluster(links.map(({ port }) => port))),
    serving: async () => (await owner()).server,
    group,
    async stop() {
      await closeAll(links);
      await cluster.stop();
    },
  };
}
