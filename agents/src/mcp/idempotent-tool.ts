import {
  type Commit,
  type ConnectionSource,
  type Duration,
  type Lease,
  LockTimeoutError,
  once,
  type Running,
  retryAfter,
  type Started,
} from "leasehold";
import {
  checkOptions,
  connectionOf,
  digest,
  type Ended,
  inCall,
  joinParts,
  type Scope,
  toChoice,
  toFingerprint,
  toIdentity,
  toLease,
  toMs,
  toScope,
  toTtl,
  toWork,
} from "leasehold/internal";
import { type AnyContext, clientOf, readContext, unknownContext } from "./call-context.ts";
import { inProgress, refusal, type ToolError } from "./tool-error.ts";
import { type KeySource, keyReader, toKey } from "./tool-key.ts";

/** Options of {@link idempotentTool}. */
export interface IdempotentToolOptions<Args, Extra> {
  /** The name of the tool, 1 to 128 bytes. Keys of different tools are separate. */
  readonly name: string;
  /**
   * Where the key of a call is; a text of at most 512 bytes, or a number. Default `{ meta: "idempotencyKey" }`.
   */
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
   * The owner of the keys: callers of different scopes never get each other's results. A text, a list of its parts, or
   * a function that returns one, such as the ID of the user. Default: the OAuth client's ID. A call without one, or with
   * the ID of an application that many users share (a URL), is refused.
   */
  readonly scope?: Scope | ((extra: Extra) => Scope | Promise<Scope>) | undefined;
  /** What to do with a call without a key. `"run"` runs it on every call. Default `"refuse"`. */
  readonly onMissing?: "refuse" | "run" | undefined;
}

/** What a handler receives in addition to the arguments and the SDK's context. */
export interface IdempotentCall {
  /** The key of the call; undefined for one without a key. */
  readonly key: string | undefined;
  /**
   * 1 for the first attempt. A higher number means that an earlier attempt asked back, failed or died, perhaps after
   * its write: look for the key in the resource.
   */
  readonly attempt: number;
  /** The fencing token of the attempt; undefined without a key. */
  readonly token: number | undefined;
  /** The lease of the attempt, for `leasehold/fence`; undefined without a key. */
  readonly lease: Lease | undefined;
  /**
   * Does the work of the call exactly once in one database, in a transaction that also stores its result; undefined
   * without a key. See {@link Commit}.
   */
  readonly commit: Commit | undefined;
}

/** The function of a tool. */
type Handler<Args, Extra, R> = (args: Args, extra: Extra, call: IdempotentCall) => Promise<R> | R;

/** Carries a result that is not the tool's last word, thrown so that it is not stored. */
class NotFinal extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("the call has no final result");
    this.result = result;
  }
}

const OPTIONS = "name key ttl lease wait scope onMissing timeout>wait";
/** MCP's own limit for the name of a tool. */
const MAX_NAME_BYTES = 128;

/** The used members of a result. */
interface ToolResult {
  readonly isError?: unknown;
  readonly resultType?: unknown;
  readonly task?: unknown;
  readonly content?: unknown;
}

/**
 * Whether a handler's result is final. An error is not, nor is a question to the client, whose answer calls the handler
 * again.
 *
 * @throws TypeError for a task, or another type of result: its work goes on when the call has ended.
 */
function isFinal(result: unknown): boolean {
  const { isError, resultType = "complete", task, content } = Object(result) as ToolResult;
  if (resultType === "input_required") return false;
  const type = task !== undefined && content === undefined ? "task" : resultType;
  if (type !== "complete")
    throw new TypeError(
      `idempotentTool: the handler returned a result of type "${String(type)}", which is not final: repeated calls could not get the tool's result. Wrap the work of the task in once(…).run instead`,
    );
  return !isError;
}

/** The answer to a call that has ended or did not begin. */
function resultOf<R>(ended: Ended<R> | Running, tool: string): R | ToolError {
  switch (ended.status) {
    case "running":
      return inProgress(tool, ended.retryAfterMs);
    case "mismatch":
      return refusal(
        "mismatch",
        `this idempotency key came with other arguments before, so "${tool}" did not run: a new call needs a new key`,
      );
    case "done":
      if (ended.stored || ended.fresh) return ended.result as R;
      return refusal("no_result", `"${tool}" was done for this idempotency key, and its result could not be stored`);
    default:
      throw new Error(`an attempt ended as ${ended.status}`);
  }
}

/**
 * Splits the arguments of a call: the SDKs pass only the context to a tool without an `inputSchema`.
 *
 * @throws TypeError for a single argument that is no context.
 */
function argumentsOf<Args, Extra>(values: readonly unknown[]): [args: Args, extra: Extra] {
  if (values.length !== 1) return values as [args: Args, extra: Extra];
  if (!readContext(values[0])) throw unknownContext(values[0], "it as the second argument");
  return [undefined as Args, values[0] as Extra];
}

