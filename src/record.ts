import { randomId } from "./crypto.ts";
import { wrongKind } from "./errors.ts";
import { type Place, runScript, unexpected } from "./redis/run.ts";
import { recordForce } from "./redis/scripts/record-force.gen.ts";
import { type RecordInspectReply, recordInspect } from "./redis/scripts/record-inspect.gen.ts";

/** What the server remembers of a name: nothing in force, or a state of this kind. */
export type RecordState = Extract<RecordInspectReply, { status: "free" | "live" }>;

/** Reads the record of a name. @throws LeaseholdError `wrong_kind` when it is in use as another kind. */
export async function inspectRecord(place: Place): Promise<RecordState> {
  const budgetMs = 2 * place.connection.requestTimeoutMs;
  const { reply } = await runScript(place, recordInspect, [place.kind], { operation: "inspect", budgetMs });
  if (reply.status === "kind") throw wrongKind(place.name, reply.kind);
  return reply;
}

/** Frees a name whoever has it and moves its token on; true when somebody had it. */
export async function forceRecord(place: Place): Promise<boolean> {
  const { requestTimeoutMs, retentionMs } = place.connection;
  const call = { operation: "forceRelease", budgetMs: 2 * requestTimeoutMs };
  const { reply } = await runScript(place, recordForce, [randomId(), place.kind, retentionMs], call);
  if (reply.status === "kind") throw wrongKind(place.name, reply.kind);
  if (reply.status !== "forced") throw unexpected(reply);
  return reply.had === 1;
}
