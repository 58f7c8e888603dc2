/**
 * A model of the quorum lock: servers, clients, the network between them and all that may go wrong, in simulated time
 * and the same for the same seed. What is checked is in `judge.ts`, the protocol itself in `server.ts` and `client.ts`.
 */
import { type ClientRules, type ClientWitness, majorityOf, type Port, type Terms, use } from "./client.ts";
import { Judge, type Violation } from "./judge.ts";
import { type Answer, type Request, Server, type ServerRules } from "./server.ts";
import {
  between,
  Future,
  type Random,
  randomFrom,
  spacing,
  start,
  startAsync,
  type Task,
  Timeline,
} from "./simulation.ts";

export interface Rules extends ServerRules, ClientRules {
  /** For how long a server that lost its data stays out. */
  readonly stayOut: "lease and skew" | "lease" | "not at all";
}

/** The protocol, with the two liberties that it leaves to a client used for the sake of progress. */
export const PROTOCOL: Rules = {
  notAfter: true,
  closedIds: true,
  commitNeedsHold: true,
  commitOnlyRaises: true,
  quorum: "majority",
  commits: "majority",
  sameToken: true,
  repeats: 3,
  subtractElapsed: true,
  allowDrift: true,
  extendMajority: true,
  passOverSilent: true,
  releaseBy: "id",
  stayOut: "lease and skew",
};

export interface Options {
  readonly servers?: number;
  /** Instead of what the seed would choose. */
  readonly weather?: Partial<Weather>;
  /** In how many longest leases, and ms, a free lock that is wanted must be granted. */
  readonly patience?: readonly [leases: number, ms: number];
  /** Ends after so many violations, by default after the first. */
  readonly enough?: number;
  readonly simulatedMs?: number;
  /** Takes what happens, line by line. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly grants: number;
  /** Grants per simulated minute in which a majority was up and somebody wanted the lock. */
  readonly grantsPerMinute: number;
  /** For the meaning of these see the judge. */
  readonly longestGap: number;
  readonly strays: number;
  readonly forgotten: number;
  readonly lowerings: number;
  readonly longestLease: number;
  readonly counts: Counts;
}

/** A client that is an async function instead of a task: it awaits the futures of its port with `promise()`. */
export type AsyncClient = (port: Port, terms: Terms) => Promise<unknown>;

/** How much of what may go wrong went wrong. */
interface Counts {
  requests: number;
  lost: number;
  duplicated: number;
  freezes: number;
  kills: number;
  restarts: number;
  wipes: number;
  blackouts: number;
  partitions: number;
}

/** Any two servers' clocks are at most so far apart; each is at most half of it from the true time. */
const SKEW_MS = 1000;
/** Rates differ from that of the true time by so much at most. */
const DRIFT = 0.005;
const EPOCH_MS = 1.7e12;
const MINUTE_MS = 60_000;

/** The settings of a run. Rates are shares of the things in their names, `…EveryMs` mean times. */
export interface Weather {
  readonly clients: number;
  readonly longestLeaseMs: number;
  /** For how much longer a record is kept than a request may be valid. */
  readonly spareRetentionMs: number;
  readonly thinkMs: number;
  readonly shortWork: number;
  /** The most time that most messages take. */
  readonly fastMs: number;
  /** How often a request is sent at most before its server counts as one that does not answer. */
  readonly tries: number;
  readonly lossRate: number;
  readonly duplicateRate: number;
  /** The share of messages that take as long as a lease or longer. */
  readonly slowRate: number;
  /** How often a client freezes, of all the times that it goes on after it waited for something. */
  readonly freezeRate: number;
  readonly crashEveryMs: number;
  /** The share of crashes that lose the data. */
  readonly wipeRate: number;
  readonly blackoutEveryMs: number;
  readonly partitionEveryMs: number;
}

