import { NotSent } from "../../shared/errors.ts";
import { within } from "../../shared/time-limit.ts";
import { type ClusterNode, createNodes } from "../nodes.ts";
import type { Seeds } from "../url.ts";
import { askTopology, type Topology } from "./topology.ts";

const SLOTS = 16_384;
/** How often it is looked whether all is well, and how old the table may become while it is. */
const TICK_MS = 200;
const FRESH_MS = 2_000;
const ASK_MS = 500;
/** For so long a table that is behind the one before is not believed. */
const BEHIND_MS = 10_000;

/** Which node has which slot, as the cluster says. */
export interface SlotTable {
  /** Resolves when every seed has been asked, and each primary that they know tried, well or not. */
  readonly opened: Promise<void>;
  /** True while every slot has a primary that commands can be sent to. */
  readonly isWhole: boolean;
  /** The primary of a slot, or of any where none is given; `undefined` when it cannot be reached. */
  primary(slot: number | undefined): ClusterNode | undefined;
  /**
   * The node that `teller` sends a command to, once commands can be sent to it. `undefined` when it is no node of this cluster: a
   * script can answer with a redirection to anywhere, and the password would go there.
   *
   * @throws {NotSent} when it cannot be reached before the deadline
   */
  redirected(address: string, teller: ClusterNode, deadline: number): Promise<ClusterNode | undefined>;
  /** Asks a node, of which a redirection shows that it knows better, for the slots of all. */
  refresh(teller: ClusterNode): void;
  close(): void;
}

export function createSlotTable(seeds: Seeds, timeoutMs: number): SlotTable {
  const nodes = createNodes(seeds, timeoutMs);
  const asking = new Map<ClusterNode, Promise<void>>();
  let topology: Topology = { owners: new Map(), addresses: new Set(), epoch: 0 };
  let primaries: readonly ClusterNode[] = [];
  let takenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  let closed = false;

  const age = (): number => performance.now() - takenAt;

  /**
   * A node that was cut off or stood still believes in what was before; whoever follows it would write to a primary of the past.
   * Still, it names nodes of the cluster.
   */
  function take(fresh: Topology): void {
    if (closed) return;
    if (fresh.epoch < topology.epoch && age() < BEHIND_MS) {
      topology = { ...topology, addresses: new Set([...topology.addresses, ...fresh.addresses]) };
      return;
    }
    topology = fresh;
    takenAt = performance.now();
    nodes.keep(fresh.addresses);
    // In an order that does not depend on who was asked: SCAN goes to the first one with every cursor.
    primaries = [...new Set(fresh.owners.values())].sort().map(nodes.at);
  }

  function ask(node: ClusterNode): Promise<void> {
    const running = asking.get(node);
    if (running !== undefined) return running;
    const answered = askTopology(node, Math.min(ASK_MS, timeoutMs)).then((fresh) => {
      asking.delete(node);
      if (fresh !== undefined) take(fresh);
    });
    asking.set(node, answered);
    return answered;
  }

  const isWhole = (): boolean => topology.owners.size === SLOTS && primaries.every(({ backend }) => backend.isReady);

  const timer = setInterval(() => {
    if (isWhole() && age() < FRESH_MS) return;
    const ready = nodes.ready();
    const node = ready[turn++ % ready.length];
    if (node !== undefined) void ask(node);
  }, TICK_MS);

  /** All seeds are asked, since the first one to answer may be the one that knows least. */
  async function open(): Promise<void> {
    const asked = seeds.map(async ({ host, port }) => {
      const seed = nodes.at(`${host}:${port}`);
      await seed.backend.opened;
      if (seed.backend.isReady) await ask(seed);
    });
    await Promise.all(asked);
    await Promise.all(primaries.map(({ backend }) => backend.opened));
  }

  return {
    opened: open(),
    get isWhole() {
      return isWhole();
    },
    primary(slot) {
      if (slot === undefined) return primaries.find(({ backend }) => backend.isReady);
      const address = topology.owners.get(slot);
      const node = address === undefined ? undefined : nodes.at(address);
      return node?.backend.isReady ? node : undefined;
    },
    async redirected(address, teller, deadline) {
      const full = address.startsWith(":") ? teller.host + address : address;
      if (!topology.addresses.has(full)) await ask(teller);
      if (!topology.addresses.has(full)) return undefined;
      if (closed) throw new NotSent();
      const node = nodes.at(full);
      await within(deadline - performance.now(), node.backend.opened);
      if (!node.backend.isReady) throw new NotSent();
      return node;
    },
    refresh: (teller) => void ask(teller),
    close() {
      closed = true;
      clearInterval(timer);
      nodes.close();
    },
  };
}
