import { homeOf } from "../../../src/list/home.ts";
import type { Ran } from "../../../src/redis/call.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { runScript } from "../../../src/redis/run.ts";
import { type NameReleaseReply, nameRelease } from "../../../src/redis/scripts.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { randomId } from "../../../src/shared/crypto.ts";

/**
 * What to release. `one`: of a semaphore, the permits of this token; `all`: also its permits of older tokens; `forget`:
 * everything remembered about the name except its token.
 */
export type Scope = "one" | "all" | "forget";

/**
 * Ends the holds of a name, if `token` belongs to its tenure, atomically on the server, and raises the token. `passed`:
 * another tenure has it; `idle`: it is free.
 *
 * @throws LeaseholdError `wrong_kind` for a key that is not leasehold's, and like every request.
 */
export function releaseName(
  connection: Connection,
  { name, group }: { readonly name: string; readonly group?: string | undefined },
  token: number,
  scope: Scope,
): Promise<Ran<NameReleaseReply>> {
  const target = withCrowd(targetOf(homeOf(connection, { name, group }), "release", [name]));
  const args = [randomId(), token, scope, connection.retentionMs] as const;
  return runScript(target, nameRelease, args, { operation: "forceRelease" });
}
