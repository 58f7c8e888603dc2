import { type Command, elementsOf, type Reply, repliesOf, textOf } from "../backend.ts";
import { createBelief, createInquiry } from "../inquiry.ts";
import { addressOf, type ClusterNode, createNodes, MAX_NODES } from "../nodes.ts";
import type { Seeds } from "../url.ts";

/**
 * How often the Sentinels are asked. A subscription to their announcements could fail silently; by polling, a failover
 * is noticed within 200 ms.
 */
const TICK_MS = 200;

/** The answer of one Sentinel about the servers that it watches. Addresses are `host:port`. */
interface Whereabouts {
  readonly primary: string;
  /** The configuration epoch that the Sentinel knows: it rises with every failover. */
  readonly epoch: number;
  /** The other Sentinels. */
  readonly others: readonly string[];
}

/** A field of a flat list of names and values. */
function field(reply: Reply | undefined, name: string): string {
  const items = elementsOf(reply);
  const at = items.findIndex((item, index) => index % 2 === 0 && textOf(item) === name);
  return at === -1 ? "" : textOf(items[at + 1]);
}

/**
 * Asks a Sentinel; `undefined` if it does not answer in time, or does not know the name. The primary is taken from the
 * first of the three answers: during a failover, the second may have the new epoch with the previous address. The first
 * question is enough for a user who may not ask the others.
 */
async function askSentinel({ backend }: ClusterNode, name: string, withinMs: number): Promise<Whereabouts | undefined> {
  const questions: Command[] = ["GET-MASTER-ADDR-BY-NAME", "MASTER", "SENTINELS"].map((it) => ["SENTINEL", it, name]);
  const [address, master, sentinels] = await repliesOf(backend, questions, undefined, withinMs).catch(() => []);
  const [host, port] = elementsOf(address);
  const primary = addressOf(textOf(host), textOf(port));
  if (primary === undefined) return undefined;
  return {
    primary,
    epoch: Number(field(master, "config-epoch")) || 0,
    others: elementsOf(sentinels)
      .slice(0, MAX_NODES)
      .flatMap((one) => addressOf(field(one, "ip"), field(one, "port")) ?? []),
  };
}

/** Follows the answers of Sentinels as they change. */
export interface Watch {
  /** Resolves when every Sentinel of the URL was asked and the primary that they named was tried. */
  readonly opened: Promise<void>;
  /** Asks all of them now. */
  ask(): void;
  close(): void;
}

export interface Watcher {
  /** Whether commands can be sent to the primary that was found. */
  isWell(): boolean;
  /** Called with the primary's address, possibly repeatedly with the same one. */
  found(primary: string): Promise<void>;
}

export function createWatch(seeds: Seeds, name: string, timeoutMs: number, watcher: Watcher): Watch {
  const nodes = createNodes(seeds, timeoutMs);
  const inquiry = createInquiry(nodes, timeoutMs, (node, withinMs) => askSentinel(node, name, withinMs), take);
  const belief = createBelief();
  const named = new Map<ClusterNode, readonly string[]>();
  let latest: string | undefined;
  let closed = false;

  /** Whether an answer names a former primary. If Sentinels disagree in the same epoch, the reachable primary wins. */
  function isBehind({ primary, epoch }: Whereabouts): boolean {
    const order = belief.compare(epoch);
    return order === "behind" || (order === "same" && primary !== latest && watcher.isWell());
  }

  /** Keeps connections to the Sentinels of the URL and to those that any connected Sentinel knows. */
  function keep(): void {
    for (const node of named.keys()) if (!node.backend.isReady) named.delete(node);
    const known = new Set([...named.values()].flat());
    nodes.keep(known);
    for (const address of known) nodes.at(address);
  }

  async function take(fresh: Whereabouts, node: ClusterNode): Promise<void> {
    if (closed) return;
    named.set(node, fresh.others);
    keep();
    if (isBehind(fresh)) return;
    latest = fresh.primary;
    belief.renew(fresh.epoch);
    await watcher.found(fresh.primary);
  }

  const askAll = (): void => {
    for (const node of nodes.ready()) void inquiry.ask(node);
  };
  const timer = setInterval(askAll, TICK_MS);

  async function open(): Promise<void> {
    const answered = inquiry.askSeeds();
    // One Sentinel that knows the primary is enough: the host of another may not answer.
    await Promise.any([...answered.map((it) => it.then(requireFound)), Promise.all(answered)]);
  }

  function requireFound(): void {
    if (latest === undefined) throw new Error("not this one");
  }

  return {
    opened: open(),
    ask: askAll,
    close() {
      closed = true;
      clearInterval(timer);
      nodes.close();
    },
  };
}
