import { mayFree, waitableCall } from "../../engine/src/holding/index.ts";
import type { Op } from "./history/facts.ts";
import { type Liveness, livenessOf, type Waiting } from "./liveness.ts";
import type { Execution } from "./scripts.ts";
import type { Server } from "./server.ts";
import type { World } from "./world.ts";

/** A refused request whose sender listens for a message. */
interface Listener extends Waiting {
  readonly op: Op | undefined;
}

/** How long after its sending a rehearsed request is still valid, in µs: long enough for any look. */
const VALID_US = 60_000_000;
/** An ID without the suffix of its kind. */
const ID_LENGTH = 36;
/** What a waiter wants. */
const isSuccess = (status: string): boolean => status === "granted" || status === "open";
/** Answers after which more may be free than before. Those of a lease that has expired publish nothing. */
const frees = ({ status, words: [, sha = ""] }: Execution<Op>): boolean =>
  mayFree(sha) && !isSuccess(status) && !/^(held|late|lost|refused)$/.test(status);

/** The listeners of a server. */
interface Listening {
  readonly listeners: Map<string, Listener>;
  readonly liveness: Liveness;
  /** Whether something was freed, and nobody has got it yet. */
  isFreed: boolean;
}

/**
 * Checks that messages wake waiters: after a release, none that listens can be granted its name for more than a second.
 * Only for runs in which no message is lost and no host freezes. Returns what must be called after each script.
 */
export function createListening(
  world: World,
  servers: readonly Server[],
  onStall: (text: string) => void,
): (execution: Execution<Op>) => void {
  function listeningOf(server: Server): Listening {
    const listeners = new Map<string, Listener>();
    // A call that has ended waits no more. Its listing is left, as that of a process that has died.
    const waiting = (): Listener[] =>
      listening.isFreed ? [...listeners.values()].filter(({ op }) => op?.endedAt === undefined) : [];
    const liveness = livenessOf(waiting, { world, server, onStall }, "listeners");
    const listening: Listening = { listeners, liveness, isFreed: false };
    return listening;
  }

  const all = new Map(servers.map((server) => [server.name, listeningOf(server)]));
  return (execution) => {
    const { server, args, reply, words, status, now, op } = execution;
    const listening = all.get(server) as Listening;
    const { listeners, liveness } = listening;
    if (isSuccess(status)) {
      listening.isFreed = false;
      liveness.succeeded();
    }
    const id = args["id"]?.slice(0, ID_LENGTH);
    if (id !== undefined) listeners.delete(id);
    const call = id !== undefined && reply["listed"] === 1 ? waitableCall(words) : undefined;
    if (id !== undefined && call) {
      const lasting = { ...call, args: call.args.with(call.waitable.notAfter, String(now + VALID_US)) };
      const head = words.slice(0, words.length - call.args.length);
      listeners.set(id, { call: lasting, head, since: world.now(), reply: Object.values(reply), op });
    }
    if (frees(execution)) {
      listening.isFreed = true;
      liveness.watch();
    }
  };
}
