import type { Connection } from "../../../src/redis/connect.ts";
import { LeaseholdError } from "../../../src/shared/errors.ts";
import { releaseName } from "../operations/release-name.ts";
import type { ReleaseAnswer, ReleaseRequest } from "./wire.ts";

/**
 * Ends a tenure if it still holds its name; for a semaphore, every permit up to its token, or only those of its token.
 */
export async function release(connection: Connection, request: ReleaseRequest): Promise<ReleaseAnswer> {
  const { name, group, token, isOne = false } = request;
  try {
    const reply = await releaseName(connection, { name, group }, token, isOne ? "one" : "all");
    if (reply.status === "released")
      return { outcome: "released", message: `Released: token ${token} no longer holds it.` };
    const now = reply.status === "passed" ? "another tenure has it by now" : "nobody holds it now";
    return { outcome: "gone", message: `Nothing was released: ${now}.` };
  } catch (error) {
    if (!(error instanceof LeaseholdError)) throw error;
    return { outcome: "refused", message: `Not released: ${error.message} (${error.code}).` };
  }
}
