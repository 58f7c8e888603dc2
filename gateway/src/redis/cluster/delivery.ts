import { NoAnswer, NotSent, ReplyTooLarge } from "../../shared/error-answers.ts";
import { type Command, type Reply, repliesOf, type Wanted } from "../backend.ts";
import { factsOf, isWait } from "../commands.ts";
import type { ClusterNode } from "../nodes.ts";
import type { SlotTable } from "./slot-table.ts";

/** The maximum number of redirections in a row. With more, the cluster contradicts itself, and the caller may retry. */
export const MAX_HOPS = 5;

/** A reply that names another node for a key. The command that it answers did not run. */
export interface Redirection {
  /** `host:port`; an empty host means the host of the node that answered. */
  readonly address: string;
  /** Whether the slot is moving (ASK): the other node accepts the command only after ASKING. */
  readonly asking: boolean;
}

const REDIRECTION = /^(MOVED|ASK) \d+ (\S*:\d+)$/;

/** Reads a redirection; `undefined` for any other reply. */
export function redirectionOf(reply: Reply): Redirection | undefined {
  const match = reply instanceof Error ? REDIRECTION.exec(reply.message) : null;
  return match === null ? undefined : { address: match[2] ?? "", asking: match[1] === "ASK" };
}

const ASKING: Command = ["ASKING"];

/** The limits of a request, however often it is redirected. */
interface Bounds {
  /** The time after which nothing more is sent, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly wanted: Wanted | undefined;
}

async function sendTo(node: ClusterNode, commands: readonly Command[], asking: boolean, { deadline, wanted }: Bounds) {
  const withinMs = deadline - performance.now();
  if (withinMs <= 0 || wanted?.signal?.aborted === true) throw new NotSent();
  if (!asking) return repliesOf(node.backend, commands, wanted, withinMs);
  const redirected = commands.flatMap((command) => [ASKING, command]);
  const replies = await repliesOf(node.backend, redirected, wanted, withinMs);
  return replies.filter((_, at) => at % 2 === 1);
}

/** The commands of a request for one node, and their places in the request. */
export interface Part {
  readonly commands: Command[];
  readonly places: number[];
}

interface Onward extends Part {
  readonly to: Redirection;
}

function redirections(commands: readonly Command[], replies: readonly Reply[]): Onward[] {
  const onward = new Map<string, Onward>();
  for (const [place, command] of commands.entries()) {
    const to = redirectionOf(replies[place] ?? null);
    if (to === undefined) continue;
    const key = `${to.asking} ${to.address}`;
    const group = onward.get(key) ?? { to, commands: [], places: [] };
    onward.set(key, group);
    group.commands.push(command);
    group.places.push(place);
  }
  return [...onward.values()];
}

const countOf = (parts: readonly Part[]): number => parts.reduce((sum, { places }) => sum + places.length, 0);

/**
 * Redirects a request with WAIT as a whole. WAIT counts on the node that receives it, so it must follow the writes, and
 * all of them must be sent to one node: otherwise its number would mean nothing.
 */
function withWait(commands: readonly Command[], onward: readonly Onward[]): Onward {
  const [first, second] = onward;
  if (countOf(onward) < commands.filter((command) => !isWait(command)).length) throw new NoAnswer();
  if (first === undefined || second !== undefined) throw new NotSent();
  return { to: first.to, commands: [...commands], places: [...commands.keys()] };
}

/**
 * Sends commands to one node of a cluster and follows its redirections. A redirected command did not run, so it is not
 * sent twice. A command without a reply has the reason in its place: {@link NotSent} or {@link NoAnswer}.
 *
 * @throws {ReplyTooLarge} for all commands together
 */
export async function deliver(
  table: SlotTable,
  node: ClusterNode,
  commands: readonly Command[],
  bounds: Bounds,
  asking = false,
  tried: readonly ClusterNode[] = [],
): Promise<readonly Reply[]> {
  const replies = [...(await sendTo(node, commands, asking, bounds))];
  const all = [...tried, node];
  const onward = redirections(commands, replies);
  if (onward.length === 0) return replies;
  if (onward.some(({ to }) => !to.asking)) table.refresh(node);
  const parts = commands.some(isWait) ? [withWait(commands, onward)] : onward;
  const answered = parts.map((part) =>
    answerPart(replies, part, async () => {
      const target = await table.redirected(part.to.address, node, bounds.deadline);
      if (target === undefined) return part.places.map((place) => replies[place] ?? null);
      // Nodes contradict each other, or a script ran and made up the redirection: it must not run again.
      if (all.includes(target)) throw part.commands.some(isScript) ? new NoAnswer() : new NotSent();
      if (all.length > MAX_HOPS) throw new NotSent();
      return deliver(table, target, part.commands, bounds, part.to.asking, all);
    }),
  );
  await allOf(answered);
  return replies;
}

/** Whether a command runs code of its caller, whose answer can look like any other. */
const isScript = (command: Command): boolean =>
  factsOf(command).script !== undefined || /^fcall(_ro)?$/i.test(String(command[0]));

/** Whether an outcome is the reason that a command has no reply. */
const isMissing = (outcome: unknown): outcome is NotSent | NoAnswer =>
  outcome instanceof NotSent || (outcome instanceof NoAnswer && !(outcome instanceof ReplyTooLarge));

/**
 * Puts the replies to a part at the positions of its commands; if it fails, the reason that they have none.
 *
 * @returns whether any of them has a reply
 */
export async function answerPart(
  replies: Reply[],
  { places }: Part,
  ask: () => Promise<readonly Reply[]>,
): Promise<boolean> {
  const answers = await ask().catch((error: unknown) => {
    if (isMissing(error)) return places.map(() => error);
    throw error;
  });
  for (const [index, place] of places.entries()) replies[place] = answers[index] ?? null;
  return !answers.every(isMissing);
}

/** Waits for all parts of a request, so that none of them holds memory for a request that has ended. */
export async function allOf(parts: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(parts);
  const failed = settled.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/**
 * The replies to a request; a command without one has its own error. Clients may retry after CLUSTERDOWN, which Redis
 * itself uses; after NOANSWER, they must not expect that the command did not run.
 *
 * @throws {NotSent} if nothing was sent
 * @throws {NoAnswer} if everything was sent, and nothing was answered
 */
export function withOwnErrors(outcomes: readonly Reply[]): readonly Reply[] {
  const [first] = outcomes;
  for (const Reason of [NotSent, NoAnswer])
    if (first instanceof Reason && outcomes.every((outcome) => outcome instanceof Reason)) throw first;
  return outcomes.map((outcome) => {
    if (!isMissing(outcome)) return outcome;
    return new Error(`${outcome instanceof NotSent ? "CLUSTERDOWN" : "NOANSWER"} ${outcome.message}`);
  });
}
