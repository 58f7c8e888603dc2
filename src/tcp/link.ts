import { type Failed, failed, type Port, refused, type Unknown } from "../redis/port.ts";
import { redactFailure } from "../redis/redact.ts";
import { onAbort } from "../shared/abort.ts";

/** The port of a client over TCP, which sends commands one by one. Its errors do not quote what was sent. */
export function single(send: Port): Port {
  const port: Port = async (command, signal, behind) => {
    const outcome = await send(command, signal, behind);
    if (outcome.type === "answered") return outcome;
    return redactFailure(outcome, behind ? [command, ...behind] : [command]);
  };
  return Object.assign(port, { isSingle: true });
}

/** The part of a client's events that is needed. */
export interface Events {
  on(event: string, listener: (error?: unknown) => void): unknown;
  off(event: string, listener: (error?: unknown) => void): unknown;
}

/** Names a failure by the system's code, or in the words of the client library. */
function nameOf(thrown: unknown): string {
  const { message, code } = Object(thrown) as { readonly message?: string; readonly code?: string };
  return code || message || "not connected";
}

/** The outcome of a command that the client library was not given, since it is not connected. */
export function unsent(why: unknown): Failed {
  const refusal = refused(nameOf(why));
  // A refused password means that a server was reached.
  if (refusal.code === "unauthorized") return refusal;
  return { type: "not sent", error: refusal.error, cause: failed(why).cause, reason: "unreachable" };
}

/**
 * The outcome of a command that the client library has: it may have sent it, and may send it again. The error proves
 * nothing, since that of a later connection ends the commands of an earlier one.
 */
export function unanswered(thrown: unknown): Unknown {
  const seen = failed(thrown);
  const looksUnreachable = seen.type === "not sent" || seen.looksUnreachable === true;
  return { type: "unknown", error: nameOf(thrown), cause: seen.cause, looksUnreachable };
}

/** The requests that wait for a client's connection. */
interface Queue {
  readonly waiting: Set<(failure: unknown) => void>;
  /** Lets all of them continue. */
  readonly news: (failure?: unknown) => void;
}

/** By client: any number of connections may be made over one, a new one for each request too. */
const queues = new WeakMap<Events, Queue>();
/** After these a client is connected, or has failed to connect. */
const NEWS = ["ready", "error", "close", "end"];

function queueOf(client: Events): Queue {
  const waiting: Queue["waiting"] = new Set();
  const news: Queue["news"] = (failure) => {
    for (const go of waiting) go(failure);
  };
  const queue = queues.get(client) ?? { waiting, news };
  queues.set(client, queue);
  return queue;
}

/**
 * Waits for a client that is connecting, until it is connected or has failed, or the attempt has ended. Returns the
 * failure if there was one.
 *
 * Waiters share one listener, since Node warns of a leak from the eleventh on, and leave none behind.
 */
export function settled(client: Events, signal: AbortSignal): Promise<unknown> {
  const { waiting, news } = queueOf(client);
  return new Promise((resolve) => {
    function go(failure: unknown): void {
      forget();
      waiting.delete(go);
      if (waiting.size === 0) for (const event of NEWS) client.off(event, news);
      resolve(failure);
    }
    if (waiting.size === 0) for (const event of NEWS) client.on(event, news);
    waiting.add(go);
    const forget = onAbort(signal, () => go(undefined));
  });
}
