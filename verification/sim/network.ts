import { toBytes } from "../../engine/src/rest/bytes.ts";
import type { Host } from "./host.ts";
import type { Random } from "./random.ts";
import type { Execution, Server } from "./server.ts";
import { currentContext, type World } from "./world.ts";

/** The fate of a request: those before a `/` are of the request, those behind it of the answer. */
type Fate =
  | "fine"
  | "refused"
  | "lost"
  | "swallowed"
  | "answer lost"
  | "answer swallowed"
  | "late"
  | "answer late"
  | "copied after loss"
  | "copied"
  | "429"
  | "5xx before"
  | "5xx after"
  | "page before"
  | "page after"
  | "half an answer";

const FAULTS: readonly Fate[] = [
  "refused",
  "lost",
  "swallowed",
  "answer lost",
  "answer swallowed",
  "late",
  "answer late",
  "copied after loss",
  "copied",
  "429",
  "5xx before",
  "5xx after",
  "page before",
  "page after",
  "half an answer",
];

/** A request that was sent, as the checks see it. */
export interface Sent<Op> {
  readonly id: string;
  readonly server: Server;
  readonly commands: readonly (readonly string[])[];
  readonly isPipeline: boolean;
  readonly op: Op | undefined;
  readonly fate: Fate;
  /** Whether its client knows no time of the server yet, or has had its own clock set forward since it learnt that. */
  readonly isFirst: boolean;
  /** The status of its first answer, whether or not that arrived. */
  status?: string;
}

/** The server that runs some commands. */
export type Route = (commands: readonly (readonly string[])[]) => Server;

export interface Network<Op> {
  /** `fetch` of a client on a host. `name` is that of the server or the servers. */
  fetchOf(
    host: Host,
    route: Route,
    client: string,
    name: string,
  ): (url: string, init: RequestInit) => Promise<Response>;
  readonly sent: readonly Sent<Op>[];
  /** The requests that met a fault. */
  readonly faulty: readonly string[];
  /** How many requests are on their way to a server. */
  readonly inFlight: number;
}

export interface NetworkOptions<Op> {
  readonly world: World;
  readonly random: (purpose: string) => Random;
  /** The chance that a request meets a fault. */
  readonly faults: number;
  /** Requests that meet no fault, by their ids. */
  readonly spared: ReadonlySet<string>;
  readonly observe: (execution: Execution<Op>) => void;
  readonly onSend: (sent: Sent<Op>) => void;
}

/** An error as Node's `fetch` throws it. */
function failure(syscall: string, code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

/** An answer, with what the SDK reads of it. */
const response = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response =>
  ({
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name] ?? null },
    text: async () => body,
  }) as unknown as Response;

const PAGE = "<!doctype html><title>Bad gateway</title>";

/** A client of a server, or of several. */
interface Client {
  readonly host: Host;
  readonly route: Route;
  readonly random: Random;
  /** The records with which an answer has told it a server's time, and by how much its own clock was off then. */
  readonly known: Map<string, { readonly server: Server; readonly steppedMs: number }>;
}

/** What chance decides about a request. */
interface Chance {
  readonly fate: Fate;
  /** How long the request and its answer are under way, in ms. */
  readonly goes: number;
  readonly comes: number;
  readonly lateMs: number;
  readonly retryAfter: string;
  readonly status: number;
}

/** Drawn always, so that sparing one request leaves all others as they are. */
function draw(random: Random, faults: number, isSpared: boolean): Chance {
  const isFaulty = random.chance(faults);
  const drawn = random.pick(FAULTS);
  const delay = (): number => (random.chance(0.05) && faults > 0 ? random.between(5, 300) : random.between(0.3, 6));
  return {
    fate: isFaulty && !isSpared ? drawn : "fine",
    goes: delay(),
    comes: delay(),
    lateMs: random.pick([300, 3000, 12_000, 40_000]) * random.between(0.3, 1),
    retryAfter: random.pick(["0", "1", "3"]),
    status: random.pick([500, 502, 503, 504]),
  };
}

/** The way of one request to its server and back. */
interface Way {
  /** The request reaches the server after so many ms. */
  arrives(ms: number, then: () => void): void;
  /** The server runs it. */
  run(): Response;
  /** An answer reaches the client after so many ms, or an error. */
  answers(ms: number, answer: Response): void;
  breaks(ms: number, syscall: string, code: string): void;
}

/** The request runs, and its client gets another answer than the server's. */
const instead = (way: Way, { goes, comes }: Chance, answer: Response): void =>
  way.arrives(goes, () => {
    way.run();
    way.answers(comes, answer);
  });

