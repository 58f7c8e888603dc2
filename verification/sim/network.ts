import { toBytes } from "../../engine/src/rest/bytes.ts";
import { draw, type Fate, MEET, response, type Way } from "./fates.ts";
import type { Answered, Holding, Serving } from "./holding.ts";
import type { Host } from "./host.ts";
import type { Random } from "./random.ts";
import { type Execution, scriptNameOf } from "./scripts.ts";
import type { Server } from "./server.ts";
import { currentContext, type World } from "./world.ts";

/** A sent request, as the checks see it. */
export interface Sent<Op> {
  readonly id: string;
  readonly server: Server;
  readonly commands: readonly (readonly string[])[];
  readonly isPipeline: boolean;
  readonly op: Op | undefined;
  readonly fate: Fate;
  /** Whether its client does not know the server's time yet, or had its own clock set forward since. */
  readonly isFirst: boolean;
  /** Whether the client learned the server's clock so long ago that drift alone can make the request late. */
  readonly isStale: boolean;
  /** The status of its first response, whether or not it arrived. */
  status?: string;
}

/** The server for a list of commands. */
export type Route = (commands: readonly (readonly string[])[]) => Server;

export interface Network<Op> {
  /** `fetch` of a client on a host. `name` is the name of the server or servers. */
  fetchOf(
    host: Host,
    route: Route,
    client: string,
    name: string,
  ): (url: string, init: RequestInit) => Promise<Response>;
  readonly sent: readonly Sent<Op>[];
  /** The requests with a fault. */
  readonly faulty: readonly string[];
  /** The number of requests in transit to a server. */
  readonly inFlight: number;
}

export interface NetworkOptions<Op> {
  readonly world: World;
  readonly random: (purpose: string) => Random;
  /** The chance that a request gets a fault. */
  readonly faults: number;
  /** The ids of requests without a fault. */
  readonly spared: ReadonlySet<string>;
  /** The component that holds the requests of each server, if any. */
  readonly holdings?: ReadonlyMap<Server, Holding> | undefined;
  /** Whether a host and a server do not reach each other now. */
  readonly isCut?: (host: Host, server: Server) => boolean;
  readonly observe: (execution: Execution<Op>) => void;
  readonly onSend: (sent: Sent<Op>) => void;
  /** Whether neither the sent requests nor the known clocks are kept. */
  readonly forgets?: boolean;
}

