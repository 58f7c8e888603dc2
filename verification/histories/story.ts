/** A story: several clients use one name concurrently, and all their operations are recorded. */
import type { Client } from "./clients.ts";
import type { Action, Operation } from "./history.ts";
import type { Answer, Order } from "./orders.ts";
import { pause, type Random } from "./random.ts";
import { hasAttempts, type Workload } from "./workloads.ts";

export interface Stage {
  readonly clients: readonly Client[];
  readonly random: Random;
  /** The share of callers that wait, of kinds that can. */
  readonly waiting: number;
  /** The leases of holders, in ms. */
  readonly leases: readonly number[];
  /** A number that was not used before. */
  nextId(): number;
  /** Whether stories should end. */
  isOver(): boolean;
}

export interface Story {
  readonly name: string;
  readonly workload: Workload;
  readonly history: readonly Operation[];
  /** The number of operations that got no result: their outcome is unknown, or they failed with an error. */
  readonly unanswered: number;
  /** The number of messages that its clients heard meanwhile. */
  readonly heard: number;
  /** Client errors that are not outcomes. */
  readonly errors: readonly string[];
}

/** A hold or the attempt of a once, with its owner. */
interface Taken {
  readonly order: Order;
  readonly client: Client;
  readonly generation: number;
  readonly token: number;
  /** What its completion stores. */
  readonly result: string;
}

/** The number of sessions that use the name, and the attempts of each to acquire it. */
const SESSIONS = 3;
const ROUNDS = 10;
/** More operations without an outcome would make the search too long. */
const MAX_UNKNOWN = 6;
const MAX_DOUBLINGS = 3;
/** Those who get the tickets of one lock: they may share its token. */
const CONSUMERS = "consumers";

/** The record of an answer that has just arrived. @param passed the token that was passed to a resource */
function operationOf(order: Order, answer: Answer, passed = 0): Omit<Operation, "client" | "call"> {
  const { id, hold, reentryKey, lease, side, permits, slot } = order;
  const { status, token = 0, attempt = 0, value = order.value, done, isFailed } = answer;
  const action = done ? "result" : isFailed ? "fail" : order.action;
  const ret = status === "unknown" ? Infinity : performance.now();
  return {
    ...{ id, action, status, hold, reentryKey, lease, side, permits },
    ...{ ret, attempt, slot, value, token: token || passed },
  };
}

function createRecorder(name: string, { kind, rules, apart = false }: Workload, { nextId }: Stage) {
  const history: Operation[] = [];
  const errors: string[] = [];
  let unknown = 0;
  let unanswered = 0;
  let heard = 0;
  /** The number of operations without an answer since the last one with an answer. */
  let troubles = 0;

  async function ask(
    client: Client,
    action: Action,
    given: Partial<Order>,
  ): Promise<Answer & { readonly order: Order }> {
    const id = nextId();
    const order: Order = {
      ...{ id, kind, name, action, hold: id, reentryKey: "", lease: 0, wait: 0, side: "write", permits: 0, value: "" },
      reentrant: rules.reentrant ?? false,
      max: rules.permits ?? 0,
      ...{ slot: "", ticket: "", apart },
      ...given,
    };
    const call = performance.now();
    const answer = await client.ask(order);
    const { status, error, isError } = answer;
    heard += answer.heard ?? 0;
    if (error) errors.push(`${client.name}, ${kind}, ${action}: ${error}`);
    if (status === "unknown") unknown++;
    const isAnswered = status !== "unknown" && isError !== true;
    troubles = isAnswered ? 0 : troubles + 1;
    if (!isAnswered) unanswered++;
    const { token: passed } = given as { token?: number };
    history.push({ ...operationOf(order, answer, passed), client: client.name, call });
    return { ...answer, order };
  }

  /** One operation on a hold, if its process is still alive. */
  async function about({ order, client, generation, token }: Taken, action: Action, given: Partial<Order> = {}) {
    if (client.generation !== generation) return;
    const { id: hold, reentryKey, side, slot } = order;
    await ask(client, action, { hold, reentryKey, side, slot, ...given, ...({ token } as object) });
  }

  return {
    history,
    errors,
    ask,
    about,
    troubles: () => troubles,
    isMurky: () => unknown >= MAX_UNKNOWN,
    unanswered: () => unanswered,
    heard: () => heard,
  };
}

type Recorder = ReturnType<typeof createRecorder>;

/** Who asks for the name: the session's re-entry key where the workload has some, and the ticket of its message. */
interface Caller {
  readonly reentryKey: string;
  readonly ticket: string;
}

