import type { ServerBackend } from "./backend.ts";
import { createRedisBackend } from "./server-backend.ts";
import type { Seeds } from "./url.ts";

/** One server of a cluster, or one Sentinel. */
export interface ClusterNode {
  readonly host: string;
  readonly backend: ServerBackend;
}

/** The connections to servers of one kind, by address (`host:port`). */
export interface Nodes {
  /** The nodes that the URL names. */
  readonly seeds: readonly ClusterNode[];
  /** The node at an address; opens a connection to it if there is none yet. */
  at(address: string): ClusterNode;
  /** All nodes to which commands can be sent. */
  ready(): ClusterNode[];
  /** Drops all nodes except the seeds and these addresses, once their last replies have had time to arrive. */
  keep(addresses: ReadonlySet<string>): void;
  /** Ends all connections immediately. */
  close(): void;
}

/** An address (`host:port`) in its two parts; an IPv6 host also contains colons. */
export function placeOf(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(":");
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}

const MAX_PORT = 65_535;
/** Longer than any name of a host. */
const MAX_HOST = 255;
/** A host is sent to the resolver, and shown in logs. */
const HOST = /^[\w.:%-]+$/;
/** The maximum number of nodes that a cluster, or the Sentinels of a primary, may name. */
export const MAX_NODES = 1_000;

/** An address that a server has named; `undefined` if it is none. Connecting to it would end the process. */
export function addressOf(host: string, port: string): string | undefined {
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  const isFine = number > 0 && number <= MAX_PORT && host.length <= MAX_HOST && HOST.test(host);
  return isFine ? `${host}:${number}` : undefined;
}

export function createNodes(seeds: Seeds, timeoutMs: number): Nodes {
  const nodes = new Map<string, ClusterNode>();
  const leaving = new Map<ClusterNode, NodeJS.Timeout>();
  const login = seeds[0];
  const seedAddresses = new Set(seeds.map(({ host, port }) => `${host}:${port}`));

  function at(address: string): ClusterNode {
    const known = nodes.get(address);
    if (known !== undefined) return known;
    const place = placeOf(address);
    const node = { host: place.host, backend: createRedisBackend({ ...login, ...place }, timeoutMs) };
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

  return {
    seeds: [...seedAddresses].map(at),
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
