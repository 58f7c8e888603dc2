import { nextArgs, readReply } from "../../engine/src/holding/entry.ts";
import type { WaitableCall } from "../../engine/src/holding/index.ts";
import type { Server } from "./server.ts";
import type { World } from "./world.ts";

/** A request that was refused, and whose sender waits for its name: held by a server, or for a message. */
export interface Waiting {
  readonly call: WaitableCall;
  /** The command without the arguments of the script. */
  readonly head: readonly string[];
  readonly since: number;
  /** The last refusal. */
  reply: unknown;
}

/** How often to check whether a waiting request could be granted. */
const LOOK_MS = 200;
/** For how long a request may wait for what is free, where nothing is lost. */
export const STALL_MS = 1000;

export const resultOf = (body: string): unknown => (JSON.parse(body) as { readonly result?: unknown }).result ?? null;

/** What a request waits for: a grant, or a latch at zero. */
const SUCCESSES: ReadonlySet<string | undefined> = new Set(["granted", "open"]);
export const saysSuccess = (body: string): boolean => [...SUCCESSES].some((status) => body.includes(`"${status}"`));

/** Whether a waiting request would succeed if it were run now. */
export function isGrantable({ call, since, head, reply }: Waiting, server: Server, world: World): boolean {
  const args = nextArgs(call, readReply(reply), world.now() - since);
  return SUCCESSES.has(readReply(resultOf(server.rehearse([...head, ...args])))?.status);
}

/** The check that nobody waits for a name that is free. */
export interface Liveness {
  /** A request waits: checks while any does. */
  watch(): void;
  /** A request succeeded: resets the time of waiting in vain. */
  succeeded(): void;
}

interface LivenessOptions {
  readonly world: World;
  readonly server: Server;
  /** Called if a request that waits could have been granted for longer than allowed. */
  readonly onStall: (text: string) => void;
  /** For how long that is allowed, in ms; `STALL_MS` by default. */
  readonly stallMs?: number | undefined;
}

/** Checks the requests that wait at a server. `who` they are, in words. */
export function livenessOf(
  waiters: () => Iterable<Waiting>,
  { world, server, onStall, stallMs = STALL_MS }: LivenessOptions,
  who: string,
): Liveness {
  let isLooking = false;
  let grantableSince: number | undefined;

  function look(): void {
    const all = [...waiters()];
    isLooking = all.length > 0;
    if (!isLooking) return;
    const canSucceed = all.some((each) => isGrantable(each, server, world));
    grantableSince = canSucceed ? (grantableSince ?? world.now()) : undefined;
    if (grantableSince !== undefined && world.now() - grantableSince > stallMs + LOOK_MS) {
      onStall(`${all.length} ${who} wait at ${server.name}, and one could be granted for more than ${stallMs} ms`);
      grantableSince = undefined;
    }
    world.after(LOOK_MS, look);
  }
  return {
    watch() {
      if (!isLooking) look();
    },
    succeeded() {
      grantableSince = undefined;
    },
  };
}
