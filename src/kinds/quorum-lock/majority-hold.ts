import { type HoldCalls, usableMs } from "../../lease/hold.ts";
import type { Call, Ran } from "../../redis/call.ts";
import { patienceOf } from "../../redis/connect.ts";
import { MAX_CANCELS } from "../../redis/retry-policy.ts";
import { runScript } from "../../redis/run.ts";
import { holdExtend, type LockCloseReply, lockClose } from "../../redis/scripts.gen.ts";
import { dueOf } from "../../redis/target.ts";
import { noop } from "../../shared/wait-until.ts";
import {
  askAll,
  isDecided,
  isMajority,
  noQuorum,
  preventsMajority,
  type Server,
  type ServerAnswer,
  type Servers,
  withStatus,
} from "./servers.ts";

/** The reply with the least time left in the majority that lasts longest. */
export function leastOf<Reply extends { readonly remaining: number }>(
  servers: Servers,
  granted: readonly Ran<Reply>[],
): Ran<Reply> {
  const left = ({ remaining, since }: Ran<Reply>): number => usableMs(remaining) - since();
  return [...granted].sort((a, b) => left(b) - left(a))[servers.length >> 1] as Ran<Reply>;
}

/** Ends the hold of an ID; token 0 cancels the ID, whatever the outcome of its requests. */
const closeAll = (
  servers: Servers,
  among: readonly Server[],
  id: string,
  token: number,
  call: Call,
): Promise<readonly ServerAnswer<LockCloseReply>[]> =>
  askAll(
    servers,
    among,
    call,
    async (server, each, elapsed) => {
      const rest = [server.connection.retentionMs, dueOf(server)] as const;
      const reply = await runScript(server, lockClose, [id, token, ...rest], each);
      // The ID has another token there, or its request is still on its way: cancel it, so that nothing stays held.
      if (token && reply.status === "lost" && /taken|gone|unknown/.test(reply.reason)) {
        const leftMs = patienceOf(server.connection) - elapsed();
        await runScript(server, lockClose, [id, 0, ...rest], { ...each, budgetMs: leftMs }).catch(noop);
      }
      return reply;
    },
    { ready: (answers) => isDecided(servers, answers, "closed"), patient: true },
  );

/**
 * Cancels an ID on these servers. Returns false if so many did not answer that the ID may still block other clients.
 */
export async function cancel(servers: Servers, id: string, among: readonly Server[] = servers): Promise<boolean> {
  const answers = await closeAll(servers, among, id, 0, {
    operation: "cancel",
    budgetMs: servers[0].limitMs,
    tries: { made: 0, max: MAX_CANCELS },
  });
  return !preventsMajority(
    servers,
    answers.filter(({ reply }) => !reply),
  );
}

/** Extends and ends a hold on a majority of the servers. */
export const majorityCalls = (servers: Servers): HoldCalls => ({
  async extend(id, token, ms, call) {
    const answers = await askAll(
      servers,
      servers,
      call,
      (server, each) => runScript(server, holdExtend, [id, token, ms, server.connection.retentionMs], each),
      { ready: (some) => isDecided(servers, some, "extended") },
    );
    const extended = withStatus(answers, "extended");
    if (isMajority(servers, extended)) return leastOf(servers, extended);
    const lost = withStatus(answers, "lost");
    if (!preventsMajority(servers, lost)) {
      if (extended.length > 0) call.doubt?.granted();
      for (const { doubt } of answers) call.doubt?.covers(doubt);
      throw noQuorum(servers, answers);
    }
    // On servers that still hold the ID, the hold only blocks other clients.
    await cancel(servers, id);
    lost.sort((a, b) => (a.reason < b.reason ? -1 : 1));
    return lost[lost.length >> 1] as (typeof lost)[0];
  },
  async close(id, token, call) {
    const answers = await closeAll(servers, servers, id, token, call);
    const closed = withStatus(answers, "closed");
    // It is lost once so many servers say so that no majority is possible.
    const answer = isMajority(servers, closed) ? closed[0] : withStatus(answers, "lost")[(servers.length - 1) >> 1];
    if (!answer) throw noQuorum(servers, answers);
    return answer;
  },
});
