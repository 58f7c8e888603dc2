/**
 * The client's side of the protocol, and how it is used. It sees the world through a {@link Port} only: whatever else
 * does so, the real client included, could stand in its place.
 */
import type { Answer, Request } from "./server.ts";
import { between, Future, type Random, type Task, wait } from "./simulation.ts";

/** All that a client has of the world. Times are ms, by a clock that no one sets. */
export interface Port {
  readonly servers: number;
  readonly random: Random;
  readonly witness: ClientWitness;
  now(): number;
  /** Since 1970, as far as the client knows. */
  wallTime(): number;
  freshId(): string;
  sleep(ms: number): Future<void>;
  /** Sends once; undefined when there was no answer within the limit. One that comes later is not seen. */
  send(server: number, request: Request, limitMs: number): Future<Answer | undefined>;
  /** Runs a task beside the one that asks for it. */
  fork<T>(task: Task<T>): Future<T>;
}

interface Grant {
  readonly id: string;
  readonly token: number;
  /** When the attempt began, and until when the holder counts on it. */
  readonly startedAt: number;
  readonly validUntil: number;
}

/** Is told what the client believes. */
export interface ClientWitness {
  /** From now on it wants the lock and does not have it, or no longer so. */
  trying(trying: boolean): void;
  granted(grant: Grant): void;
  extended(id: string, validUntil: number): void;
  /** It lets go, or knows that its time is over. */
  ended(id: string): void;
  /** Nothing that is held under this id is of use any more. */
  abandoned(id: string): void;
}

/** The settings that may differ from client to client. */
export interface Terms {
  readonly leaseMs: number;
  /** The most time that one attempt, one extension or one release may take. */
  readonly attemptMs: number;
  /** How long to wait for the answer to one request before it is sent again. */
  readonly requestMs: number;
  /** How long to insist on a server's answer before it counts as one that does not answer. */
  readonly serverMs: number;
  /** Goes on as soon as there is a majority, instead of waiting for the other answers. */
  readonly eager: boolean;
  /** Does not wait for the answers to a release or a cancel. */
  readonly background: boolean;
  readonly thinkMs: number;
  readonly backoffMs: number;
  /** Does not sleep for longer than the holds in the way last. */
  readonly prompt: boolean;
  /** The share of work that takes no time worth speaking of. */
  readonly shortWork: number;
}

/** How the protocol may be broken, to see that the checks notice. */
export interface ClientRules {
  /** How many servers decide. */
  readonly quorum: "majority" | "half";
  /** How many acknowledgements: a majority, one less, or none at all. */
  readonly commits: "majority" | "fewer" | "none";
  /** Acknowledgements count for the token that they acknowledge, and not for another. */
  readonly sameToken: boolean;
  /** How often a commit is repeated with a larger token. */
  readonly repeats: number;
  /** The time since the attempt began is taken off the lease. */
  readonly subtractElapsed: boolean;
  /** Clocks are allowed to drift. */
  readonly allowDrift: boolean;
  /** An extension needs a majority. */
  readonly extendMajority: boolean;
  /** Does not wait for a server that did not answer the last time, when without it all is known. */
  readonly passOverSilent: boolean;
  /** How a release names the hold: by its token, or as a cancel does, which ends it whatever the token. */
  readonly releaseBy: "token" | "id";
}

export const majorityOf = (servers: number): number => Math.floor(servers / 2) + 1;

const REPLY_LATE_MAX = 3;
const BACKOFF_CAP_MS = 400;

/** The knowledge of a client while it lives. */
interface Client {
  readonly port: Port;
  readonly terms: Terms;
  readonly rules: ClientRules;
  readonly majority: number;
  /** By how much each server's clock is ahead of ours, as of its last answer. */
  readonly offsets: number[];
  /** Servers that did not answer when they were asked last. */
  readonly silent: Set<number>;
}

type Answers = readonly (Answer | undefined)[];

const count = (answers: Answers, status: Answer["status"]): number =>
  answers.reduce((sum, answer) => sum + (answer?.status === status ? 1 : 0), 0);

/** The largest of what the answers say, 0 without any. */
const largest = (answers: Answers, value: (answer: Answer) => number | undefined): number =>
  answers.reduce((max, answer) => Math.max(max, (answer && value(answer)) ?? 0), 0);

