import type { Ran } from "../redis/call.ts";
import { runScript } from "../redis/run.ts";
import {
  type CrowdInspectReply,
  crowdInspect,
  type RecordInspectReply,
  recordForce,
  recordInspect,
} from "../redis/scripts.gen.ts";
import type { Target } from "../redis/target.ts";
import { randomId } from "../shared/crypto.ts";

/** The record of a name: free, or the state of this kind. */
export type RecordState = Ran<RecordInspectReply>;

/** Reads the record of a name. @throws LeaseholdError `wrong_kind` when it is in use as another kind. */
export const inspectRecord = (target: Target): Promise<RecordState> =>
  runScript(target, recordInspect, [target.kind], { operation: "inspect" });

/** Reads the record of a name with a crowd, and counts the crowd. */
export const inspectCrowd = (target: Target): Promise<Ran<CrowdInspectReply>> =>
  runScript(target, crowdInspect, [target.kind], { operation: "inspect" });

type Force = typeof recordForce;

/**
 * Frees a name whoever holds it, and moves its token on. True when somebody held it. A kind with a crowd has its own
 * script.
 */
export async function forceRecord(target: Target, script: Force = recordForce): Promise<boolean> {
  const args = [randomId(), target.kind, target.connection.retentionMs] as const;
  const { had } = await runScript(target, script, args, { operation: "forceRelease" });
  return had === 1;
}
