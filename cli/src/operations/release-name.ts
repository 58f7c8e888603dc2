import type { Ran } from "../../../src/redis/call.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { runScript } from "../../../src/redis/run.ts";
import { type NameReleaseReply, nameRelease } from "../../../src/redis/scripts.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { randomId } from "../../../src/shared/crypto.ts";

/**
 * How much goes. `one`: of a semaphore, the permits of this token; `all`: its permits of older tokens, too; `forget`:
 * everything that is remembered of the name but its token.
 */
export type Scope = "one" | "all" | "forget";

/**
 * Ends what holds a name, if `token` is the one of its tenure, in one step on the server, and moves the token on.
 * `passed`: another tenure has it; `idle`: nobody has it.
 *
 * @throws LeaseholdError `wrong_kind` for a key that is not ours, and as every request does.
 */
export function releaseName(
  connection: Connection,
  { name, group }: { readonly name: string; readonly group?: string | undefined },
  token: number,
  scope: Scope,
): Promise<Ran<NameReleaseReply>> {
  const target = withCrowd(targetOf(connection, "release", [name], group));
  const args = [randomId(), token, scope, connection.retentionMs] as const;
  return runScript(target, nameRelease, args, { operation: "forceRelease" });
}
