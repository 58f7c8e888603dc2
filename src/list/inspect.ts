import { sharedRoutes } from "../redis/batch.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { targetOf } from "../redis/target.ts";
import { checkOptions, toSignal } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import type { Listed } from "./entry.ts";
import type { ListedHolder } from "./holders.ts";
import { homeOf } from "./home.ts";
import { readName, strangerTo } from "./read.ts";
import type { ListedWaiter } from "./waiters.ts";

/** The state of a name, with its holders and waiters. */
export interface Inspected extends Listed {
  /** At most 100 holders: those whose leases end last, the last one first. */
  readonly holders: readonly ListedHolder[];
  /**
   * At most 100 waiters, for kinds whose waiters the server knows: fair locks and fair semaphores, in the order of the
   * queue; read-write locks, at most 100 of each side.
   */
  readonly waiting?: readonly ListedWaiter[];
  /** The highest token that a `redisFence` has seen for this name. */
  readonly fence?: number;
  /** Why the value under the key of its `redisFence` cannot be read, in words. */
  readonly unreadableFence?: string;
}

/** Options of {@link inspect}. */
export interface InspectOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_HOLDERS = 100;

/**
 * Reads a name of any kind, with its holders one by one, in one request. A name in a group is read over the group's
 * view: `inspect(locks.group("g"), "a")`. An unused name has the kind `none`, the state
 * `free` and the last remembered token, or 0. A value that cannot be read has the state `unreadable`, and `unreadable`
 * says why.
 *
 * @example
 * ```ts
 * await locks.semaphore("workers", { permits: 3 }).acquire({ permits: 2, label: "nightly" });
 * const { kind, held, holders } = await inspect(locks, "workers");
 * console.log(kind, held); // "semaphore", true
 * for (const { label, permits, since, until } of holders) console.log(label, permits, since, until);
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option; LeaseholdError if the server does not answer; the
 * signal's reason.
 */
export async function inspect(
  source: ConnectionSource,
  name: string,
  options: InspectOptions = {},
): Promise<Inspected> {
  const { signal } = options ?? {};
  const { connection, group, keys } = inCall("inspect", () => {
    checkOptions(options, "signal");
    toSignal(signal);
    const connection = strangerTo(connectionOf(source));
    const { group } = connection;
    return { connection, group, keys: targetOf(homeOf(connection, { name, group }), "inspect", [name]).keys };
  });
  const [key = ""] = keys;
  const routes = sharedRoutes();
  const [found, fence] = await Promise.all(
    [key, `${key}%fence`].map((each) =>
      readName(connection, each, MAX_HOLDERS, { operation: "inspect", routes, signal }),
    ),
  );
  return {
    ...(found ?? {
      name,
      ...(group !== undefined && { group }),
      kind: "none",
      state: "free",
      held: false,
      token: 0,
      holds: 0,
    }),
    holders: (found as Partial<Inspected> | undefined)?.holders ?? [],
    ...(fence?.kind === "fence" && { fence: fence.token }),
    ...(fence?.unreadable !== undefined && { unreadableFence: fence.unreadable }),
  };
}
