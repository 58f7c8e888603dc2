import { NotSent } from "../../shared/error-answers.ts";
import { within } from "../../shared/time-limit.ts";
import { createBelief, createInquiry } from "../inquiry.ts";
import { type ClusterNode, createNodes, type Nodes } from "../nodes.ts";
import type { Seeds } from "../url.ts";
import { askTopology, SLOTS, type Topology } from "./topology.ts";

/** The interval of checks, and the age at which a table is refreshed even without a problem. */
const TICK_MS = 200;
const FRESH_MS = 2_000;

/** The node of each slot, as reported by the cluster. */
export interface SlotTable {
  /** Resolves when every seed was asked and every primary that they know was tried. */
  readonly opened: Promise<void>;
  /** True while every slot has a primary that commands can be sent to. */
  readonly isWhole: boolean;
  /** The primary of a slot, or of any slot for `undefined`; `undefined` if it is unreachable. */
  primary(slot: number | undefined): ClusterNode | undefined;
  /**
   * The node to which `teller` redirects a command, once commands can be sent to it. `undefined` if it is not a node of
   * this cluster: a script can answer with a redirection to any address, and the password would be sent there.
   *
   * @throws {NotSent} if it cannot be reached before the deadline
   */
  redirected(address: string, teller: ClusterNode, deadline: number): Promise<ClusterNode | undefined>;
  /** Requests all slots from a node, since a redirection shows that it has newer data. */
  refresh(teller: ClusterNode): void;
  close(): void;
}

/** The topology reported by the cluster, as far as it is trusted. */
interface Known {
  readonly topology: Topology;
  readonly primaries: readonly ClusterNode[];
  /** In ms, since a topology was last trusted. */
  readonly ageMs: number;
  take(fresh: Topology): void;
}

function createKnown(nodes: Nodes): Known {
  const belief = createBelief();
  let topology: Topology = { owners: new Map(), addresses: new Set(), epoch: 0 };
  let primaries: readonly ClusterNode[] = [];
  return {
    get topology() {
      return topology;
    },
    get primaries() {
      return primaries;
    },
    get ageMs() {
      return belief.ageMs;
    },
    take(fresh) {
      // An outdated topology would send writes to a former primary, but it still names nodes of the cluster.
      if (belief.compare(fresh.epoch) === "behind") {
        topology = { ...topology, addresses: new Set([...topology.addresses, ...fresh.addresses]) };
        return;
      }
      topology = fresh;
      belief.renew(fresh.epoch);
      nodes.keep(fresh.addresses);
      // Sorted, so that the order does not depend on the node asked: every SCAN cursor is sent to the first one.
      primaries = [...new Set(fresh.owners.values())].sort().map(nodes.at);
    },
  };
}

export function createSlotTable(seeds: Seeds, timeoutMs: number): SlotTable {
  const nodes = createNodes(seeds, timeoutMs);
  const known = createKnown(nodes);
  let turn = 0;
  let closed = false;
  const inquiry = createInquiry(nodes, timeoutMs, askTopology, (fresh) => {
    if (!closed) known.take(fresh);
  });

  const isWhole = (): boolean =>
    known.topology.owners.size === SLOTS && known.primaries.every(({ backend }) => backend.isReady);

  const timer = setInterval(() => {
    if (isWhole() && known.ageMs < FRESH_MS) return;
    const ready = nodes.ready();
    const node = ready[turn++ % ready.length];
    if (node !== undefined) void inquiry.ask(node);
  }, TICK_MS);

  /** Asks all seeds, since the first one to answer may have the oldest data. */
  async function open(): Promise<void> {
    await Promise.all(inquiry.askSeeds());
    await Promise.all(known.primaries.map(({ backend }) => backend.opened));
  }

  return {
    opened: open(),
    get isWhole() {
      return isWhole();
    },
    primary(slot) {
      if (slot === undefined) return known.primaries.find(({ backend }) => backend.isReady);
      const address = known.topology.owners.get(slot);
      const node = address === undefined ? undefined : nodes.at(address);
      return node?.backend.isReady ? node : undefined;
    },
    async redirected(address, teller, deadline) {
      const full = address.startsWith(":") ? teller.host + address : address;
      if (!known.topology.addresses.has(full)) await inquiry.ask(teller);
      if (!known.topology.addresses.has(full)) return undefined;
      if (closed) throw new NotSent();
      const node = nodes.at(full);
      await within(deadline - performance.now(), node.backend.opened);
      if (!node.backend.isReady) throw new NotSent();
      return node;
    },
    refresh: (teller) => void inquiry.ask(teller),
    close() {
      closed = true;
      clearInterval(timer);
      nodes.close();
    },
  };
}
