import type { Hold } from "../../shared/budget.ts";
import { BadRequest, NotSent } from "../../shared/error-answers.ts";
import { passOn } from "../../shared/receiver.ts";
import { type Backend, type Command, type Reply, repliesOf, type Wanted } from "../backend.ts";
import { isWait, keyOf } from "../commands.ts";
import type { ClusterNode } from "../nodes.ts";
import { asTransaction, transactionResult } from "../transaction.ts";
import type { Seeds } from "../url.ts";
import { allOf, answerPart, deliver, MAX_HOPS, type Part, redirectionOf, withOwnErrors } from "./delivery.ts";
import { slotOf } from "./slot.ts";
import { createSlotTable, type SlotTable } from "./slot-table.ts";

/**
 * How long a request waits for the other nodes once one of them has answered, as a share of the time limit: one that
 * stalls must not take the answers of the others along, whose callers do not wait for ever.
 */
const PATIENCE = 0.2;

const CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot";

function slotOfCommand(command: Command): number | undefined {
  const key = keyOf(command);
  return key === undefined ? undefined : slotOf(key);
}

function nodeOf(table: SlotTable, slot: number | undefined): ClusterNode {
  const node = table.primary(slot);
  if (node === undefined) throw new NotSent();
  return node;
}

/**
 * Groups the commands by node; `undefined` for unreachable ones. A command without a key goes with the first command
 * that has one.
 */
function split(table: SlotTable, commands: readonly Command[]): Map<ClusterNode | undefined, Part> {
  const slots = commands.map(slotOfCommand);
  const keyed = slots.find((slot) => slot !== undefined);
  const parts = new Map<ClusterNode | undefined, Part>();
  for (const [place, command] of commands.entries()) {
    const node = table.primary(slots[place] ?? keyed);
    const part = parts.get(node) ?? { commands: [], places: [] };
    parts.set(node, part);
    part.commands.push(command);
    part.places.push(place);
  }
  return parts;
}

/**
 * A backend of a Redis Cluster: every command is sent to the node of its first key's slot. If some nodes of a request
 * are unreachable or do not answer, the commands for the others are answered.
 *
 * @param seeds some of its nodes, all with the same login, which are asked for the others
 * @param timeoutMs how long an answer may take, redirections included
 */
export function createClusterBackend(seeds: Seeds, timeoutMs: number): Backend {
  const table = createSlotTable(seeds, timeoutMs);

  async function answersTo(commands: readonly Command[], wanted?: Wanted): Promise<readonly Reply[]> {
    const deadline = performance.now() + timeoutMs;
    const parts = split(table, commands);
    if (parts.size > 1 && commands.some(isWait))
      throw new BadRequest("WAIT counts the writes to one node: all keys of its pipeline must be on the same one");
    const replies: Reply[] = commands.map(() => null);
    const late = parts.size > 1 ? new AbortController() : undefined;
    let timer: NodeJS.Timeout | undefined;
    const bounds = { deadline, wanted: late ? { ...wanted, signal: late.signal } : wanted };
    const answered = [...parts].map(async ([node, part]) => {
      const hasReply = await answerPart(replies, part, async () => {
        if (node === undefined) throw new NotSent();
        return deliver(table, node, part.commands, bounds);
      });
      if (hasReply) timer ??= setTimeout(() => late?.abort(), timeoutMs * PATIENCE);
    });
    await allOf(answered).finally(() => clearTimeout(timer));
    return withOwnErrors(replies);
  }

  async function transact(commands: readonly Command[], room?: Hold): Promise<readonly Reply[] | Error> {
    const deadline = performance.now() + timeoutMs;
    const slots = new Set(commands.map(slotOfCommand).filter((slot) => slot !== undefined));
    if (slots.size > 1) return new Error(CROSSSLOT);
    const [slot] = slots;
    let node = nodeOf(table, slot);
    let lead: readonly Command[] = [];
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      const answers = await repliesOf(node.backend, [...lead, ...asTransaction(commands)], { room }, left);
      const replies = answers.slice(lead.length);
      const result = transactionResult(replies);
      const to = result instanceof Error ? replies.map(redirectionOf).find((found) => found !== undefined) : undefined;
      // Redis discarded all of it, so following the redirection of one command sends none twice.
      if (to === undefined) return result;
      if (!to.asking) table.refresh(node);
      const target = await table.redirected(to.address, node, deadline);
      if (target === undefined) return result;
      node = target;
      lead = to.asking ? [["ASKING"]] : [];
    }
    throw new NotSent();
  }

  return {
    opened: table.opened,
    get isReady() {
      return table.isWhole;
    },
    send: (commands, to, wanted) => passOn(answersTo(commands, wanted), to),
    transact,
    // A message published to any node reaches all of them.
    feed: (command) => nodeOf(table, undefined).backend.feed(command),
    at: (key) => table.primary(slotOf(key))?.backend,
    close: () => table.close(),
  };
}
