import { NotSent } from "../../shared/errors.ts";
import { mapped } from "../../shared/receiver.ts";
import { type Backend, type Command, type Reply, repliesOf, type ServerBackend } from "../backend.ts";
import { placeOf } from "../nodes.ts";
import { createRedisBackend } from "../server-backend.ts";
import type { Watched } from "../url.ts";
import { createWatch } from "./sentinels.ts";

const ROLE: readonly Command[] = [["ROLE"]];

const isReadOnly = (reply: Reply): boolean => reply instanceof Error && reply.message.startsWith("READONLY ");

/** Whether the answer to ROLE is that of a replica. An error counts as that, too. */
const isReplica = (reply: Reply | undefined): boolean =>
  !Array.isArray(reply) || !Buffer.isBuffer(reply[0]) || reply[0].toString() !== "master";

/**
 * A backend of the server that Sentinels name as the primary. When they name another one, all connections to the
 * previous primary are ended: commands in flight there fail with {@link NoAnswer}, and are not sent to the new one.
 *
 * @param timeoutMs how long an answer may take
 */
export function createSentinelBackend({ sentinels, name, access }: Watched, timeoutMs: number): Backend {
  let primary: ServerBackend | undefined;
  let at: string | undefined;
  let isDoubted = false;
  let closed = false;

  function moveTo(address: string): Promise<void> {
    primary?.close();
    // A server that calls itself a replica gets no commands until that changes, or the Sentinels name another one.
    primary = createRedisBackend({ ...access, ...placeOf(address), mustBePrimary: true }, timeoutMs);
    at = address;
    return primary.opened;
  }

  const watch = createWatch(sentinels, name, timeoutMs, {
    isWell: () => primary?.isReady === true,
    found: (address) => (address === at && primary !== undefined ? primary.opened : moveTo(address)),
  });

  /**
   * Checks a server that answered READONLY: it has become a replica, or a script made that answer up. The server itself
   * is asked, so that no script can end the connection that others share.
   */
  async function doubt(server: ServerBackend): Promise<void> {
    if (isDoubted) return;
    isDoubted = true;
    watch.ask();
    const [role] = await repliesOf(server, ROLE).catch(() => []);
    isDoubted = false;
    if (!closed && server === primary && at !== undefined && isReplica(role)) await moveTo(at);
  }

  function present(): ServerBackend {
    if (primary === undefined) throw new NotSent();
    return primary;
  }

  function doubtIfReadOnly(server: ServerBackend, replies: readonly Reply[]): readonly Reply[] {
    if (replies.some(isReadOnly)) void doubt(server);
    return replies;
  }

  return {
    opened: watch.opened,
    get isReady() {
      return primary?.isReady === true;
    },
    send(commands, to, room) {
      const server = primary;
      if (server === undefined) {
        to.fail(new NotSent());
        return;
      }
      server.send(
        commands,
        mapped(to, (replies) => doubtIfReadOnly(server, replies)),
        room,
      );
    },
    async transact(commands, room) {
      const server = present();
      const replies = await server.transact(commands, room);
      return replies instanceof Error ? replies : doubtIfReadOnly(server, replies);
    },
    dial: (command) => present().dial(command),
    at: () => primary,
    close() {
      closed = true;
      watch.close();
      primary?.close();
    },
  };
}
