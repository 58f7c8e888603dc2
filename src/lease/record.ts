import type { Call, Ran } from "../redis/call.ts";
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
import { wrongKind } from "../shared/errors.ts";

const INSPECT: Call = { operation: "inspect" };

/** The record of a name: free, or the state of this kind. */
export type RecordState = Ran<RecordInspectReply>;

/**
 * The argument of `inspect` and `forceRelease`, for this library only: an operation on several names sends all their
 * requests in one batch.
 */
export type Joint = Pick<Call, "routes">;

/** Reads the record of a name. @throws LeaseholdError `wrong_kind` when it is in use as another kind. */
export const inspectRecord = (target: Target, joint?: Joint, call: Call = INSPECT): Promise<RecordState> =>
  runScript(target, recordInspect, [target.kind], { ...call, routes: joint?.routes });

/** Reads the record of a name with a crowd, and counts the crowd. */
export const inspectCrowd = (target: Target, joint?: Joint, call: Call = INSPECT): Promise<Ran<CrowdInspectReply>> =>
  runScript(target, crowdInspect, [target.kind], { ...call, routes: joint?.routes });

/** The body of a record in use. The script prefixes it with a mark, since clients parse texts that look like JSON. */
export const bodyOf = ({ body }: { readonly body: string }): string => body.slice(1);

/** Decodes a record. @throws LeaseholdError `wrong_kind` for a text that leasehold cannot have written. */
export function decoded<State>({ name, kind }: Pick<Target, "name" | "kind">, decode: () => State): State {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw wrongKind(name, `${kind}/1`);
  }
}

/** What an earlier release of this library stored for a once, under a key that this one does not use. */
export interface Former {
  /** The time in µs for which an attempt of it may still run; 0 for none. */
  readonly runningUs: number;
  /** The result, as JSON; empty if it could not be stored, undefined without a completed attempt. */
  readonly result: string | undefined;
  readonly token: number;
}

/** Reads the record of a once as an earlier release wrote it. */
export async function inspectFormer(target: Target, joint?: Joint): Promise<Former> {
  const record = await inspectRecord(target, joint);
  if (record.status === "free") return { runningUs: 0, result: undefined, token: record.token };
  const [, result] = /^\d+ \S* \S+ (.*)$/s.exec(bodyOf(record)) ?? [];
  return { runningUs: record.holds > 0 ? record.left : 0, result, token: record.token };
}

type Force = typeof recordForce;

/**
 * Releases a name by force, and raises its token. Returns true if it was held. A kind with a crowd has its own script.
 */
export async function forceRecord(target: Target, joint?: Joint, script: Force = recordForce): Promise<boolean> {
  const args = [randomId(), target.kind, target.connection.retentionMs] as const;
  const { had } = await runScript(target, script, args, { operation: "forceRelease", routes: joint?.routes });
  return had === 1;
}
