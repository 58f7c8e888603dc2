import type { Command, Outcome } from "../../../src/redis/port.ts";

/** The commands of names-inspect, without those for crowds: the script itself, TIME and MGET. */
const NAMES_CALLS = 3;
/** The same of name-inspect: the script itself, TIME and GET. */
const NAME_CALLS = 3;
/** Commands that count a crowd, by kind. A lock and a `once` have none. */
const CROWD_CALLS: Readonly<Record<string, number>> = { fair: 2, rw: 3, semaphore: 2, counter: 2, latch: 2 };
/** Positions of the fields in the reply of name-inspect. */
const [TYPE_AT, MANY_AT, WAITING_AT, BEHIND_AT] = [2, 8, 9, 10];

/** The commands for counting the crowd of one name and finding the end of its last hold. */
const forCrowd = (kind: string, many: number): number =>
  Object.hasOwn(CROWD_CALLS, kind) ? (CROWD_CALLS[kind] ?? 0) + (many > 0 ? 1 : 0) : 0;

/** The commands of a reply of names-inspect. Its entries are arrays that begin with a number and a digest. */
function forNames(entries: string, probes: number): number {
  const parsed = JSON.parse(entries) as readonly (readonly string[])[];
  const crowds = parsed
    .filter(([, , status]) => status === "live")
    .map((entry) => forCrowd(`${entry[TYPE_AT + 1]}`, Number(entry[MANY_AT + 1])));
  return crowds.reduce((sum, each) => sum + each, NAMES_CALLS + probes);
}

/**
 * Returns the number of Redis commands of a command, including those in leasehold's scripts, as Upstash bills them. It
 * uses the reply; any reply that is not from a script for names counts as one.
 */
export function billedFor(command: Command, outcome: Outcome): number {
  // Answered by the gateway, from memory.
  if (`${command[0]}`.startsWith("LEASEHOLD.") && outcome.type === "answered") return 0;
  const reply: readonly unknown[] = outcome.type === "answered" && Array.isArray(outcome.result) ? outcome.result : [];
  if (!`${command[0]}`.startsWith("EVAL")) return 1;
  const [status] = reply;
  if (status === "names") return forNames(`${reply[2]}`, Number(reply[3]));
  if (status !== "live") return reply.length > 0 ? NAME_CALLS : 1;
  const [kind, many] = [`${reply[TYPE_AT]}`, Number(reply[MANY_AT])];
  if (Number(command.at(-1)) === 0) return NAME_CALLS + forCrowd(kind, many);
  // The holders, and their requests.
  const forHolders = many > 0 ? 2 : 0;
  // The places and the deadlines of a queue, or the waiters of both sides of a read-write lock.
  const waiters = Number(reply[WAITING_AT]) + Number(reply[BEHIND_AT]);
  return NAME_CALLS + forCrowd(kind, many) + forHolders + (waiters > 0 ? 2 : 0);
}