/** An error like that of Node's `fetch`. */
function failure(syscall: string, code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

/** A clock that drifts by 0.4 % (`run.ts`) is wrong by the shortest time limit of a request (400 ms) after 100 s. */
const STALE_AFTER_MS = 90_000;

/** A client of a server, or of several. */
interface Client {
  readonly host: Host;
  readonly route: Route;
  readonly random: Random;
  readonly startedAt: number;
  /** The records whose responses contained a server's time, with the offset of the client's clock then. */
  readonly known: Map<string, { readonly server: Server; readonly steppedMs: number; readonly learnedAt: number }>;
}

/** The mutable state of a network. */
interface State<Op> extends NetworkOptions<Op> {
  readonly sent: Sent<Op>[];
  readonly faulty: string[];
  inFlight: number;
}

/** A request at its server, which may hold it. */
interface Visit {
  /** Runs the commands of the request and reports their effects. */
  readonly run: Serving["run"];
  /** Turns a response into one that the client can read. */
  readonly answered: (answered: Answered) => Response;
  /** Whether this response contains the server's time. */
  readonly tells: (answer: Response) => boolean;
  /** How long the server waited for its replicas. */
  readonly waitMs: () => number;
}

function visitOf<Op>({ world, observe }: State<Op>, request: Sent<Op>): Visit {
  const { id, server, isPipeline, op } = request;
  let waitMs = 0;
  let hasTold = false;
  let telling: Response | undefined;
  return {
    run(commands) {
      const answer = server.perform<Op>(commands, isPipeline, op, (execution) => {
        // A held request is identified by its last response.
        if (execution.status === "granted") request.status = execution.status;
        request.status ??= execution.status;
        // A list does not share the server's time.
        hasTold ||= !/^names?-inspect$/.test(execution.script);
        world.note({ type: "executed", request: id, status: execution.status });
        observe(execution);
      });
      ({ waitMs } = answer);
      return answer;
    },
    answered({ status, body, headers }) {
      world.log(`${id} ${server.name} answers ${body.slice(0, 120)}`);
      const whole = response(status, body, headers);
      if (hasTold) telling = whole;
      return whole;
    },
    tells: (answer) => answer === telling,
    waitMs: () => waitMs,
  };
}

/** Serves a request on a server that may hold it, or on one that answers immediately. */
function serve(holding: Holding | undefined, serving: Serving): () => void {
  if (holding) return holding.serve(serving);
  const { status, body } = serving.run(serving.commands);
  serving.answer({ status, body, headers: {} });
  return () => {};
}

/** The client's side of the transport. */
interface End {
  readonly prefer: string | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Response) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens the transport of a request, which ends with `resolve`, `reject` or the signal. */
function wayOf<Op>(state: State<Op>, { host, known }: Client, request: Sent<Op>, goes: number, end: End): Way {
  const { world, holdings, isCut = () => false } = state;
  const { server, commands } = request;
  const { prefer, signal } = end;
  const visit = visitOf(state, request);
  const record = commands[0]?.[3] ?? "";
  let isOver = false;
  let hangUp = (): void => {};
  const settle = (settled: () => void): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", aborted);
    settled();
  };
  const aborted = (): void => {
    settle(() => {
      world.note({ type: "gave up", request: request.id });
      end.reject(signal.reason);
    });
    world.after(goes, () => hangUp());
  };
  signal.addEventListener("abort", aborted);
  const arrived = (answer: Response): void => {
    world.note({ type: "answered", request: request.id, status: answer.status });
    if (visit.tells(answer) && !state.forgets)
      known.set(record, { server, steppedMs: host.steppedMs, learnedAt: world.now() });
    end.resolve(answer);
  };
  const broke = (syscall: string, code: string): void => {
    world.note({ type: "broke", request: request.id, code });
    end.reject(failure(syscall, code));
  };
  const breaks: Way["breaks"] = (ms, syscall, code) =>
    void world.after(ms, () => host.deliver(() => settle(() => broke(syscall, code))));
  return {
    breaks,
    arrives(ms, then) {
      state.inFlight++;
      world.after(ms, () => {
        state.inFlight--;
        if (!isCut(host, server)) then();
      });
    },
    answers: (ms, answer) =>
      void world.after(ms + visit.waitMs(), () => {
        if (!isCut(host, server)) host.deliver(() => settle(() => arrived(answer)));
      }),
    run(then = () => {}) {
      world.note({ type: "arrived", request: request.id });
      const answer = (answered: Answered): void => then(visit.answered(answered));
      const brokenOff = (): void => breaks(goes, "read", "ECONNRESET");
      hangUp = serve(holdings?.get(server), { commands, prefer, run: visit.run, answer, breaks: brokenOff });
    },
  };
}

function send<Op>(state: State<Op>, client: Client, id: string, url: string, init: RequestInit): Promise<Response> {
  const { host, route, random, known, startedAt } = client;
  const body = JSON.parse(String(init.body)) as unknown[];
  const isPipeline = url.endsWith("/pipeline");
  const list = (isPipeline ? body : [body]) as (string | number)[][];
  const commands = list.map((words) => words.map((word) => toBytes(String(word))));
  const server = route(commands);
  const { op } = currentContext<Op>() ?? {};
  const chance = draw(random, state.faults, state.spared.has(id));
  const { fate } = chance;
  if (fate !== "fine" && !state.forgets) state.faulty.push(id);
  // A record that was not requested counts like the others.
  const own = known.get(commands[0]?.[3] ?? "");
  const about = own ? [own] : [...known.values()].filter((each) => each.server === server);
  const isFirst = about.every(({ steppedMs }) => steppedMs < host.steppedMs);
  // For a new record, the client's own clock counts, which has drifted since the start.
  const isStale = state.world.now() - (own?.learnedAt ?? startedAt) > STALE_AFTER_MS;
  const request: Sent<Op> = { id, server, commands, isPipeline, op, fate, isFirst, isStale };
  if (!state.forgets) state.sent.push(request);
  state.onSend(request);
  const scripts = commands.map(scriptNameOf).join(", ");
  const name = commands[0]?.[3] ?? "";
  const call = (op as { readonly id: string } | undefined)?.id;
  state.world.note({ type: "sent", request: id, call, server: server.name, name, script: scripts, fate });
  return new Promise<Response>((resolve, reject) => {
    const { prefer } = init.headers as Record<string, string>;
    const end = { prefer, signal: init.signal as AbortSignal, resolve, reject };
    const way = wayOf(state, client, request, chance.goes, end);
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
      const client: Client = {
        host,
        route,
        random: options.random(`${name} to ${to}`),
        known: new Map(),
        startedAt: state.world.now(),
      };
      let count = 0;
      return (url, init) => send(state, client, `${name}.${to}#${++count}`, url, init);
    },
  };
}
