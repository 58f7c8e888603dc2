import type { Connection, Lease } from "leasehold";
import {
  acquirable,
  type Background,
  EarlierTenure,
  FAIR_LOCK,
  fairSupersede,
  holdCalls,
  ID_LENGTH,
  runScript,
  suffixOf,
  targetOf,
  withCrowd,
} from "leasehold/internal";

/** How to take a conversation. */
interface Taking {
  readonly leaseMs: number;
  /** How long to retry while no server answers. */
  readonly waitMs: number;
  readonly label: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly waitUntil: Background | undefined;
}

/** A conversation that a turn has taken. */
export interface Taken {
  readonly lease: Lease;
  /** Whether others are at work on the conversation, so that a still newer turn is likely. */
  readonly isContended: boolean;
}

/**
 * Takes a fair lock from its holder, in one request. The order in which requests arrive at the server decides: a retry
 * never takes the lock from a request that arrived later.
 *
 * @throws LeaseLostError if a later request has taken the lock, or its lease expired before an answer arrived;
 * LockTimeoutError without an answer in time.
 */
export async function supersede(
  connection: Connection,
  name: string,
  { leaseMs, waitMs, label, signal, waitUntil }: Taking,
): Promise<Taken> {
  const target = withCrowd(targetOf(connection, FAIR_LOCK.kind, [name]));
  const earlier = new EarlierTenure();
  let isContended = false;
  const conversation = acquirable(
    {
      target,
      ...holdCalls(target, FAIR_LOCK),
      suffix: ({ note }) => suffixOf(note),
      endsOthers: true,
      async ask({ id }, call) {
        const args = [id, leaseMs, connection.retentionMs, earlier.toSend(call)] as const;
        const reply = await runScript(target, fairSupersede, args, call);
        if (reply.status !== "granted") return reply;
        earlier.had(reply);
        isContended = reply.ended > 0;
        return { ...reply, id: id.slice(0, ID_LENGTH) };
      },
    },
    { lease: `${leaseMs}ms`, label, waitUntil },
  );
  const lease = await conversation.acquire({ wait: waitMs, signal });
  return { lease, isContended };
}
