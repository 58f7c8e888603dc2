import { elementsOf, type Reply, repliesOf, textOf } from "../backend.ts";
import { addressOf, type ClusterNode, MAX_NODES } from "../nodes.ts";

/** The number of slots of a cluster. */
export const SLOTS = 16_384;

/** The cluster as one of its nodes describes it. Addresses are `host:port`. */
export interface Topology {
  /** The primary of each slot that has one. */
  readonly owners: ReadonlyMap<number, string>;
  /** All nodes, with or without slots. A redirection to any other address is not followed. */
  readonly addresses: ReadonlySet<string>;
  /** The highest configuration epoch that the node knows: it rises with every failover and every moved slot. */
  readonly epoch: number;
}

const QUESTION = [
  ["CLUSTER", "SLOTS"],
  ["CLUSTER", "NODES"],
] as const;

/** Whether a reply is the number of a slot. A server that names others would keep this process busy. */
const isSlot = (reply: Reply | undefined): boolean =>
  typeof reply === "string" && /^\d{1,5}$/.test(reply) && Number(reply) < SLOTS;

/**
 * Reads `CLUSTER SLOTS`: first slot, last slot, the primary's host and port, then replicas. An empty host is the
 * answering node's.
 */
function readOwners(reply: Reply | undefined, host: string): Map<number, string> {
  const owners = new Map<number, string>();
  for (const entry of elementsOf(reply)) {
    const [first, last, primary] = elementsOf(entry);
    const [name, port] = elementsOf(primary);
    const address = addressOf(textOf(name) || host, String(port));
    if (address === undefined || !isSlot(first) || !isSlot(last)) continue;
    for (let slot = Number(first); slot <= Number(last); slot++) owners.set(slot, address);
  }
  return owners;
}

/** Reads `CLUSTER NODES`, one line each: id, host:port@bus,hostname, flags, primary, two times, epoch, link, slots. */
function readNodes(reply: Reply | undefined, host: string): { addresses: string[]; epoch: number } {
  const addresses: string[] = [];
  let epoch = 0;
  for (const line of textOf(reply).split("\n")) {
    const [, endpoint = "", , , , , ownEpoch = "0"] = line.split(" ");
    const match = /^(.*):(\d+)(?:@\d+)?(?:,([^,=]*))?/.exec(endpoint);
    if (match === null) continue;
    const [, ip, port = "", name] = match;
    addresses.push(...[ip || host, name || host].flatMap((place) => addressOf(place, port) ?? []));
    epoch = Math.max(epoch, Number(ownEpoch) || 0);
  }
  return { addresses, epoch };
}

/** Requests the topology of its cluster from a node; `undefined` if it does not answer in time, or knows no slots. */
export async function askTopology({ backend, host }: ClusterNode, withinMs: number): Promise<Topology | undefined> {
  const replies = await repliesOf(backend, QUESTION, undefined, withinMs).catch(() => []);
  const owners = readOwners(replies[0], host);
  if (owners.size === 0) return undefined;
  const { addresses, epoch } = readNodes(replies[1], host);
  const all = new Set([...owners.values(), ...addresses]);
  // More nodes than a cluster can have would take more connections than this process has.
  if (all.size > MAX_NODES) return undefined;
  return { owners, addresses: all, epoch };
}
