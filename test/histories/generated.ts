/** Histories from a small lock server of their own, in virtual time: good ones, in which tests plant faults. */
import type { Action, Operation, Status } from "../../verification/histories/history.ts";
import { createRandom, type Random } from "../../verification/histories/random.ts";
import { hasAttempts, type Workload } from "../../verification/histories/workloads.ts";

interface ServerHold {
  readonly id: number;
  readonly owner: string;
  readonly side: "read" | "write";
  readonly permits: number;
  readonly token: number;
  readonly ends: number;
}

/** What the server knows of one name. */
interface Server {
  holds: ServerHold[];
  last: number;
  written: number;
  /** By slot; a once and a message have one. */
  attempts: Record<string, Attempts>;
  /** The hold of the ticket; 0 without one. */
  ticket: number;
}

/** What the server knows of the attempts of a slot. */
interface Attempts {
  readonly count: number;
  readonly newest: number;
  readonly done?: { readonly value: string; readonly token: number };
}

interface Session {
  readonly name: string;
  next: number;
  holds: Operation[];
}

type Outcome = Pick<Operation, "status"> & Partial<Operation>;

const LEASES = [60, 160, 400];
/** Early enough for a test to put operations before the first one. */
const START = 1000;
/** An id that no other operation has. */
const TICKET = 90_000;

function joins({ kind, rules }: Workload, { holds }: Server, asked: Operation): ServerHold | undefined {
  const { side, reentryKey } = asked;
  if (kind === "readWriteLock") return side === "read" ? holds.find((hold) => hold.side === "read") : undefined;
  return rules.reentrant ? holds.find(({ owner }) => owner === reentryKey) : undefined;
}

function isFree(workload: Workload, server: Server, asked: Operation): boolean {
  const holds = server.holds.filter(({ id }) => id !== server.ticket);
  const { permits = 0 } = workload.rules;
  if (permits > 0) return holds.reduce((used, hold) => used + hold.permits, asked.permits) <= permits;
  return holds.length === 0 || joins(workload, server, asked) !== undefined;
}

function grant(workload: Workload, server: Server, asked: Operation, now: number): Outcome {
  const { slot } = asked;
  const { count, done } = attemptsOf(server, slot);
  if (done) return { action: "result", status: "ok", ...done };
  if (!isFree(workload, server, asked)) {
    const isOwn = asked.reentryKey !== "" && server.holds.some(({ owner }) => owner === asked.reentryKey);
    return { status: isOwn ? "own" : "refused" };
  }
  const ticket = server.holds.find((hold) => hold.id === server.ticket);
  const token = (ticket ?? joins(workload, server, asked))?.token ?? server.last + 10;
  const { id, reentryKey: owner, side, permits, lease } = asked;
  server.last = token;
  server.holds.push({ id, owner, side, permits, token, ends: now + lease });
  if (!hasAttempts(workload.kind)) return { status: "ok", token };
  const attempt = count + 1;
  server.attempts[slot] = { count: attempt, newest: id };
  return { status: "ok", token, attempt };
}

const attemptsOf = ({ attempts }: Server, slot: string): Attempts => attempts[slot] ?? { count: 0, newest: 0 };

function serve(workload: Workload, server: Server, asked: Operation, now: number): Outcome {
  server.holds = server.holds.filter(({ ends }) => ends > now);
  const { action, hold, token, lease, value, slot } = asked;
  const own = server.holds.find(({ id }) => id === hold);
  const found = { status: own ? "ok" : "lost" } as const;
  const end = (): void => {
    const isTicket = (each: ServerHold): boolean => each.id === server.ticket && each.token === token;
    server.holds = server.holds.filter((each) => each !== own && !isTicket(each));
  };
  const mine = attemptsOf(server, slot);
  switch (action) {
    case "acquire":
    case "begin":
      return grant(workload, server, asked, now);
    case "write":
      if (token < server.written) return { status: "refused" };
      server.written = token;
      return { status: "ok" };
    case "extend":
      server.holds = server.holds.map((each) =>
        each === own || (own && each.id === server.ticket && each.token === token)
          ? { ...each, ends: Math.max(each.ends, now + lease) }
          : each,
      );
      return found;
    case "complete":
      if (mine.newest !== hold) return { status: "lost" };
      end();
      server.attempts[slot] = { ...mine, done: { value, token } };
      return { status: "ok" };
    case "release":
    case "fail":
      end();
      return action === "fail" && workload.kind !== "once" ? { status: "ended" } : found;
    default:
      return found;
  }
}

