import { ACQUIRE_OPTIONS, type AcquireOptions } from "../engine/acquire-options.ts";
import type { KeepAliveLimits, Lease, Work } from "../engine/hold.ts";
import { placeOf, withCrowd } from "../engine/place.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { toCount, toFunction, toMs } from "../shared/checks.ts";
import { readWriteLock, rwSide } from "./read-write-lock.ts";

export interface RequestOptions extends AcquireOptions, KeepAliveLimits {
  /** `shared` is held together with others that are. Default: `exclusive`. */
  readonly mode?: "exclusive" | "shared" | undefined;
  /** Does not wait: when the name is in use, the work is called with null. */
  readonly ifAvailable?: boolean | undefined;
  /**
   * Takes it at once from whoever has it; they find their lease lost. `wait` is then how long to insist on an answer. Only `exclusive`,
   * without `ifAvailable` and `signal`.
   */
  readonly steal?: boolean | undefined;
}

/** Requests of one name and mode that are granted. */
export interface RequestInfo {
  readonly name: string;
  readonly mode: "exclusive" | "shared";
  readonly count: number;
  readonly token: number;
}

/** Who has the names that were asked for and, as far as it is known, who waits for them. */
export interface LockSnapshot {
  readonly held: readonly RequestInfo[];
  readonly pending: readonly Omit<RequestInfo, "token">[];
}

export type RequestArguments<T> =
  | [work: Work<T>]
  | [options: RequestOptions & { readonly ifAvailable?: false }, work: Work<T>]
  | [options: RequestOptions, work: Work<T, Lease | null>];

/**
 * `navigator.locks.request` of the Web Locks API, across machines: calls `work` with a lease of the name, keeps it while the promise
 * of the work is pending, and gives what that gives. It is a {@link readWriteLock} of the same name.
 *
 * It differs where a network does: the wait ends (`wait`, default 10 s), order is only as fair as a read-write lock's, and what is
 * held is a lease, which is extended for `maxHold` and can be lost: listen to `lease.signal`.
 *
 * @throws what `work` throws; LockTimeoutError when it was not granted in time; LeaseLostError when it was lost or stolen; the
 * signal's reason; TypeError for options that exclude each other.
 */
export async function request<T>(
  connection: ConnectionSource,
  name: string,
  ...given: RequestArguments<T>
): Promise<T> {
  const [options, work] = (given.length === 1 ? [{}, ...given] : given) as [RequestOptions, Work<T, Lease | null>];
  const { mode = "exclusive", ifAvailable, steal, signal, maxHold, maxExtends } = options;
  toFunction(work, "work");
  if (!/^(exclusive|shared)$/.test(mode)) throw new TypeError("mode must be exclusive or shared");
  if (steal ? ifAvailable || signal || mode === "shared" : ifAvailable && signal)
    throw new TypeError("steal, ifAvailable, signal and shared exclude each other");
  toMs(maxHold ?? 1, "maxHold");
  toCount(maxExtends, "maxExtends", 0);
  const side = rwSide(
    withCrowd(placeOf(connectionOf(connection), "rw", [name], undefined)),
    steal ? "steal" : mode === "shared" ? "read" : "write",
    {},
    `${ACQUIRE_OPTIONS} mode ifAvailable steal maxHold maxExtends`,
  );
  const lease = await (ifAvailable ? side.tryAcquire(options) : side.acquire(options));
  const background = { waitUntil: options.waitUntil && ((promise: Promise<unknown>) => options.waitUntil?.(promise)) };
  return lease ? lease.keepAlive(background, work, { maxHold, maxExtends }) : work(null);
}

/** `navigator.locks.query`, for these names: asks the server about each of them, all at once. */
export async function query(connection: ConnectionSource, names: readonly string[]): Promise<LockSnapshot> {
  if (!Array.isArray(names as unknown)) throw new TypeError("query takes a list of names");
  const held: RequestInfo[] = [];
  const pending: Omit<RequestInfo, "token">[] = [];
  const states = await Promise.all(names.map((name) => readWriteLock(connection, name).inspect()));
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
