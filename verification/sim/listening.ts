import { mayFree, waitableCall } from "../../engine/src/holding/index.ts";
import type { Op } from "./history/facts.ts";
import { isGrantable, type Liveness, livenessOf, STALL_MS, type Waiting } from "./liveness.ts";
import type { Plan } from "./plan.ts";
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

/** A release of these wakes one waiter of each name. */
const WAKES_ONE = /^(lock|fair|group)-close$/;
/** A message for everybody. */
const EVERYBODY = "*";
/** A waiter whose message is lost polls within 5 s, or within 1 s of a subscription that breaks. The rest is travel. */
const POLL_STALL_MS = 6000;

/** For how long a listener may wait for what is free; undefined where other faults than those of messages delay it. */
function stallMsOf({ wakes, networkFaults, hostFreezes, faults, partitions }: Plan): number | undefined {
  if (!wakes || networkFaults > 0 || hostFreezes > 0 || faults.length + partitions.length > 0) return undefined;
  const isReliable = Object.values(wakes).every((chance) => chance === 0);
  return isReliable ? STALL_MS : POLL_STALL_MS;
}

/** The listeners of a server. */
interface Listeners {
  readonly server: Server;
  /** By ID. */
  readonly waiting: Map<string, Listener>;
  readonly liveness: Liveness;
  /** The keys of names that were freed, and that nobody has got yet. */
  readonly freed: Set<string>;
}

/**
 * Those who wait for some of these keys. A call that has ended waits no more. Its listing is left, as that of a process
 * that has died.
 */
const stillWaiting = ({ waiting }: Listeners, keys: readonly string[]): Listener[] =>
  [...waiting.values()].filter(({ op, head }) => op?.endedAt === undefined && head.some((word) => keys.includes(word)));

/** The arguments of a caller that may not join a hold by its re-entry key: nobody is woken to join. */
function withoutKey(named: Execution<Op>["args"], args: readonly string[]): readonly string[] {
  const at = Object.keys(named).indexOf("reentryKey");
  return at < 0 ? args : args.with(at, "");
}

/** The checks of the messages that wake waiters. */
export interface Listening {
  /** Called with each message that a script publishes, while the script runs. */
  published(server: string, text: string): void;
  /** Called after each script. */
  executed(execution: Execution<Op>): void;
}

/**
 * Checks that messages wake waiters: after a release, none that listens can be granted its name for longer than allowed,
 * where only messages have faults. And a release of a lock wakes one waiter, since the others could only be refused.
 */
export function createListening(
  world: World,
  servers: readonly Server[],
  plan: Plan,
  report: (rule: string, text: string) => void,
): Listening {
  const stallMs = stallMsOf(plan);
  const onStall = (text: string): void => report("liveness", text);
  /** The messages since the last script that was observed. Those of a script that failed are of an earlier time. */
  let published: { readonly server: string; readonly text: string; readonly at: number }[] = [];

  function listenersOf(server: Server): Listeners {
    const waiting = new Map<string, Listener>();
    const freed = new Set<string>();
    const inVain = (): Listener[] => stillWaiting(listeners, [...freed]);
    const liveness = livenessOf(inVain, { world, server, onStall, stallMs }, "listeners");
    const listeners: Listeners = { server, waiting, liveness, freed };
    return listeners;
  }

  /** After a script that may have freed something, and after one that has listed a waiter. */
  function checkLiveness(listeners: Listeners, execution: Execution<Op>): void {
    const { server, waiting, liveness } = listeners;
    const { args, reply, words, now, op } = execution;
    const id = args["id"]?.slice(0, ID_LENGTH);
    if (id !== undefined) waiting.delete(id);
    const call = id !== undefined && reply["listed"] === 1 ? waitableCall(words) : undefined;
    if (id !== undefined && call) {
      const lasting = {
        ...call,
        args: withoutKey(args, call.args.with(call.waitable.notAfter, String(now + VALID_US))),
      };
      const head = words.slice(0, words.length - call.args.length);
      waiting.set(id, { call: lasting, head, since: world.now(), reply: Object.values(reply), op });
    }
    if (!frees(execution)) return;
    // A release can leave another hold of the holder, which ends earlier than the waiters know. An expiry wakes nobody.
    for (const each of stillWaiting(listeners, execution.keys))
      if (isGrantable(each, server, world)) for (const key of execution.keys) listeners.freed.add(key);
    liveness.watch();
  }

  const all = new Map(servers.map((server) => [server.name, listenersOf(server)]));
  return {
    published(server, text) {
      // The first listener of a name tries whether it can publish at all.
      if (text !== "") published.push({ server, text, at: world.now() });
    },
    executed(execution) {
      const { server, script, keys, status, isFull, op } = execution;
      const texts = published
        .filter((each) => each.server === server && each.at === world.now())
        .map(({ text }) => text);
      published = [];
      if (WAKES_ONE.test(script) && !isFull && (texts.length > keys.length || texts.includes(EVERYBODY)))
        report("wake-ups", `${script} of ${op?.id} wakes ${texts.join(" and ")}`);
      const listeners = all.get(server) as Listeners;
      if (isSuccess(status)) {
        for (const key of keys) listeners.freed.delete(key);
        listeners.liveness.succeeded();
      }
      if (stallMs === undefined) return;
      checkLiveness(listeners, execution);
    },
  };
}
