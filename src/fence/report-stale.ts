import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { emitter, type OnEvent } from "../shared/events.ts";
import { inCall } from "../shared/misuse.ts";
import { StaleTokenError } from "./rule.ts";

/**
 * Makes a fence that also reports each refused stale write as an event `stale`: to the listener of these locks, or to a
 * function if there are no locks, as in a Durable Object. {@link redisFence} reports without it.
 *
 * @example
 * ```ts no-run
 * import pg from "pg";
 * const fence = reportStale(postgresFence(new pg.Pool({ connectionString: "postgres://localhost/shop" })), locks);
 * ```
 *
 * @throws TypeError for a value that is not locks, a connection or a function.
 */
export function reportStale<F extends object>(fence: F, to: ConnectionSource | OnEvent): F {
  const emit = typeof to === "function" ? emitter(to) : inCall("reportStale", () => connectionOf(to)).emit;
  const reporting =
    (method: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await method(...args);
      } catch (error) {
        if (error instanceof StaleTokenError) {
          const { lockName: name, token, seen } = error;
          emit?.({ kind: "fence", name, type: "stale", token, seen });
        }
        throw error;
      }
    };
  return Object.fromEntries(Object.entries(fence).map(([name, method]) => [name, reporting(method)])) as F;
}
