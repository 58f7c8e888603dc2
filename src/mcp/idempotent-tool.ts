import type { Lease } from "../engine/lease.ts";
import { retryAfter } from "../engine/unavailable.ts";
import type { Running, Started } from "../kinds/attempts.ts";
import { type Ended, once } from "../kinds/once.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import {
  checkOptions,
  type Duration,
  toChoice,
  toFunction,
  toLease,
  toMs,
  toText,
  toTtl,
  toWork,
} from "../shared/checks.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

/** The used part of the SDK's `extra`; the handler gets all of it. */
export interface ToolExtra {
  readonly _meta?: { readonly [name: string]: unknown } | undefined;
  readonly authInfo?: { readonly clientId: string } | undefined;
}

/** Where the key of a call is: a field of its `_meta`, one of its arguments, or the result of a function. */
export type KeySource<Args, Extra> =
  | { readonly meta: string }
  | { readonly argument: string }
  | ((args: Args, extra: Extra) => string | undefined);

/** Options of {@link idempotentTool}. */
export interface IdempotentToolOptions<Args, Extra> {
  /** The name of the tool. Keys of different tools are separate. */
  readonly name: string;
  /** Where the key of a call is. Default `{ meta: "idempotencyKey" }`. */
  readonly key?: KeySource<Args, Extra> | undefined;
  /** How long a result is remembered, in ms or like `"24h"`: longer than a client may repeat its call. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /**
   * The lease of a call, in ms or like `"30s"`, extended while the call runs. A dead server blocks the next call for
   * this time. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /** How long a call waits for the result of a call in progress, in ms or like `"10s"`. Default: it does not wait. */
  readonly wait?: Duration | undefined;
  /**
   * The owner of the keys: callers of different scopes never get each other's results. Default: `authInfo.clientId`.
   */
  readonly scope?: ((extra: Extra) => string) | undefined;
  /** What to do with a call without a key. `"run"` runs it on every call. Default `"refuse"`. */
  readonly onMissing?: "refuse" | "run" | undefined;
}

/** What a handler receives in addition to the arguments and the SDK's `extra`. */
export interface IdempotentCall {
  /** The key of the call; undefined for one without a key. */
  readonly key: string | undefined;
  /**
   * 1 for the first attempt. A higher number means that an earlier attempt failed or died, perhaps after its write:
   * look for the key in the resource.
   */
  readonly attempt: number;
  /** The fencing token of the attempt; undefined without a key. */
  readonly token: number | undefined;
  /** The lease of the attempt, for `leasehold/fence`; undefined without a key. */
  readonly lease: Lease | undefined;
}

/** The answer to a call that did not run. */
export type ToolError = {
  content: { type: "text"; text: string }[];
  isError: true;
  _meta?: { [name: string]: unknown };
};

/** Carries a failed result of the handler, thrown so that it is not stored. */
class Failed extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("the tool failed");
    this.result = result;
  }
}

const OPTIONS = "name key ttl lease wait scope onMissing timeout>wait";

const refusal = (status: string, text: string, retryAfterMs?: number): ToolError => ({
  content: [{ type: "text", text }],
  isError: true,
  _meta: { "leasehold/status": status, ...(retryAfterMs !== undefined && { "leasehold/retryAfterMs": retryAfterMs }) },
});

const inProgress = (retryAfterMs: number): ToolError =>
  refusal(
    "in_progress",
    `a call with this key is in progress: repeat it in ${Math.ceil(retryAfterMs / 1000)} s`,
    retryAfterMs,
  );

/** The arguments as a text, independent of the order of members. */
const fingerprintOf = (args: unknown): string =>
  JSON.stringify(args ?? null, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });

/** Makes the function that finds the key of a call. @throws TypeError; the message does not name the call. */
function keyReader<Args, Extra extends ToolExtra>(
  source: KeySource<Args, Extra> = { meta: "idempotencyKey" },
): (args: Args, extra: Extra) => unknown {
  if (typeof source === "function") return source;
  if (typeof source !== "object" || source === null)
    throw misuse(TypeError, `key must be { meta }, { argument } or a function, not ${shown(source)}`);
  checkOptions(source, "meta argument", "key");
  if ("argument" in source) {
    const name = toText(source.argument, "key.argument");
    return (args) => (args as { readonly [name: string]: unknown } | undefined)?.[name];
  }
  const name = toText(source.meta, "key.meta");
  return (_, extra) => extra._meta?.[name];
}

