import { ACQUIRE_OPTIONS, type AcquireOptions } from "../lease/acquire-options.ts";
import { EarlierTenure } from "../lease/earlier-tenure.ts";
import type { KeepAliveLimits } from "../lease/keep-alive.ts";
import { toLimits } from "../lease/keep-alive.ts";
import type { Lease, Work } from "../lease/lease.ts";
import { sharedRoutes } from "../redis/batch.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { onAbort } from "../shared/abort.ts";
import { checkOptions, type RunArguments, toChoice, toFlag, toRun, toSignal } from "../shared/checks.ts";
import { LeaseLostError } from "../shared/errors.ts";
import { inCall, shown } from "../shared/misuse.ts";
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
   * Takes the name from its holders immediately; their leases are lost. Of several thieves, the last one to arrive at
   * the server keeps the name. `wait` then limits the retries of an unanswered request. Only with mode `exclusive`,
   * without `ifAvailable` and `signal`. Default false.
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

/** The lock that a request holds: a lease with the mode of the request. */
export interface WebLock extends Lease {
  readonly mode: "exclusive" | "shared";
}

export type RequestArguments<T> =
  | [work: Work<T, WebLock>]
  | [options: RequestOptions & { readonly ifAvailable?: false }, work: Work<T, WebLock>]
  | [options: RequestOptions, work: Work<T, WebLock | null>];

/** The side of a read-write lock that a mode acquires. */
const SIDES = { exclusive: "write", shared: "read" } as const;

/**
 * Refuses what the standard refuses.
 *
 * @throws DOMException `NotSupportedError`
 */
function checkSupported(
  name: string,
  { mode = "exclusive", ifAvailable = false, steal = false, signal }: RequestOptions,
): void {
  const excluded = {
    'steal and mode "shared"': steal && mode === "shared",
    "steal and ifAvailable": steal && ifAvailable,
    "steal and signal": steal && signal !== undefined,
    "ifAvailable and signal": ifAvailable && signal !== undefined,
  };
  const both = Object.entries(excluded).find(([, isGiven]) => isGiven)?.[0];
  if (both) throw new DOMException(`request: ${both} exclude each other`, "NotSupportedError");
  if (typeof name === "string" && name.startsWith("-"))
    throw new DOMException(`request: name ${shown(name)} begins with "-", which is reserved`, "NotSupportedError");
}

/** The error of a request whose lock was stolen, as in the standard; its `cause` is the loss. */
const stolenError = (loss: LeaseLostError): DOMException =>
  Object.assign(new DOMException(`request: the lock was stolen: ${loss.message}`, "AbortError"), { cause: loss });

/** The error of a request: a loss of its own lock by force becomes an AbortError. */
const asStolen = (error: unknown, own?: AbortSignal): unknown =>
  error instanceof LeaseLostError && error.reason === "forced" && (own === undefined || error === own.reason)
    ? stolenError(error)
    : error;

/** Settles like the work under a lock, or rejects as soon as the lock was found lost: the work may never end. */
function untilLost<T>(working: Promise<T>, lock: Lease): Promise<T> {
  const { signal } = lock;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(asStolen(error, signal));
    const forget = onAbort(signal, () => {
      // The end of the request releases the lock.
      if ((signal.reason as LeaseLostError).reason !== "released") fail(signal.reason);
    });
    working.then(resolve, fail).finally(forget);
  });
}

/**
 * Calls `work` with a lease of the name, keeps the lease while the promise of the work is pending, and returns its
 * result, like `navigator.locks.request` of the Web Locks API, but across machines. It uses the name of a {@link
 * readWriteLock}.
 *
 * It differs from the browser's in three points: the wait ends (`wait`, default 10 s); the order is that of a
 * read-write lock; and the lease is extended for at most `maxHold` and can be lost, so listen to `lock.signal`. A loss
 * rejects at once, even if the work hangs; a theft is noticed at the next extension, after a third of the lease.
 *
 * @example
 * ```ts
 * const result = await request(connection, "report", async ({ mode, signal }) => {
 *   return `${mode}: ${await settle(signal)}`;
 * });
 * ```
 *
 * @throws what `work` throws; LockTimeoutError if the name was not granted in time; a DOMException `AbortError` if the
 * lock was stolen, whose `cause` is a LeaseLostError; LeaseLostError if it was lost in another way; the signal's
 * reason; a DOMException `NotSupportedError` for options that exclude each other and for a name that begins with a
 * hyphen; TypeError or RangeError for other invalid arguments.
 * @see https://www.w3.org/TR/web-locks/
 */
export async function request<T>(connection: ConnectionSource, name: string, ...args: RequestArguments<T>): Promise<T> {
  const [options, work] = toRun(
    args as RunArguments<RequestOptions, Work<T, WebLock | null>>,
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
    toSignal(signal);
    checkSupported(name, options);
    toLimits(limits, undefined);
    boundWaitUntil(options);
    return readWriteTarget(connection, name);
  });
  const side = steal
    ? rwSide(target, "steal", {}, OPTIONS, new EarlierTenure())
    : rwSide(target, SIDES[mode], {}, OPTIONS);
  const lease = await (ifAvailable ? side.tryAcquire(options) : side.acquire(options)).catch((error: unknown) => {
    throw asStolen(error);
  });
  if (!lease) return await work(null);
  const lock: WebLock = Object.assign(lease, { mode });
  return await untilLost(
    lock.keepAlive({ waitUntil: boundWaitUntil(options) }, () => work(lock), limits),
    lock,
  );
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