/** The part of so many ms that may be counted on: clocks drift apart by 1 % at most, and rounding loses 2 ms. */
const usable = (rules: ClientRules, ms: number): number => (rules.allowDrift ? ms * 0.99 - 2 : ms);

/** Asks one server until it answers, the time is over or the answer is not needed any more. */
function* askOne(
  { port, terms, offsets }: Client,
  server: number,
  deadline: number,
  request: (server: number) => Request,
  decided: Future<void>,
): Task<Answer | undefined> {
  for (let late = 0; !decided.settled && late < REPLY_LATE_MAX; ) {
    const leftMs = deadline - port.now();
    if (leftMs <= 0) break;
    const answer = yield* wait(port.send(server, request(server), Math.min(terms.requestMs, leftMs)));
    if (!answer) continue;
    // A lower bound: the answer was on its way since the server read its clock.
    offsets[server] = answer.now / 1000 - port.now();
    if (answer.status !== "late") return answer;
    late++;
  }
  return undefined;
}

/** Asks all servers at once, until enough is known or none is left to answer. */
function* askAll(
  client: Client,
  deadline: number,
  request: (server: number) => Request,
  enough: (answers: Answers, open: number) => boolean,
): Task<Answers> {
  const { port, rules, silent } = client;
  const answers: (Answer | undefined)[] = new Array(port.servers).fill(undefined);
  const decided = new Future<void>();
  const open = new Set(answers.keys());
  for (let server = 0; server < port.servers; server++) {
    port.fork(askOne(client, server, deadline, request, decided)).listen((answer) => {
      if (answer) silent.delete(server);
      if (decided.settled) return;
      if (!answer) silent.add(server);
      answers[server] = answer;
      open.delete(server);
      const awaited = rules.passOverSilent ? [...open].filter((one) => !silent.has(one)).length : open.size;
      if (open.size === 0 || enough(answers, awaited)) decided.settle();
    });
  }
  yield* wait(decided);
  return answers;
}

/**
 * The attempt's end in a server's clock, as far as we know it: before its first answer our wall clock is as good as
 * any.
 */
const notAfter = ({ port, offsets }: Client, server: number, deadline: number): number =>
  Math.floor((deadline + (offsets[server] ?? port.wallTime() - port.now())) * 1000);

/**
 * One attempt under one id. When it failed something may be left to cancel; it says for how long others are in the way.
 */
function* attempt(client: Client, id: string): Task<Grant | { readonly blockedMs: number }> {
  const { port, terms, rules, majority } = client;
  const startedAt = port.now();
  const deadline = startedAt + terms.attemptMs;
  const acquired = yield* askAll(
    client,
    Math.min(deadline, startedAt + terms.serverMs),
    (server) => ({ kind: "acquire", id, leaseMs: terms.leaseMs, notAfter: notAfter(client, server, deadline) }),
    (answers, open) => {
      const granted = count(answers, "granted");
      return granted + open < majority || (granted >= majority && (terms.eager || open === 0));
    },
  );
  const blockedMs = largest(acquired, (answer) => (answer.status === "held" ? answer.remaining / 1000 : undefined));
  if (count(acquired, "granted") < majority) return { blockedMs };
  const first = largest(acquired, (answer) => (answer.status === "granted" ? answer.token : undefined));
  const token = yield* commit(client, id, first, deadline);
  if (token === undefined) return { blockedMs };
  const now = port.now();
  const validUntil = (rules.subtractElapsed ? startedAt : now) + usable(rules, terms.leaseMs);
  return validUntil > now ? { id, token, startedAt, validUntil } : { blockedMs };
}

/**
 * Makes a token the last one on a majority, a larger one when some server is ahead of it. Gives the token that it came
 * to.
 */
function* commit(client: Client, id: string, first: number, deadline: number): Task<number | undefined> {
  const { rules, terms, majority } = client;
  if (rules.commits === "none") return first;
  const needed = rules.commits === "fewer" ? majority - 1 : majority;
  const before = new Set<number>();
  let token = first;
  for (let repeats = 0; ; repeats++) {
    const acknowledged = (answers: Answers): number =>
      rules.sameToken
        ? count(answers, "committed")
        : answers.filter((answer, server) => answer?.status === "committed" || before.has(server)).length;
    const answers = yield* askAll(
      client,
      Math.min(deadline, client.port.now() + terms.serverMs),
      (server) => ({ kind: "commit", id, token, notAfter: notAfter(client, server, deadline) }),
      (some, open) => {
        const sum = acknowledged(some);
        return sum >= needed || (terms.eager && sum + open < needed && count(some, "behind") > 0);
      },
    );
    if (acknowledged(answers) >= needed) return token;
    const last = largest(answers, (answer) => (answer.status === "behind" ? answer.last : undefined));
    if (last === 0 || repeats >= rules.repeats) return undefined;
    answers.forEach((answer, server) => {
      if (answer?.status === "committed") before.add(server);
    });
    token = last;
  }
}

