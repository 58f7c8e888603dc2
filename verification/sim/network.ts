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

export function createNetwork<Op>(options: NetworkOptions<Op>): Network<Op> {
  const { world, faults, spared, observe, onSend } = options;
  const sent: Sent<Op>[] = [];
  const faulty: string[] = [];
  let inFlight = 0;

  interface Client {
    readonly host: Host;
    readonly route: Route;
    readonly random: Random;
    /** The records with which an answer has told it a server's time, and by how much its own clock was off then. */
    readonly known: Map<string, { readonly server: Server; readonly steppedMs: number }>;
  }

  function send({ host, route, random, known }: Client, id: string, url: string, init: RequestInit) {
    const body = JSON.parse(String(init.body)) as unknown[];
    const isPipeline = url.endsWith("/pipeline");
    const list = (isPipeline ? body : [body]) as (string | number)[][];
    const commands = list.map((words) => words.map((word) => toBytes(String(word))));
    const server = route(commands);
    const { op } = currentContext<Op>() ?? {};
    // Drawn always, so that sparing one request leaves all others as they are.
    const isFaulty = random.chance(faults);
    const drawn = random.pick(FAULTS);
    const fate: Fate = isFaulty && !spared.has(id) ? drawn : "fine";
    const delay = (): number => (random.chance(0.05) && faults > 0 ? random.between(5, 300) : random.between(0.3, 6));
    const [goes, comes] = [delay(), delay()];
    const lateMs = random.pick([300, 3000, 12_000, 40_000]) * random.between(0.3, 1);
    const retryAfter = random.pick(["0", "1", "3"]);
    const status = random.pick([500, 502, 503, 504]);
    if (fate !== "fine") faulty.push(id);
    const record = commands[0]?.[3] ?? "";
    // A record that it has not asked for counts as the others do.
    const own = known.get(record);
    const about = own ? [own] : [...known.values()].filter((each) => each.server === server);
    const isFirst = about.every(({ steppedMs }) => steppedMs < host.steppedMs);
    const request: Sent<Op> = { id, server, commands, isPipeline, op, fate, isFirst };
    sent.push(request);
    onSend(request);
    const signal = init.signal as AbortSignal;

    return new Promise<Response>((resolve, reject) => {
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
      const arrives = (ms: number, then: () => void): void => {
        inFlight++;
        world.after(ms, () => {
          inFlight--;
          then();
        });
      };
      const answers = (ms: number, answer: Response): void => {
        world.after(ms + waitMs, () =>
          host.deliver(() =>
            settle(() => {
              if (answer === telling) known.set(record, { server, steppedMs: host.steppedMs });
              resolve(answer);
            }),
          ),
        );
      };
      const breaks = (ms: number, syscall: string, code: string): void => {
        world.after(ms, () => host.deliver(() => settle(() => reject(failure(syscall, code)))));
      };
      const run = (): Response => {
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
      };
      const meet: Record<Fate, () => void> = {
        fine: () => arrives(goes, () => answers(comes, run())),
        refused: () => breaks(goes, "connect", "ECONNREFUSED"),
        lost: () => breaks(goes, "read", "ECONNRESET"),
        swallowed: () => {},
        "answer lost": () =>
          arrives(goes, () => {
            run();
            breaks(comes, "read", "ECONNRESET");
          }),
        "answer swallowed": () => arrives(goes, run),
        late: () => arrives(lateMs, () => answers(comes, run())),
        "answer late": () => arrives(goes, () => answers(lateMs, run())),
        "copied after loss": () => {
          arrives(goes, run);
          arrives(goes + lateMs, () => answers(comes, run()));
        },
        copied: () => {
          arrives(goes, () => answers(comes, run()));
          arrives(goes + lateMs, run);
        },
        "429": () => answers(goes, response(429, "{}", { "retry-after": retryAfter })),
        "5xx before": () => answers(goes, response(status, PAGE)),
        "5xx after": () =>
          arrives(goes, () => {
            run();
            answers(comes, response(status, PAGE));
          }),
        "page before": () => answers(goes, response(200, PAGE)),
        "page after": () =>
          arrives(goes, () => {
            run();
            answers(comes, response(200, PAGE));
          }),
        "half an answer": () =>
          arrives(goes, () => {
            run();
            answers(comes, response(200, '{"result":["gra'));
          }),
      };
      meet[fate]();
    });
  }

  return {
    sent,
    faulty,
    get inFlight() {
      return inFlight;
    },
    fetchOf(host, route, name, to) {
      const client: Client = { host, route, random: options.random(`${name} to ${to}`), known: new Map() };
      let count = 0;
      return (url, init) => send(client, `${name}.${to}#${++count}`, url, init);
    },
  };
}