/** The answer to a call that has ended or did not begin. */
function resultOf<R>(ended: Ended<R> | Running): R | ToolError {
  switch (ended.status) {
    case "running":
      return inProgress(ended.retryAfterMs);
    case "mismatch":
      return refusal("mismatch", "this key came with other arguments before: a new call needs a new key");
    case "done":
      if (ended.stored || ended.fresh) return ended.result as R;
      return refusal("no_result", "the call was done, and its result could not be stored");
    default:
      throw new Error(`an attempt ended as ${ended.status}`);
  }
}

/**
 * Makes an idempotent tool handler, for `registerTool` of the Model Context Protocol's SDK. Calls with the same key run
 * the handler once, across all servers; a repeated call gets the stored result. An overlapping call is answered that
 * the call is in progress, and a call with other arguments gets an error.
 *
 * A call whose handler throws, or whose result has `isError`, is not remembered, and the next call with the key runs
 * again. If its server dies, the next call runs once the lease has ended, as another `attempt`.
 *
 * @example
 * ```ts
 * import type { ToolExtra } from "leasehold/mcp";
 *
 * const charge = idempotentTool(
 *   connection,
 *   { name: "charge", key: { meta: "idempotencyKey" }, ttl: "24h" },
 *   async ({ cents }: { cents: number }, _extra: ToolExtra, { token }) => ({
 *     content: [{ type: "text" as const, text: `charged ${cents} under ${token}` }],
 *   }),
 * );
 * const { content } = await charge({ cents: 500 }, { _meta: { idempotencyKey: "order 17" } });
 * console.log(content[0]?.text);
 * ```
 *
 * @throws TypeError or RangeError for an invalid option. The returned handler throws what yours throws, and a
 * LeaseholdError if Redis is unavailable or the attempt was taken over.
 */
export function idempotentTool<Args, Extra extends ToolExtra, R extends object>(
  source: ConnectionSource,
  options: IdempotentToolOptions<Args, Extra>,
  handler: (args: Args, extra: Extra, call: IdempotentCall) => Promise<R> | R,
): (args: Args, extra: Extra) => Promise<R | ToolError> {
  toWork(handler, "idempotentTool", "idempotentTool(connection, options, handler)", options, "handler");
  const [connection, readKey, prefix] = inCall("idempotentTool", () => {
    checkOptions(options, OPTIONS);
    if (options.ttl !== undefined) toTtl(options.ttl);
    if (options.lease !== undefined) toLease(options.lease);
    if (options.wait !== undefined) toMs(options.wait, "wait", 0);
    if (options.scope !== undefined) toFunction(options.scope, "scope");
    toChoice(options.onMissing ?? "refuse", "onMissing", "refuse or run");
    return [connectionOf(source), keyReader(options.key), encodeURIComponent(toText(options.name, "name"))];
  });
  const { ttl, lease, wait, onMissing, scope = ({ authInfo }: Extra) => authInfo?.clientId ?? "" } = options;

  return async function callOnce(args, extra) {
    const key = readKey(args, extra);
    if (key === undefined) {
      if (onMissing === "run")
        return await handler(args, extra, { key, attempt: 1, token: undefined, lease: undefined });
      return refusal("no_key", "this tool needs an idempotency key, and the call has none");
    }
    if (typeof key !== "string" || key === "")
      return refusal("no_key", "the idempotency key must be a non-empty string");
    const name = `mcp/${prefix}/${encodeURIComponent(scope(extra))}/${encodeURIComponent(key)}`;
    const attempts = once(connection, name, { ttl, lease, fingerprint: fingerprintOf(args) });
    async function work({ lease: held, attempt }: Started): Promise<never> {
      const result = await handler(args, extra, { key: key as string, attempt, token: held.token, lease: held });
      if ((result as Partial<ToolError> | undefined)?.isError) throw new Failed(result);
      return result as never;
    }
    try {
      return resultOf<R>(await attempts.run({ wait, keepAlive: true }, work));
    } catch (error) {
      if (error instanceof Failed) return error.result as R;
      if (error instanceof LockTimeoutError && error.remainingMs !== undefined)
        return inProgress(1000 * (retryAfter(error) ?? 1));
      throw error;
    }
  };
}