/**
 * Makes an idempotent tool handler, for `registerTool` of the Model Context Protocol's SDKs:
 * `@modelcontextprotocol/server` and `@modelcontextprotocol/sdk`. Calls with the same key run the handler once, across
 * all servers; a repeated call gets the stored result. An overlapping call is answered that the call is in progress,
 * and a call with other arguments gets an error.
 *
 * A call whose handler throws, or whose result has `isError` or asks the client for input, is not remembered, and the
 * next call with the key runs again. If its server dies, the next call runs once the lease has ended, as another
 * `attempt`.
 *
 * @example
 * ```ts
 * import type { ToolContext } from "leasehold-agents/mcp";
 *
 * const charge = idempotentTool(
 *   connection,
 *   { name: "charge", key: { meta: "idempotencyKey" }, ttl: "24h" },
 *   async ({ cents }: { cents: number }, _ctx: ToolContext, { token }) => ({
 *     content: [{ type: "text" as const, text: `charged ${cents} under ${token}` }],
 *   }),
 * );
 * // What the SDK passes.
 * const { signal } = new AbortController();
 * const { content } = await charge(
 *   { cents: 500 },
 *   {
 *     mcpReq: { id: 1, signal, _meta: { idempotencyKey: "order 17" } },
 *     http: { authInfo: { clientId: "agent 7" } },
 *   },
 * );
 * console.log(content[0]?.text);
 * ```
 *
 * @throws TypeError or RangeError for an invalid option. The returned handler throws what yours throws; TypeError if
 * the caller or the context is unknown, for a scope that is not a non-empty string, and for a result that is a task,
 * before anything is sent except for the last; the reason of the SDK's signal if the client cancels while the call
 * waits; and a LeaseholdError if Redis is unavailable or the attempt was taken over.
 */
export function idempotentTool<Args extends object, Extra extends AnyContext, R extends object>(
  source: ConnectionSource,
  options: IdempotentToolOptions<Args, Extra>,
  handler: Handler<Args, Extra, R>,
): (args: Args, extra: Extra) => Promise<R | ToolError>;
/** For a tool without an `inputSchema`, whose handler receives no arguments. */
export function idempotentTool<Extra extends AnyContext, R extends object>(
  source: ConnectionSource,
  options: IdempotentToolOptions<undefined, Extra>,
  handler: Handler<undefined, Extra, R>,
): (extra: Extra) => Promise<R | ToolError>;
export function idempotentTool<Args, Extra extends AnyContext, R extends object>(
  source: ConnectionSource,
  options: IdempotentToolOptions<Args, Extra>,
  handler: Handler<Args, Extra, R>,
): (...args: unknown[]) => Promise<R | ToolError> {
  toWork(handler, "idempotentTool", "idempotentTool(connection, options, handler)", options, "handler");
  const { scope, onMissing, name: tool, ttl, lease, wait } = options ?? {};
  const [connection, keys, fixed, prefix] = inCall("idempotentTool", () => {
    checkOptions(options, OPTIONS);
    if (ttl !== undefined) toTtl(ttl);
    if (lease !== undefined) toLease(lease);
    if (wait !== undefined) toMs(wait, "wait", 0);
    toChoice(onMissing ?? "refuse", "onMissing", "refuse or run");
    const all = scope === undefined || typeof scope === "function" ? undefined : toScope(scope);
    const named = `mcp/${encodeURIComponent(toIdentity(tool, "name", MAX_NAME_BYTES))}`;
    return [connectionOf(source), keyReader(options.key), all, named];
  });

  /** The owner of a call's keys. */
  async function ownerOf(extra: Extra): Promise<readonly string[]> {
    if (fixed) return fixed;
    const scoped = typeof scope === "function" ? await scope(extra) : undefined;
    return inCall("idempotentTool", () =>
      typeof scope === "function" ? toScope(scoped as Scope) : [clientOf(readContext(extra), extra)],
    );
  }

  return async function callOnce(...values) {
    const [args, extra] = inCall("idempotentTool", () => argumentsOf<Args, Extra>(values));
    const { place } = keys;
    const found = await inCall("idempotentTool", () => keys.read(args, extra));
    if (found === undefined) {
      if (onMissing === "run")
        return await handler(args, extra, {
          key: undefined,
          attempt: 1,
          token: undefined,
          lease: undefined,
          commit: undefined,
        });
      return refusal(
        "no_key",
        `"${tool}" did not run: ${place} is missing. Repeat a call with the key of its first try`,
      );
    }
    let key: string;
    try {
      key = toKey(found, place);
    } catch (error) {
      return refusal("malformed_key", `"${tool}" did not run: ${(error as Error).message}`);
    }
    const owner = await ownerOf(extra);
    const name = `${prefix}/${await digest(joinParts([joinParts(owner), key]))}`;
    const fingerprint = inCall("idempotentTool", () => toFingerprint(args, "the arguments"));
    const attempts = once(connection, name, { ttl, lease, fingerprint });
    async function work({ lease: held, attempt, commit }: Started): Promise<never> {
      const result = await handler(args, extra, { key, attempt, token: held.token, lease: held, commit });
      if (!isFinal(result)) throw new NotFinal(result);
      return result as never;
    }
    try {
      const { signal } = readContext(extra) ?? {};
      return resultOf<R>(await attempts.run({ wait, signal, keepAlive: true }, work), tool);
    } catch (error) {
      if (error instanceof NotFinal) return error.result as R;
      if (error instanceof LockTimeoutError && error.remainingMs !== undefined)
        return inProgress(tool, 1000 * (retryAfter(error) ?? 1));
      throw error;
    }
  };
}
