import { type Place, type Ran, runScript } from "../redis/run.ts";
import { type CrowdInspectReply, crowdInspect } from "../redis/scripts/crowd-inspect.gen.ts";
import { recordForce } from "../redis/scripts/record-force.gen.ts";
import { type RecordInspectReply, recordInspect } from "../redis/scripts/record-inspect.gen.ts";
import { randomId } from "../shared/crypto.ts";

/** What the server remembers of a name: nothing in force, or a state of this kind. */
export type RecordState = Ran<RecordInspectReply>;

/** Reads the record of a name. @throws LeaseholdError `wrong_kind` when it is in use as another kind. */
export const inspectRecord = (place: Place): Promise<RecordState> =>
  runScript(place, recordInspect, [place.kind], { operation: "inspect" });

/** The same for a kind with a crowd, and how many are in that. */
export const inspectCrowd = (place: Place): Promise<Ran<CrowdInspectReply>> =>
  runScript(place, crowdInspect, [place.kind], { operation: "inspect" });

type Force = typeof recordForce;

/** Frees a name whoever has it and moves its token on; true when somebody had it. Kinds with a crowd have a script for it. */
export async function forceRecord(place: Place, script: Force = recordForce): Promise<boolean> {
  const args = [randomId(), place.kind, place.connection.retentionMs] as const;
  const { had } = await runScript(place, script, args, { operation: "forceRelease" });
  return had === 1;
}