/** What a session asks next. */
function ask(workload: Workload, random: Random, session: Session, id: number): Operation {
  const { kind, rules, reads = 0, reentryKeys, writes, slots } = workload;
  const call = session.next;
  const held = session.holds.at(-1);
  const base = {
    ...{ id, client: session.name, call, ret: call, attempt: 0 },
    reentryKey: reentryKeys ? session.name : "",
  };
  if (!held || (rules.reentrant && session.holds.length < 3 && random.chance(0.3))) {
    const permits = rules.permits ? Math.floor(random.between(1, rules.permits)) : 0;
    const side = random.chance(reads) ? "read" : "write";
    const action = hasAttempts(kind) ? "begin" : "acquire";
    const slot = slots ? random.pick(slots) : "";
    const rest = { lease: random.pick(LEASES), side, permits, token: 0, slot, value: "" } as const;
    return { ...base, ...rest, action, hold: id, status: "ok" };
  }
  const others: Action[] = writes
    ? ["extend", "verify", "release", "release", "write", "write"]
    : ["extend", "verify", "release"];
  const ends: Action[] = kind === "once" ? ["fail", "fail", "complete"] : ["fail", "fail", "complete", "extend"];
  const action = random.pick<Action>(hasAttempts(kind) ? ends : others);
  const { hold, side, token, slot } = held;
  const lease = action === "extend" ? random.pick(LEASES) : 0;
  const value = action === "complete" ? `result ${id}` : "";
  return { ...base, action, hold, side, token, lease, permits: 0, slot, value, status: "ok" };
}

/** The acquisition of the lock that is handed over, before the sessions begin. */
function issue(server: Server, random: Random): Operation {
  const times = { call: START - 3, ret: START - 1 };
  const base = { id: TICKET, hold: TICKET, client: "a", reentryKey: "", side: "write", permits: 0 } as const;
  const lease = 2 * random.pick(LEASES);
  server.last = 5;
  server.ticket = TICKET;
  server.holds.push({ ...base, owner: "", token: 5, ends: START - 2 + lease });
  return { ...base, ...times, action: "acquire", status: "ok", lease, token: 5, attempt: 0, slot: "", value: "" };
}

/** A history of three sessions that a lock server explains; the operations are in the order of their effects. */
export function generate(workload: Workload, seed: number, length: number, unknownShare = 0.05): Operation[] {
  const random = createRandom(seed);
  const server: Server = { holds: [], last: 0, written: 0, attempts: {}, ticket: 0 };
  const sessions = ["a", "b", "c"].map((name): Session => ({ name, next: START + random.between(0, 5), holds: [] }));
  const history: Operation[] = workload.kind === "handOver" ? [issue(server, random)] : [];
  const open = sessions.map((session, index) => ({ session, asked: ask(workload, random, session, index + 1), at: 0 }));
  for (const each of open) each.at = each.asked.call + random.between(0.1, 4);
  while (history.length < length) {
    const turn = open.reduce((first, each) => (each.at < first.at ? each : first));
    const { session, asked, at } = turn;
    const isUnknown = random.chance(unknownShare);
    // Of the unknown ones half are never done.
    const outcome = isUnknown && random.chance(0.5) ? {} : serve(workload, server, asked, at);
    const ret = at + random.between(0.1, 4);
    const seen = isUnknown ? { ret: Infinity, status: "unknown" as Status } : { ret, ...outcome };
    const operation = { ...asked, ...seen };
    history.push(operation);
    const { action, status, hold } = operation;
    if (status === "ok" && (action === "acquire" || action === "begin")) session.holds.push(operation);
    const isEnd = action === "release" || action === "fail" || action === "complete";
    if (isEnd || status === "lost" || random.chance(0.05))
      session.holds = session.holds.filter((held) => held.hold !== hold);
    session.next = ret + random.between(0.1, random.chance(0.15) ? 300 : 8);
    turn.asked = ask(workload, random, session, history.length + 3);
    turn.at = turn.asked.call + random.between(0.1, 4);
  }
  return history;
}