/** What happens to a request, by its fate. */
const MEET: Readonly<Record<Fate, (way: Way, chance: Chance) => void>> = {
  fine: (way, { goes, comes }) => way.arrives(goes, () => way.answers(comes, way.run())),
  refused: (way, { goes }) => way.breaks(goes, "connect", "ECONNREFUSED"),
  lost: (way, { goes }) => way.breaks(goes, "read", "ECONNRESET"),
  swallowed: () => {},
  "answer lost": (way, { goes, comes }) =>
    way.arrives(goes, () => {
      way.run();
      way.breaks(comes, "read", "ECONNRESET");
    }),
  "answer swallowed": (way, { goes }) => way.arrives(goes, way.run),
  late: (way, { lateMs, comes }) => way.arrives(lateMs, () => way.answers(comes, way.run())),
  "answer late": (way, { goes, lateMs }) => way.arrives(goes, () => way.answers(lateMs, way.run())),
  "copied after loss": (way, { goes, comes, lateMs }) => {
    way.arrives(goes, way.run);
    way.arrives(goes + lateMs, () => way.answers(comes, way.run()));
  },
  copied: (way, { goes, comes, lateMs }) => {
    way.arrives(goes, () => way.answers(comes, way.run()));
    way.arrives(goes + lateMs, way.run);
  },
  "429": (way, { goes, retryAfter }) => way.answers(goes, response(429, "{}", { "retry-after": retryAfter })),
  "5xx before": (way, { goes, status }) => way.answers(goes, response(status, PAGE)),
  "5xx after": (way, chance) => instead(way, chance, response(chance.status, PAGE)),
  "page before": (way, { goes }) => way.answers(goes, response(200, PAGE)),
  "page after": (way, chance) => instead(way, chance, response(200, PAGE)),
  "half an answer": (way, chance) => instead(way, chance, response(200, '{"result":["gra')),
};

/** The parts of a network that its requests change. */
interface State<Op> extends NetworkOptions<Op> {
  readonly sent: Sent<Op>[];
  readonly faulty: string[];
  inFlight: number;
}

/** Opens the way of a request, which ends by `resolve`, `reject` or the signal. */
function wayOf<Op>(
  state: State<Op>,
  { host, known }: Client,
  request: Sent<Op>,
  signal: AbortSignal,
  resolve: (answer: Response) => void,
  reject: (error: unknown) => void,
): Way {
  const { world, observe } = state;
  const { id, server, commands, isPipeline, op } = request;
  const record = commands[0]?.[3] ?? "";
  let isOver = false;
  /** How long the server waited for its replicas. */
  let waitMs = 0;
  /** The answer that tells the server's time. */
  let telling: Response | undefined;
  const settle = (end: () => void): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", aborted);
    end();
  };
  const aborted = (): void => settle(() => reject(signal.reason));
  signal.addEventListener("abort", aborted);
  const arrived = (answer: Response): void => {
    if (answer === telling) known.set(record, { server, steppedMs: host.steppedMs });
    resolve(answer);
  };
  return {
    arrives(ms, then) {
      state.inFlight++;
      world.after(ms, () => {
        state.inFlight--;
        then();
      });
    },
    answers: (ms, answer) => void world.after(ms + waitMs, () => host.deliver(() => settle(() => arrived(answer)))),
    breaks: (ms, syscall, code) =>
      void world.after(ms, () => host.deliver(() => settle(() => reject(failure(syscall, code))))),
    run() {
      let tells = false;
      const answer = server.perform<Op>(commands, isPipeline, op, (execution) => {
        request.status ??= execution.status;
        // A list keeps what it learns to itself.
        tells ||= execution.script !== "name-inspect";
        observe(execution);
      });
      ({ waitMs } = answer);
      world.log(`${id} ${server.name} answers ${answer.body.slice(0, 120)}`);
      const whole = response(answer.status, answer.body);
      if (tells) telling = whole;
      return whole;
    },
  };
}

function send<Op>(state: State<Op>, client: Client, id: string, url: string, init: RequestInit): Promise<Response> {
  const { host, route, random, known } = client;
  const body = JSON.parse(String(init.body)) as unknown[];
  const isPipeline = url.endsWith("/pipeline");
  const list = (isPipeline ? body : [body]) as (string | number)[][];
  const commands = list.map((words) => words.map((word) => toBytes(String(word))));
  const server = route(commands);
  const { op } = currentContext<Op>() ?? {};
  const chance = draw(random, state.faults, state.spared.has(id));
  const { fate } = chance;
  if (fate !== "fine") state.faulty.push(id);
  // A record that it has not asked for counts as the others do.
  const own = known.get(commands[0]?.[3] ?? "");
  const about = own ? [own] : [...known.values()].filter((each) => each.server === server);
  const isFirst = about.every(({ steppedMs }) => steppedMs < host.steppedMs);
  const request: Sent<Op> = { id, server, commands, isPipeline, op, fate, isFirst };
  state.sent.push(request);
  state.onSend(request);
  return new Promise<Response>((resolve, reject) => {
    const way = wayOf(state, client, request, init.signal as AbortSignal, resolve, reject);
    MEET[fate](way, chance);
  });
}

export function createNetwork<Op>(options: NetworkOptions<Op>): Network<Op> {
  const state: State<Op> = { ...options, sent: [], faulty: [], inFlight: 0 };
  return {
    sent: state.sent,
    faulty: state.faulty,
    get inFlight() {
      return state.inFlight;
    },
    fetchOf(host, route, name, to) {
      const client: Client = { host, route, random: options.random(`${name} to ${to}`), known: new Map() };
      let count = 0;
      return (url, init) => send(state, client, `${name}.${to}#${++count}`, url, init);
    },
  };
}