/** Acquires the lock that is handed over. Without a ticket, the story is over. */
async function issueTicket({ ask }: Recorder, { clients, random, leases }: Stage): Promise<string | undefined> {
  // Longer than an attempt, so that a later one may be under the same ticket.
  const lease = 2 * random.pick(leases);
  return (await ask(random.pick(clients), "acquire", { reentryKey: CONSUMERS, lease })).ticket;
}

async function take(
  { ask }: Recorder,
  { reads = 0, rules, waits, kind, slots }: Workload,
  { clients, random, waiting, leases }: Stage,
  { reentryKey, ticket }: Caller,
  from?: Client,
): Promise<Taken | undefined> {
  const client = from ?? random.pick(clients);
  const { generation } = client;
  const {
    status,
    order,
    token = 0,
    result = `result ${order.id}`,
    done,
  } = await ask(client, hasAttempts(kind) ? "begin" : "acquire", {
    ...{ reentryKey, ticket },
    lease: random.pick(leases),
    wait: waits && random.chance(waiting) ? Math.round(random.between(20, 400)) : random.chance(0.2) ? -1 : 0,
    side: random.chance(reads) ? "read" : "write",
    permits: rules.permits ? Math.floor(random.between(1, rules.permits)) : 0,
    ...(slots && { slot: random.pick(slots) }),
  });
  return status === "ok" && !done ? { order, client, generation, token, result } : undefined;
}

/**
 * The work of a holder, and how it ends: most holders release, some do not, and some release after the lease has ended.
 */
async function hold(
  recorder: Recorder,
  workload: Workload,
  stage: Stage,
  caller: Caller,
  taken: Taken,
  depth = 0,
): Promise<void> {
  const { random } = stage;
  const { about } = recorder;
  const { kind, writes, rules } = workload;
  const isForeign = kind === "naive" || kind === "upstash";
  const { lease } = taken.order;
  if (writes && random.chance(0.6)) await about(taken, "write");
  if (random.chance(0.5)) await pause(random.between(0, random.chance(0.15) ? lease * 1.2 : 8));
  if (rules.reentrant && depth < 2 && random.chance(0.4)) {
    const again = await take(recorder, workload, stage, caller, taken.client);
    if (again) await hold(recorder, workload, stage, caller, again, depth + 1);
  }
  if (!isForeign && kind !== "once") {
    if (random.chance(0.2)) await about(taken, "extend", { lease: random.pick(stage.leases) });
    if (!hasAttempts(kind) && random.chance(0.1)) await about(taken, "verify");
    if (writes && random.chance(0.4)) await about(taken, "write");
  }
  if (random.chance(0.08)) return;
  if (!hasAttempts(kind)) await about(taken, "release");
  else if (random.chance(0.3)) await about(taken, "complete", { value: taken.result });
  else await about(taken, "fail");
}

/** A message is worked on in one invocation, which the requests of later orders to a Worker cannot reach. */
const ableClients = ({ kind }: Workload, clients: readonly Client[]): readonly Client[] =>
  kind === "handOver" ? clients.filter(({ name }) => !name.startsWith("workerd")) : clients;

/**
 * The pause of a session that got nothing, in ms. While servers are away, it grows: operations that begin then say
 * little, and a crowd of them would keep servers from coming back.
 */
function restMs(random: Random, troubles: number): number {
  if (troubles === 0) return random.between(1, 40);
  return random.between(100, 500) * 2 ** Math.min(troubles - 1, MAX_DOUBLINGS);
}

/** Runs a story, and resolves when all its clients have finished. */
export async function play(name: string, workload: Workload, all: Stage): Promise<Story> {
  const stage = { ...all, clients: ableClients(workload, all.clients) };
  const recorder = createRecorder(name, workload, stage);
  const { random } = stage;
  const { history, errors, unanswered, heard } = recorder;
  const end = (): Story => ({ name, workload, history, errors, unanswered: unanswered(), heard: heard() });
  const ticket = workload.kind === "handOver" ? await issueTicket(recorder, stage) : "";
  if (ticket === undefined) return end();
  const session = async (key: string): Promise<void> => {
    const caller = { reentryKey: ticket ? CONSUMERS : workload.reentryKeys ? key : "", ticket };
    for (let round = 0; round < ROUNDS && !recorder.isMurky() && !stage.isOver(); round++) {
      const taken = await take(recorder, workload, stage, caller);
      if (taken) await hold(recorder, workload, stage, caller, taken);
      else await pause(restMs(random, recorder.troubles()));
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, index) => session(`session ${index}`)));
  return end();
}
