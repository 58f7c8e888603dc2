import type { ServerBackend } from "./backend.ts";
import { createRedisBackend } from "./server-backend.ts";
import type { Seeds } from "./url.ts";

/** One server of a cluster, or one Sentinel. */
export interface ClusterNode {
  readonly host: string;
  readonly backend: ServerBackend;
}

/** The servers of one kind that there are connections to, by address (`host:port`). */
export interface Nodes {
  /** The node at an address; a connection to it is opened when there is none yet. */
  at(address: string): ClusterNode;
  /** All whose commands can be sent. */
  ready(): ClusterNode[];
  /** Lets go of those that are neither seeds nor named here, when their last answers have had time to arrive. */
  keep(addresses: ReadonlySet<string>): void;
  /** Ends all connections at once. */
  close(): void;
}

export function createNodes(seeds: Seeds, timeoutMs: number): Nodes {
  const nodes = new Map<string, ClusterNode>();
  const leaving = new Map<ClusterNode, NodeJS.Timeout>();
  const login = seeds[0];
  const seedAddresses = new Set(seeds.map(({ host, port }) => `${host}:${port}`));

  function at(address: string): ClusterNode {
    const known = nodes.get(address);
    if (known !== undefined) return known;
    const colon = address.lastIndexOf(":");
    const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))];
    const node = { host, backend: createRedisBackend({ ...login, host, port }, timeoutMs) };
    nodes.set(address, node);
    return node;
  }

  function leave(node: ClusterNode): void {
    const end = (): void => {
      leaving.delete(node);
      node.backend.close();
    };
    leaving.set(node, setTimeout(end, timeoutMs));
  }

  for (const address of seedAddresses) at(address);

  return {
    at,
    ready: () => [...nodes.values()].filter(({ backend }) => backend.isReady),
    keep(addresses) {
      for (const [address, node] of nodes) {
        if (addresses.has(address) || seedAddresses.has(address)) continue;
        nodes.delete(address);
        leave(node);
      }
    },
    close() {
      for (const timer of leaving.values()) clearTimeout(timer);
      for (const { backend } of [...nodes.values(), ...leaving.keys()]) backend.close();
    },
  };
}
