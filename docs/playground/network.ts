import type { ClientOptions } from "../../testing/src/index.ts";
import { type Exchange, type Name, TRAVEL_SECONDS } from "./history.ts";

const LATENCY_MS = TRAVEL_SECONDS * 1000;

type Clock = ClientOptions["clock"];
type Fetch = ClientOptions["fetch"];

/** A request, and what the server made of it. */
export interface Arrival {
  readonly exchange: Exchange;
  readonly operation: "acquire" | "extend" | "release" | "claim" | "write" | "other";
  /** The id and the token of a claim or a write, and the value of a write. */
  readonly id: string;
  readonly token: number | undefined;
  readonly value: string | undefined;
  /** The server's reply: its first word is the verdict. */
  readonly reply: readonly unknown[];
}

interface Wires {
  readonly who: Name;
  /** Carries requests to the server, and is never frozen. */
  readonly carrier: ClientOptions;
  /** The clock of the instance: while it is frozen, answers wait. */
  readonly clock: Clock;
  readonly seconds: () => number;
  /** Tells what a request was for that the server has got. */
  readonly operationOf: (command: readonly string[]) => string;
  readonly sent: (exchange: Exchange) => void;
  readonly arrived: (arrival: Arrival) => void;
  readonly lost: (arrival: Arrival) => void;
}

/** The network between an instance and the server. */
export interface Network {
  readonly fetch: Fetch;
  /** Lets the next answer get lost. */
  loseNext(): void;
  readonly isLosing: boolean;
}

export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.timers.setTimeout(resolve, ms);
  });

/** Ends with the signal, as `fetch` does; the request still reaches the server. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

const reset = (): TypeError =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });

/** A request in words. A script's arguments stand behind the name of the script, the number of keys and one key. */
function purposeOf(
  command: readonly string[],
  operation: string,
): Pick<Arrival, "operation" | "id" | "token" | "value"> {
  if (operation === "acquire" || operation === "extend" || operation === "release")
    return { operation, id: "", token: undefined, value: undefined };
  if (operation !== "write") return { operation: "other", id: "", token: undefined, value: undefined };
  const [, id = "", token, , , value = ""] = command.slice(4);
  // A claim brings no value; that of a write stands behind a mark.
  return value === ""
    ? { operation: "claim", id, token: Number(token), value: undefined }
    : { operation, id, token: Number(token), value: value.slice(1) };
}

/** Lets requests and answers take their time, and some answers get lost. */
export function createNetwork({ who, carrier, clock, seconds, operationOf, sent, arrived, lost }: Wires): Network {
  let losing = false;

  async function carry(input: string | URL | Request, init: RequestInit): Promise<Response> {
    const command = (JSON.parse(String(init.body)) as unknown[]).map(String);
    const to = command[3]?.endsWith("%fence") ? "resource" : "lock";
    const exchange: Exchange = { who, to, sentAt: seconds() };
    sent(exchange);
    await pause(carrier.clock, LATENCY_MS);
    const { signal: _, ...rest } = init;
    const response = await carrier.fetch(input, rest);
    const text = await response.text();
    const { result } = JSON.parse(text) as { readonly result?: unknown };
    const reply = Array.isArray(result) ? (result as unknown[]) : [];
    exchange.arrivedAt = seconds();
    exchange.verdict = String(reply[0]);
    const arrival: Arrival = { exchange, ...purposeOf(command, operationOf(command)), reply };
    arrived(arrival);
    const isLost = losing;
    losing = false;
    await pause(carrier.clock, LATENCY_MS / (isLost ? 2 : 1));
    if (isLost) {
      exchange.lostAt = seconds();
      lost(arrival);
      await pause(carrier.clock, LATENCY_MS / 2);
    } else exchange.answeredAt = seconds();
    // A frozen instance takes nothing in.
    await pause(clock, 0);
    if (isLost) throw reset();
    return new Response(text, { status: response.status, headers: response.headers });
  }

  return {
    fetch: (input, init = {}) => abortable(carry(input, init), init.signal),
    loseNext() {
      losing = true;
    },
    get isLosing() {
      return losing;
    },
  };
}