/** Ends what is held under an id on all servers; without a token also where it is not held yet. */
function* close(client: Client, id: string, token: number): Task<void> {
  const { port, terms } = client;
  port.witness.abandoned(id);
  const deadline = port.now() + terms.attemptMs;
  const closing = askAll(
    client,
    deadline,
    () => ({ kind: "close", id, token }),
    () => false,
  );
  if (terms.background) port.fork(closing);
  else yield* closing;
}

/** Asks for as much time as it had at first; gives until when it may now be counted on, undefined when it is lost. */
function* extend(client: Client, { id, token }: Grant, validUntil: number): Task<number | undefined> {
  const { port, terms, rules, majority } = client;
  const needed = rules.extendMajority ? majority : 1;
  const startedAt = port.now();
  const answers = yield* askAll(
    client,
    Math.min(validUntil, startedAt + terms.attemptMs),
    () => ({ kind: "extend", id, token, durationMs: terms.leaseMs }),
    (some, open) => {
      const extended = count(some, "extended");
      return extended >= needed || extended + open < needed;
    },
  );
  if (count(answers, "extended") < needed || port.now() >= validUntil) return undefined;
  return Math.max(validUntil, startedAt + usable(rules, terms.leaseMs));
}

/** Most work is short; some takes most of a lease, and some several, which has to extend it. */
function workMs({ port, terms }: Client): number {
  if (port.random() < terms.shortWork) return between(port.random, 0, 10);
  return between(port.random, 0, (port.random() < 0.7 ? 1 : 3) * terms.leaseMs);
}

/** Works under a grant, in steps that end with an extension, and lets go of it. */
function* tenure(client: Client, grant: Grant): Task<void> {
  const { port, rules } = client;
  const end = port.now() + workMs(client);
  let validUntil = grant.validUntil;
  for (;;) {
    const now = port.now();
    if (now >= end || now >= validUntil) break;
    // The later the extension, the more likely that it is too late.
    yield* wait(port.sleep(Math.min(end - now, between(port.random, 0.3, 1) * (validUntil - now))));
    if (port.now() >= end || port.now() >= validUntil) break;
    const extended = yield* extend(client, grant, validUntil);
    if (extended === undefined) break;
    validUntil = extended;
    port.witness.extended(grant.id, validUntil);
  }
  port.witness.ended(grant.id);
  yield* close(client, grant.id, rules.releaseBy === "id" ? 0 : grant.token);
}

/** Tries until it is granted. */
function* acquire(client: Client): Task<Grant> {
  const { port, terms } = client;
  for (let failures = 0; ; failures++) {
    const id = port.freshId();
    const outcome = yield* attempt(client, id);
    if ("token" in outcome) return outcome;
    yield* close(client, id, 0);
    const max = Math.min(BACKOFF_CAP_MS, terms.backoffMs * 2 ** failures);
    const backoffMs = between(port.random, 0.3, 1) * max;
    const blockedMs = terms.prompt ? outcome.blockedMs + between(port.random, 0, 5) : Number.POSITIVE_INFINITY;
    yield* wait(port.sleep(Math.max(between(port.random, 1, 10), Math.min(backoffMs, blockedMs))));
  }
}

/** Wants the lock, has it and gives it back, for ever. */
export function* use(port: Port, terms: Terms, rules: ClientRules): Task<never> {
  const majority = majorityOf(port.servers) - (rules.quorum === "half" ? 1 : 0);
  const client = { port, terms, rules, majority, offsets: [], silent: new Set<number>() };
  for (;;) {
    yield* wait(port.sleep(between(port.random, 0, 2) * terms.thinkMs));
    port.witness.trying(true);
    const grant = yield* acquire(client);
    port.witness.trying(false);
    port.witness.granted(grant);
    yield* tenure(client, grant);
  }
}
