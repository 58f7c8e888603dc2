/** The common part of the tests' proxies: the requests that arrived, and the fault of each. Nothing of Node's. */
import { pause } from "./names.ts";
import { type Parsed, statusOf } from "./wire.ts";

/** A request that reached the proxy. */
export interface Seen extends Parsed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * The script's answers, one status for each time that it was forwarded: `granted`, `held`, `error NOSCRIPT`,
   * `HTTP 401`.
   */
  readonly answers: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request and what can be done to it. A fault that does nothing leaves the caller waiting. */
export interface Exchange {
  readonly seen: Seen;
  /** Sends it to the gateway: again for every call, with some headers changed if given. */
  forward(headers?: Record<string, string>): Promise<Answer>;
  /** Answers the caller, who may be gone. */
  answer(answer: Answer): void;
  /** Answers with the first half of the body and closes the connection in the middle of it. */
  answerHalf(answer: Answer): void;
  /** Closes the caller's connection without an answer. */
  cut(): void;
  /** Keeps the request for {@link FaultProxy.deliver}: it is still on its way. */
  keep(): void;
  /** Closes every connection and refuses new ones for so long. */
  away(ms: number): Promise<void>;
}

export type Fault = (exchange: Exchange) => unknown;
/** A script's name, such as `lock-acquire`, or a predicate. */
type Match = string | ((seen: Seen) => boolean);

/** A proxy that passes everything on, but for what it is told to do otherwise. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** Everything that arrived, in order. */
  readonly seen: readonly Seen[];
  /** How many requests arrived, of one script or of all. */
  count(match?: Match): number;
  /** The next requests that match meet these faults, one each, in this order. */
  next(match: Match, ...faults: Fault[]): void;
  /** How many of the faults of `next` nothing has met yet. */
  unmet(): number;
  /** Every request that matches meets this fault, until the function it gives is called. */
  always(match: Match, fault: Fault): () => void;
  /** Resolves when so many requests that match have arrived and what was to be done to them is done. */
  arrived(match: Match, count?: number): Promise<void>;
  /** Forwards what was kept, in order; gives the statuses of the answers. */
  deliver(match?: Match): Promise<string[]>;
  /** Forwards copies of what arrived, in order or the last one first; gives the statuses of the answers. */
  replay(match?: Match, order?: "forward" | "backward"): Promise<string[]>;
  close(): Promise<void>;
}

interface Rule {
  readonly match: Match;
  readonly faults: Fault[];
  readonly lasting: boolean;
}

const POLL_MS = 5;

const matches = (match: Match | undefined, seen: Seen): boolean =>
  match === undefined || (typeof match === "string" ? seen.script === match : match(seen));

/** A request that arrived, and the answers to its copies. */
export interface Arrived extends Seen {
  readonly answers: string[];
}

/** The headers of an answer that a client looks at. */
const HEADERS = ["content-type", "preference-applied", "server-timing"] as const;

/** Forwards a request by `fetch`, and notes what it is answered. */
export async function forwardTo(
  target: string,
  seen: Arrived,
  headers: Readonly<Record<string, string>> = {},
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Answer> {
  const response = await send(target + seen.path, {
    method: "POST",
    headers: { ...seen.headers, ...headers },
    body: seen.body,
  });
  const answer = {
    status: response.status,
    headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name) ?? ""])),
    body: await response.text(),
  };
  seen.answers.push(statusOf(answer.status, answer.body, seen.headers["upstash-encoding"] === "base64"));
  return answer;
}

/** A proxy's memory and orders. `send` forwards a copy of a request, and notes the answer to it. */
export function createBook(send: (copy: Arrived) => Promise<unknown>): {
  /** Does to a request what it is to meet. */
  meet(request: Arrived, exchange: Omit<Exchange, "seen" | "keep">): Promise<void>;
  readonly told: Omit<FaultProxy, "url" | "close" | typeof Symbol.asyncDispose>;
} {
  const seen: Arrived[] = [];
  const done = new Set<Seen>();
  const kept: Seen[] = [];
  const rules: Rule[] = [];

  function faultFor(request: Seen): Fault {
    const rule = rules.find(({ match, faults }) => faults.length > 0 && matches(match, request));
    const fault = rule?.lasting ? rule.faults[0] : rule?.faults.shift();
    return fault ?? (async ({ forward, answer }) => answer(await forward()));
  }

  async function sendAll(requests: readonly Seen[]): Promise<string[]> {
    const statuses: string[] = [];
    for (const request of requests) {
      const copy = { ...request, answers: [] };
      await send(copy);
      statuses.push(...copy.answers);
    }
    return statuses;
  }

  return {
    async meet(request, exchange) {
      seen.push(request);
      await faultFor(request)({ ...exchange, seen: request, keep: () => kept.push(request) });
      done.add(request);
    },
    told: {
      seen,
      count: (match) => seen.filter((request) => matches(match, request)).length,
      next: (match, ...faults) => rules.push({ match, faults, lasting: false }),
      unmet: () => rules.reduce((sum, { faults, lasting }) => sum + (lasting ? 0 : faults.length), 0),
      always(match, fault) {
        const rule = { match, faults: [fault], lasting: true };
        rules.unshift(rule);
        return () => rules.splice(rules.indexOf(rule), 1);
      },
      async arrived(match, count = 1) {
        while ([...done].filter((request) => matches(match, request)).length < count) await pause(POLL_MS);
      },
      deliver: (match) => {
        const now = kept.filter((request) => matches(match, request));
        for (const request of now) kept.splice(kept.indexOf(request), 1);
        return sendAll(now);
      },
      replay: (match, order = "forward") => {
        const copies = seen.filter((request) => matches(match, request));
        return sendAll(order === "forward" ? copies : copies.reverse());
      },
    },
  };
}