function weatherFrom(random: Random): Weather {
  const pick = <T>(...from: [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0];
  const fastMs = pick(2, 20, 20);
  const longestLeaseMs = Math.max(200, 25 * fastMs) * 10 ** random();
  return {
    clients: 3 + Math.floor(random() * 6),
    longestLeaseMs,
    spareRetentionMs: pick(100, 60_000),
    thinkMs: pick(0, 20, 100, 500),
    shortWork: pick(0.8, 0.97),
    fastMs,
    tries: 3,
    lossRate: between(random, 0, pick(0.03, 0.08)),
    duplicateRate: between(random, 0, pick(0.03, 0.08)),
    slowRate: between(random, 0, 0.02),
    freezeRate: pick(0, 0.0003, 0.001),
    crashEveryMs: pick(500, 2000, 6000, 20_000),
    wipeRate: 0.4,
    blackoutEveryMs: pick(30_000, 100_000),
    partitionEveryMs: pick(4000, 20_000),
  };
}

/** The world of one client. */
function termsFrom(random: Random, weather: Weather): Terms {
  const { longestLeaseMs, fastMs, thinkMs, shortWork, tries } = weather;
  const leaseMs = longestLeaseMs * between(random, 0.6, 1);
  const requestMs = Math.max(longestLeaseMs * between(random, 0.05, 0.15), 3 * fastMs);
  return {
    leaseMs,
    attemptMs: leaseMs * between(random, 0.5, 1),
    requestMs,
    serverMs: requestMs * between(random, 1, tries),
    eager: random() < 0.6,
    background: random() < 0.5,
    thinkMs,
    backoffMs: between(random, 15, 40),
    prompt: random() < 0.5,
    shortWork,
  };
}

/** Often one of the ends, else anything in between: what can go wrong does so at the limits first. */
const extreme = (random: Random, low: number, high: number): number =>
  random() < 0.5 ? between(random, low, high) : random() < 0.5 ? low : high;

/** A server's clock in µs: apart by a constant, and by a little more that comes and goes at the largest rate. */
function serverClock(random: Random): (now: number) => number {
  const wander = between(random, 10, 100);
  const max = SKEW_MS / 2 - wander;
  const apart = extreme(random, -max, max);
  const half = (2 * wander) / (DRIFT * (1 - 0.8 * random() ** 2));
  const phase = between(random, 0, 2 * half);
  return (now) => {
    const at = (now + phase) % (2 * half);
    const wave = (at < half ? at : 2 * half - at) / half;
    return Math.floor((EPOCH_MS + now + apart + wander * (2 * wave - 1)) * 1000);
  };
}

/** A server and the machine that it runs on. */
interface ServerHost {
  readonly server: Server;
  readonly clock: (now: number) => number;
  downUntil: number;
}

/** A client and the machine that it runs on. */
interface ClientHost {
  readonly number: number;
  readonly terms: Terms;
  /** How fast its monotonic clock is, by which it measures. */
  readonly rate: number;
  /** How far its wall clock is ahead, which it only goes by until a server tells it better. */
  readonly apart: number;
  /** Another one after each death; what was meant for an earlier one is dropped. */
  life: number;
  ids: number;
  frozenUntil: number;
  trying: boolean;
  /** Counted as somebody who should get the lock. */
  counted: boolean;
  /** The servers that it cannot reach, or that cannot reach it. */
  cut: {
    readonly until: number;
    readonly servers: ReadonlySet<number>;
    readonly ways: "requests" | "answers" | "both";
  };
}

const NOT_CUT: ClientHost["cut"] = { until: 0, servers: new Set(), ways: "both" };

class Simulation {
  readonly timeline = new Timeline();
  readonly judge: Judge;
  readonly counts: Counts = {
    requests: 0,
    lost: 0,
    duplicated: 0,
    freezes: 0,
    kills: 0,
    restarts: 0,
    wipes: 0,
    blackouts: 0,
    partitions: 0,
  };
  /** A client went on: where clients are asynchronous, they need a moment. */
  touched = false;
  readonly longestLease: number;
  readonly #random: Random;
  readonly #rules: Rules;
  readonly #client: AsyncClient | undefined;
  readonly #log: ((line: string) => void) | undefined;
  readonly #weather: Weather;
  readonly #servers: readonly ServerHost[];
  readonly #clients: readonly ClientHost[];

  constructor(seed: number, rules: Rules, options: Options, client?: AsyncClient) {
    const random = randomFrom(seed);
    const { log, servers = 3 + (seed % 3) } = options;
    const weather = { ...weatherFrom(random), ...options.weather };
    const terms = Array.from({ length: weather.clients }, () => termsFrom(random, weather));
    this.#random = random;
    this.#rules = rules;
    this.#weather = weather;
    this.#client = client;
    this.#log = log && ((line) => log(`${this.timeline.now.toFixed(3)} ${line}`));
    this.longestLease = Math.max(...terms.map(({ leaseMs }) => leaseMs));
    const retentionMs = this.longestLease + SKEW_MS + weather.spareRetentionMs;
    const [leases, ms] = options.patience ?? [6, 10_000];
    this.judge = new Judge(this.timeline, servers, leases * this.longestLease + ms, this.#log);
    this.#servers = Array.from({ length: servers }, (_, number) => ({
      server: new Server(number, retentionMs, rules, this.judge),
      clock: serverClock(random),
      downUntil: 0,
    }));
    this.#clients = terms.map((one, number) => ({
      number,
      terms: one,
      rate: 1 + extreme(random, -DRIFT, DRIFT),
      apart: extreme(random, -SKEW_MS / 2, SKEW_MS / 2),
      life: 0,
      ids: 0,
      frozenUntil: 0,
      trying: false,
      counted: false,
      cut: NOT_CUT,
    }));
    for (const host of this.#clients) this.#live(host);
    this.#again(weather.crashEveryMs, () => this.#crash());
    this.#again(weather.blackoutEveryMs, () => this.#blackout());
    this.#again(weather.partitionEveryMs, () => this.#partition());
  }

  #again(everyMs: number, happen: () => void): void {
    this.timeline.after(spacing(this.#random, everyMs), () => {
      happen();
      this.#again(everyMs, happen);
    });
  }

  // The network.

  /** Mostly fast, sometimes as slow as a lease or slower. */
  #delay(): number {
    const random = this.#random;
    const { fastMs, slowRate } = this.#weather;
    const kind = random();
    if (kind < slowRate) return between(random, 200, 4000);
    return between(random, fastMs / 20, kind < 0.95 ? fastMs : 10 * fastMs);
  }

  #carry(arrive: () => void): void {
    if (this.#random() < this.#weather.lossRate) this.counts.lost++;
    else this.timeline.after(this.#delay(), arrive);
  }

  #isCut({ cut }: ClientHost, server: number, way: "requests" | "answers"): boolean {
    return cut.until > this.timeline.now && cut.servers.has(server) && (cut.ways === way || cut.ways === "both");
  }

  /** A request on its way to the server, maybe twice, and each time its answer on the way back. */
  #request(host: ClientHost, number: number, request: Request, answered: (answer: Answer) => void): void {
    const arrive = (): void => {
      const answer = this.#serve(number, request);
      if (this.#log) this.#log(`server ${number}: ${JSON.stringify(request)} -> ${JSON.stringify(answer ?? "down")}`);
      if (answer && !this.#isCut(host, number, "answers")) this.#carry(() => answered(answer));
    };
    this.counts.requests++;
    if (this.#isCut(host, number, "requests")) return;
    this.#carry(arrive);
    if (this.#random() >= this.#weather.duplicateRate) return;
    this.counts.duplicated++;
    const later = this.#random() < 0.5 ? 0 : between(this.#random, 0, 3000);
    this.timeline.after(later, () => this.#carry(arrive));
  }

  /** Nothing when it is down. */
  #serve(number: number, request: Request): Answer | undefined {
    const { now } = this.timeline;
    const host = this.#servers[number];
    return host && host.downUntil <= now ? host.server.handle(request, host.clock(now)) : undefined;
  }

  // Clients.

  #start<T>(task: Task<T>): Future<T> {
    if (!this.#client) return start(task);
    const result = new Future<T>();
    void startAsync(task).then((value) => result.settle(value));
    return result;
  }

  #live(host: ClientHost): void {
    this.touched = true;
    const port = this.#port(host);
    if (this.#client) void this.#client(port, host.terms);
    else start(use(port, host.terms, this.#rules));
  }

  #localTime(host: ClientHost): number {
    return this.timeline.now * host.rate;
  }

  #trueTime(host: ClientHost, local: number): number {
    return local / host.rate;
  }

  #port(host: ClientHost): Port {
    const { life } = host;
    const alive = (): boolean => host.life === life;
    return {
      servers: this.#servers.length,
      random: this.#random,
      witness: this.#witness(host, alive),
      now: () => this.#localTime(host),
      wallTime: () => EPOCH_MS + this.timeline.now + host.apart,
      freshId: () => `${host.number}.${host.ids++}`,
      fork: (task) => this.#start(task),
      sleep: (ms) => {
        const future = new Future<void>();
        this.timeline.after(ms / host.rate, () => this.#wake(host, life, future, undefined));
        return future;
      },
      send: (number, request, limitMs) => {
        const future = new Future<Answer | undefined>();
        this.#request(host, number, request, (answer) => this.#wake(host, life, future, answer));
        this.timeline.after(limitMs / host.rate, () => this.#wake(host, life, future, undefined));
        return future;
      },
    };
  }

  /** A client may freeze just before the event that it waits for, and then it knows nothing of it. */
  #wake<T>(host: ClientHost, life: number, future: Future<T>, value: T): void {
    if (future.settled || host.life !== life) return;
    const { now } = this.timeline;
    if (host.frozenUntil <= now && this.#random() < this.#weather.freezeRate) this.#freeze(host);
    if (host.life !== life) return;
    if (host.frozenUntil > now) {
      this.timeline.after(host.frozenUntil - now, () => this.#wake(host, life, future, value));
      return;
    }
    this.touched = true;
    future.settle(value);
  }

  /** A process that stands still and goes on later as if nothing had been; or dies, and another one takes its place. */
  #freeze(host: ClientHost): void {
    const random = this.#random;
    const dies = random() < 0.2;
    const forMs = between(random, 0, random() < 0.5 ? 200 : 3 * this.longestLease);
    host.frozenUntil = this.timeline.now + forMs;
    this.#log?.(`client ${host.number}: ${dies ? "DIES" : "FREEZES"} for ${forMs.toFixed(3)}`);
    if (dies) {
      host.life++;
      host.trying = false;
      this.counts.kills++;
    } else this.counts.freezes++;
    this.#recount(host);
    this.timeline.after(forMs, () => {
      if (dies) this.#live(host);
      this.#recount(host);
    });
  }

  /** Counts a client as one that should get the lock while it wants it, runs and reaches everybody. */
  #recount(host: ClientHost): void {
    const { now } = this.timeline;
    const counted = host.trying && host.frozenUntil <= now && host.cut.until <= now;
    if (counted === host.counted) return;
    host.counted = counted;
    this.judge.wanted(counted ? 1 : -1);
  }

  #witness(host: ClientHost, alive: () => boolean): ClientWitness {
    const { judge } = this;
    return {
      trying: (trying) => {
        if (!alive()) return;
        host.trying = trying;
        this.#recount(host);
      },
      granted: ({ id, token, startedAt, validUntil }) =>
        judge.granted({
          client: host.number,
          id,
          token,
          startedAt: this.#trueTime(host, startedAt),
          end: this.#trueTime(host, validUntil),
        }),
      extended: (id, validUntil) => judge.extended(id, this.#trueTime(host, validUntil)),
      ended: (id) => judge.ended(id),
      abandoned: (id) => judge.abandoned(id),
    };
  }

  // Faults of servers and links.

  #down(): number {
    return this.#servers.filter(({ downUntil }) => downUntil > this.timeline.now).length;
  }

  #takeDown(host: ServerHost, forMs: number): void {
    host.downUntil = Math.max(host.downUntil, this.timeline.now + forMs);
    this.#majority();
    this.timeline.after(host.downUntil - this.timeline.now, () => this.#majority());
  }

  #majority(): void {
    this.judge.majority(this.#servers.length - this.#down() >= majorityOf(this.#servers.length));
  }

  #anyOf<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }

  /** One server goes down, with its data or without, if there is a majority without it. */
  #crash(): void {
    const { now } = this.timeline;
    const up = this.#servers.filter(({ downUntil }) => downUntil <= now);
    const host = this.#anyOf(up);
    if (!host || up.length <= majorityOf(this.#servers.length)) return;
    if (this.#random() >= this.#weather.wipeRate) {
      const forMs = this.#random() < 0.3 ? 0.001 : between(this.#random, 0, this.#random() < 0.7 ? 500 : 5000);
      this.counts.restarts++;
      this.#log?.(`server ${this.#servers.indexOf(host)}: DOWN for ${forMs.toFixed(3)}`);
      this.#takeDown(host, forMs);
      return;
    }
    const { stayOut } = this.#rules;
    const outMs = stayOut === "not at all" ? 0.001 : this.longestLease + (stayOut === "lease" ? 0 : SKEW_MS);
    this.counts.wipes++;
    this.#log?.(`server ${this.#servers.indexOf(host)}: LOSES ITS DATA, out for ${outMs.toFixed(3)}`);
    host.server.forget();
    this.#takeDown(host, outMs);
  }

  /** So many servers go down that no majority is left; none of them loses its data. */
  #blackout(): void {
    const { length } = this.#servers;
    const spared = Math.floor(this.#random() * (length - majorityOf(length) + 1));
    const hosts = [...this.#servers];
    for (let left = spared; left > 0; left--) hosts.splice(Math.floor(this.#random() * hosts.length), 1);
    this.counts.blackouts++;
    this.#log?.(`${hosts.length} SERVERS DOWN`);
    for (const host of hosts) this.#takeDown(host, between(this.#random, 200, 8000));
  }

  /** One client cannot reach some servers, or hears nothing of them. */
  #partition(): void {
    const host = this.#anyOf(this.#clients);
    if (!host) return;
    const forMs = between(this.#random, 0, 2 * this.longestLease);
    const servers = new Set([...this.#servers.keys()].filter(() => this.#random() < 0.6));
    const ways = this.#anyOf(["requests", "answers", "both"] as const) ?? "both";
    host.cut = { until: this.timeline.now + forMs, servers, ways };
    this.counts.partitions++;
    this.#log?.(`client ${host.number}: CUT OFF from ${[...servers]} (${ways}) for ${forMs.toFixed(3)}`);
    this.#recount(host);
    this.timeline.after(forMs, () => this.#recount(host));
  }
}

function outcomeOf(seed: number, { judge, counts, longestLease }: Simulation): Outcome {
  judge.finish();
  const { violations, grants, longestGap, strays, forgotten, lowerings, healthyMs } = judge;
  const grantsPerMinute = grants / (healthyMs / MINUTE_MS);
  return { seed, violations, grants, grantsPerMinute, longestGap, strays, forgotten, lowerings, longestLease, counts };
}

/** Some simulated minutes of a seed's weather, or fewer when there are violations enough. */
export function simulate(seed: number, rules: Rules = PROTOCOL, options: Options = {}): Outcome {
  const { enough = 1, simulatedMs = 2 * MINUTE_MS } = options;
  const simulation = new Simulation(seed, rules, options);
  const { judge, timeline } = simulation;
  while (judge.violations.length < enough && timeline.step(simulatedMs));
  return outcomeOf(seed, simulation);
}

/**
 * The same for clients that are async functions: after each event they get as many turns of the microtask queue as they
 * like.
 */
export async function simulateAsync(seed: number, client: AsyncClient, options: Options = {}): Promise<Outcome> {
  const { enough = 1, simulatedMs = 2 * MINUTE_MS } = options;
  const simulation = new Simulation(seed, PROTOCOL, options, client);
  const { judge, timeline } = simulation;
  do {
    if (simulation.touched) await new Promise((resolve) => setImmediate(resolve));
    simulation.touched = false;
  } while (judge.violations.length < enough && timeline.step(simulatedMs));
  return outcomeOf(seed, simulation);
}

/** The last events before a run went wrong, for people. */
export function tail(seed: number, rules: Rules, options: Options, lines = 60): string {
  const last: string[] = [];
  const log = (line: string): void => {
    if (last.push(line) > lines) last.shift();
  };
  simulate(seed, rules, { ...options, log });
  return last.join("\n");
}
