import type { Command, Reply } from "../backend.ts";
import type { ClusterNode } from "../nodes.ts";

/** What one Sentinel says of the servers that it watches. Addresses are `host:port`. */
export interface Whereabouts {
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
export async function askSentinel(
  { backend }: ClusterNode,
  name: string,
  withinMs: number,
): Promise<Whereabouts | undefined> {
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
