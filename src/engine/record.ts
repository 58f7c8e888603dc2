import type { Place, Ran } from "../redis/call.ts";
import { runScript } from "../redis/run.ts";
import {
  type CrowdInspectReply,
  crowdInspect,
  type RecordInspectReply,
  recordForce,
  recordInspect,
} from "../redis/scripts.gen.ts";
import { randomId } from "../shared/crypto.ts";

/** The record of a name: free, or the state of this kind. */
export type RecordState = Ran<RecordInspectReply>;

/** Reads the record of a name. @throws LeaseholdError `wrong_kind` when it is in use as another kind. */
export const inspectRecord = (place: Place): Promise<RecordState> =>
  runScript(place, recordInspect, [place.kind], { operation: "inspect" });

/** Reads the record of a name with a crowd, and counts the crowd. */
export const inspectCrowd = (place: Place): Promise<Ran<CrowdInspectReply>> =>
  runScript(place, crowdInspect, [place.kind], { operation: "inspect" });

type Force = typeof recordForce;

/**
 * Frees a name whoever holds it, and moves its token on. True when somebody held it. A kind with a crowd has its own
 * script.
 */
export async function forceRecord(place: Place, script: Force = recordForce): Promise<boolean> {
  const args = [randomId(), place.kind, place.connection.retentionMs] as const;
  const { had } = await runScript(place, script, args, { operation: "forceRelease" });
  return had === 1;
}
