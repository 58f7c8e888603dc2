import type { Connection } from "./connect.ts";
import type { Answer, Command, Outcome, Port } from "./port.ts";
import type { Via } from "./run.ts";

/** A command that waits for the others. */
interface Parcel {
  readonly command: Command;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
}

/** Sends commands in one pipeline, until the last of their senders has given up. */
async function send(port: Port, parcels: readonly Parcel[]): Promise<void> {
  const all = new AbortController();
  let left = parcels.length;
  for (const { signal } of parcels)
    signal.addEventListener("abort", () => {
      if (--left === 0) all.abort();
    });
  const commands = parcels.map(({ command }) => command);
  const [first = [], ...behind] = commands;
  const outcome = await port(first, all.signal, behind);
  const { answers = [], unsure = false } = outcome;
  // A server that did not answer one by one did not answer any of them.
  if (answers.length < parcels.length) for (const { resolve } of parcels) resolve({ ...outcome, result: undefined });
  else
    for (const [n, { resolve }] of parcels.entries()) {
      const { error, result } = answers[n] as Answer;
      resolve({ error, result, unsure });
    }
}

/** Gathers the commands of one connection: first one of each that joined, then those that are sent again at once. */
function gather(port: Port): () => Port {
  // The turn counts as one too: all join before it is over.
  let expected = 1;
  let parcels: Parcel[] = [];
  const flush = (): void => {
    send(port, parcels);
    parcels = [];
  };
  const arrive = (): void => {
    if (--expected === 0) flush();
  };
  queueMicrotask(arrive);
  return () => {
    let isFirst = true;
    expected++;
    return (command, signal) =>
      new Promise((resolve) => {
        parcels.push({ command, signal, resolve });
        if (isFirst) arrive();
        else if (parcels.length === 1) setTimeout(flush);
        isFirst = false;
      });
  };
}

/**
 * Makes a way on which scripts that are run at once, over the same connection, travel in one pipeline where they go by
 * HTTP. Each of them is still timed, judged and sent again by itself. It is for one group of calls that begin in the
 * same turn.
 */
export function togetherVia(): Via {
  const gathered = new Map<Connection, () => Port>();
  return (connection) => {
    if (connection.port.isSingle) return connection.port;
    const join = gathered.get(connection) ?? gather(connection.port);
    gathered.set(connection, join);
    return join();
  };
}
