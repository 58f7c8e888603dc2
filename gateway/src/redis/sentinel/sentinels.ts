import type { Command, Reply } from "../backend.ts";
import { type ClusterNode, createNodes } from "../nodes.ts";
import type { Seeds } from "../url.ts";

/**
 * How often the Sentinels are asked. Questions and not a subscription to what they announce, since a subscription can die without
 * a word: a failover is known here 200 ms after them at the latest.
 */
const TICK_MS = 200;
const ASK_MS = 500;
/** For so long an answer that is behind the one before is not believed. */
const BEHIND_MS = 10_000;

/** What one Sentinel says of the servers that it watches. Addresses are `host:port`. */
interface Whereabouts {
  /** Where the primary is. */
  readonly primary: string;
  /** The configuration epoch that the Sentinel has heard of: it rises with every failover. */
  readonly epoch: number;
  /** The other Sentinels. */
  readonly others: readonly string[];
}

const text = (reply: Reply | undefined): string => (Buffer.isBuffer(reply) ? reply.toString() : "");
const list = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : []);

/** A flat list of names and values. */
function field(reply: Reply | undefined, name: string): string {
  const at = list(reply).findIndex((item, index) => index % 2 === 0 && text(item) === name);
  return at === -1 ? "" : text(list(reply)[at + 1]);
}

/**
 * Asks a Sentinel; `undefined` when it does not answer in time, or does not know the name. Where the primary is comes from the
 * first of the three answers: while a failover is under way, the second may have its epoch with the address of before. A user who
 * may ask the first question only gets along without the others.
 */
async function askSentinel({ backend }: ClusterNode, name: string, withinMs: number): Promise<Whereabouts | undefined> {
  const questions: Command[] = ["GET-MASTER-ADDR-BY-NAME", "MASTER", "SENTINELS"].map((it) => ["SENTINEL", it, name]);
  const [address, master, sentinels] = await backend.send(questions, undefined, withinMs).catch(() => []);
  const [host, port] = list(address);
  if (text(host) === "" || text(port) === "") return undefined;
  return {
    primary: `${text(host)}:${text(port)}`,
    epoch: Number(field(master, "config-epoch")) || 0,
    others: list(sentinels).map((one) => `${field(one, "ip")}:${field(one, "port")}`),
  };
}

/** What Sentinels say, as it changes. */
export interface Watch {
  /** Resolves when every Sentinel of the URL has been asked and what they named was tried, well or not. */
  readonly opened: Promise<void>;
  /** Asks them all now. */
  ask(): void;
  close(): void;
}

export interface Watcher {
  /** Whether commands can be sent to what was found. */
  isWell(): boolean;
  /** Is told where the primary is, the same place again and again. */
  found(primary: string): Promise<void>;
}

export function createWatch(seeds: Seeds, name: string, timeoutMs: number, watcher: Watcher): Watch {
  const nodes = createNodes(seeds, timeoutMs);
  const asking = new Map<ClusterNode, Promise<void>>();
  const named = new Map<ClusterNode, readonly string[]>();
  let latest: Pick<Whereabouts, "primary" | "epoch"> | undefined;
  let takenAt = 0;
  let closed = false;

  /**
   * A Sentinel that was cut off believes in the primary of before, and comes back with it. Where the epoch is the same, and the
   * Sentinels do not agree, the primary that is there wins.
   */
  function isBehind({ primary, epoch }: Whereabouts): boolean {
    if (latest === undefined || performance.now() - takenAt > BEHIND_MS) return false;
    return epoch < latest.epoch || (epoch === latest.epoch && primary !== latest.primary && watcher.isWell());
  }

  /** Connections to those of the URL, and to those that one of them or of these knows. */
  function keep(): void {
    for (const node of named.keys()) if (!node.backend.isReady) named.delete(node);
    const known = new Set([...named.values()].flat());
    nodes.keep(known);
    for (const address of known) nodes.at(address);
  }

  async function take(node: ClusterNode, fresh: Whereabouts): Promise<void> {
    if (closed) return;
    named.set(node, fresh.others);
    keep();
    if (isBehind(fresh)) return;
    latest = fresh;
    takenAt = performance.now();
    await watcher.found(fresh.primary);
  }

  function ask(node: ClusterNode): Promise<void> {
    const running = asking.get(node);
    if (running !== undefined) return running;
    const answered = askSentinel(node, name, Math.min(ASK_MS, timeoutMs)).then((fresh) => {
      asking.delete(node);
      return fresh === undefined ? undefined : take(node, fresh);
    });
    asking.set(node, answered);
    return answered;
  }

  const askAll = (): void => {
    for (const node of nodes.ready()) void ask(node);
  };
  const timer = setInterval(askAll, TICK_MS);

  async function open(): Promise<void> {
    const asked = seeds.map(async ({ host, port }) => {
      const seed = nodes.at(`${host}:${port}`);
      await seed.backend.opened;
      if (seed.backend.isReady) await ask(seed);
    });
    // One that knows is enough: another may be a host that nobody answers for.
    await Promise.any([...asked.map((it) => it.then(requireFound)), Promise.all(asked)]);
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
