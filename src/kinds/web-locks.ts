import { ACQUIRE_OPTIONS, type AcquireOptions } from "../engine/acquire-options.ts";
import type { KeepAliveLimits } from "../engine/keep-alive.ts";
import { toLimits } from "../engine/keep-alive.ts";
import type { Lease, Work } from "../engine/lease.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { sharedRoutes } from "../redis/routes.ts";
import { checkOptions, type RunArguments, toChoice, toFlag, toRun } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { boundWaitUntil } from "../shared/wait-until.ts";
import { inspectSides, readWriteTarget, rwSide } from "./read-write-lock.ts";

/** The options of {@link request}. */
const OPTIONS = `${ACQUIRE_OPTIONS} mode ifAvailable steal maxHold maxExtends`;

export interface RequestOptions extends AcquireOptions, KeepAliveLimits {
  /** `shared` requests are held together. Default: `exclusive`. */
  readonly mode?: "exclusive" | "shared" | undefined;
  /** Does not wait: if the name is in use, the work is called with null. Default false. */
  readonly ifAvailable?: boolean | undefined;
  /**
   * Takes the name from its holders immediately; their leases are lost. `wait` then limits the retries of an unanswered
   * request. Only with mode `exclusive`, without `ifAvailable` and `signal`. Default false.
   */
  readonly steal?: boolean | undefined;
}

/** The granted requests of one name and mode. */
export interface RequestInfo {
  readonly name: string;
  readonly mode: "exclusive" | "shared";
  readonly count: number;
  readonly token: number;
}

/** The requests that hold the names, and those known to wait for them. */
export interface LockSnapshot {
  readonly held: readonly RequestInfo[];
  readonly pending: readonly Omit<RequestInfo, "token">[];
}

export type RequestArguments<T> =
  | [work: Work<T>]
  | [options: RequestOptions & { readonly ifAvailable?: false }, work: Work<T>]
  | [options: RequestOptions, work: Work<T, Lease | null>];

/** The side of a read-write lock that a mode acquires. */
const SIDES = { exclusive: "write", shared: "read" } as const;

/**
 * Calls `work` with a lease of the name, keeps the lease while the promise of the work is pending, and returns its
 * result, like `navigator.locks.request` of the Web Locks API, but across machines. It uses the name of a {@link
 * readWriteLock}.
 *
 * It differs from the browser's in three points: the wait ends (`wait`, default 10 s); the order is that of a
 * read-write lock; and the lease is extended for at most `maxHold` and can be lost, so listen to `lease.signal`.
 *
 * @example
 * ```ts
 * const result = await request(connection, "report", async ({ signal }) => {
 *   return await settle(signal);
 * });
 * ```
 *
 * @throws what `work` throws; LockTimeoutError if the name was not granted in time; LeaseLostError if the lease was
 * lost or stolen; the signal's reason; TypeError for options that exclude each other.
 * @see https://www.w3.org/TR/web-locks/
 */
export async function request<T>(
  connection: ConnectionSource,
  name: string,
  ...given: RequestArguments<T>
): Promise<T> {
  const [options, work] = toRun(
    given as RunArguments<RequestOptions, Work<T, Lease | null>>,
    "request",
    "request(connection, name, options, work)",
  );
  const { mode = "exclusive", ifAvailable, steal, signal, maxHold, maxExtends } = options;
  const limits = { maxHold, maxExtends };
  const target = inCall("request", () => {
    checkOptions(options, OPTIONS);
    toChoice(mode, "mode", "exclusive or shared");
    toFlag(ifAvailable, "ifAvailable");
    toFlag(steal, "steal");
    const stealsWithMore = steal && (ifAvailable || signal || mode === "shared");
    if (stealsWithMore || (ifAvailable && signal))
      throw misuse(
        TypeError,
        'two of steal, ifAvailable, signal and mode "shared" were given: they exclude each other',
      );
    toLimits(limits, undefined);
    boundWaitUntil(options);
    return readWriteTarget(connection, name);
  });
  const side = rwSide(target, steal ? "steal" : SIDES[mode], {}, OPTIONS);
  const lease = await (ifAvailable ? side.tryAcquire(options) : side.acquire(options));
  return lease ? lease.keepAlive({ waitUntil: boundWaitUntil(options) }, work, limits) : await work(null);
}

/**
 * Reads who holds these names and who waits for them, like `navigator.locks.query` of the Web Locks API, but for given
 * names. Sends one request, or one per name over TCP.
 *
 * @example
 * ```ts
 * const { held, pending } = await query(connection, ["report", "invoice"]);
 * for (const { name, mode, count } of held) console.log(name, mode, count);
 * console.log(pending.length);
 * ```
 *
 * @throws TypeError or RangeError for invalid names; LeaseholdError if the server does not answer.
 */
export async function query(connection: ConnectionSource, names: readonly string[]): Promise<LockSnapshot> {
  if (!Array.isArray(names as unknown)) throw new TypeError(`query: names must be a list, not ${shown(names)}`);
  const held: RequestInfo[] = [];
  const pending: Omit<RequestInfo, "token">[] = [];
  const targets = names.map((name) => readWriteTarget(connection, name));
  const joint = { routes: sharedRoutes() };
  const states = await Promise.all(targets.map((target) => inspectSides(target, joint)));
  for (const [index, { holds, readers, token, waitingWriters, waitingReaders }] of states.entries()) {
    const name = names[index] as string;
    const modes = [
      ["exclusive", holds, waitingWriters],
      ["shared", readers, waitingReaders],
    ] as const;
    for (const [mode, count, waiting] of modes) {
      if (count) held.push({ name, mode, count, token });
      if (waiting) pending.push({ name, mode, count: waiting });
    }
  }
  return { held, pending };
}
