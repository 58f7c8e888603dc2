import { type Failed, failed, type Port, refused, type Unknown } from "../redis/port.ts";
import { redactFailure } from "../redis/redact.ts";
import { onAbort } from "../shared/abort.ts";

/** The port of a TCP client, which sends commands one by one. Its errors do not quote commands. */
export function single(send: Port): Port {
  const port: Port = async (command, signal, behind) => {
    const outcome = await send(command, signal, behind);
    if (outcome.type === "answered") return outcome;
    return redactFailure(outcome, behind ? [command, ...behind] : [command]);
  };
  return Object.assign(port, { isSingle: true });
}

/** The used part of a client's events. */
export interface Events {
  on(event: string, listener: (error?: unknown) => void): unknown;
  off(event: string, listener: (error?: unknown) => void): unknown;
}

/** Names a failure by the system's code, or by the client library's message. */
function nameOf(thrown: unknown): string {
  const { message, code } = Object(thrown) as { readonly message?: string; readonly code?: string };
  return code || message || "not connected";
}

/** The outcome of a command that was not passed to the client library, since it is not connected. */
export function unsent(why: unknown): Failed {
  const refusal = refused(nameOf(why));
  // A rejected password means that a server was reached.
  if (refusal.code === "unauthorized") return refusal;
  return { type: "not sent", error: refusal.error, cause: failed(why).cause, reason: "unreachable" };
}

/** The outcome of a command for a client that its owner has closed. */
export const closed = (): Failed => ({ type: "not sent", error: "closed", reason: "closed" });

/**
 * The outcome of a command that was passed to the client library, which may have sent it, and may resend it. The error
 * proves nothing, since the error of a later connection ends commands of an earlier one.
 */
export function unanswered(thrown: unknown): Unknown {
  const seen = failed(thrown);
  const looksUnreachable = seen.type === "not sent" || seen.looksUnreachable === true;
  return { type: "unknown", error: nameOf(thrown), cause: seen.cause, looksUnreachable };
}

/** The requests that wait for a client's connection. */
interface Queue {
  readonly waiting: Set<(failure: unknown) => void>;
  /** Resumes all of them. */
  readonly news: (failure?: unknown) => void;
}

/** By client, since many connections may use one client, even a new connection for each request. */
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
 * Waits for a connecting client, until it is connected or has failed, or the attempt has ended. Returns the failure if
 * there was one.
 *
 * Waiters share one listener, since Node warns of a leak at the eleventh, and they remove it at the end.
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
