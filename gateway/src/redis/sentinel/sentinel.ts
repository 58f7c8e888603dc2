import { NotSent } from "../../shared/error-answers.ts";
import { mapped } from "../../shared/receiver.ts";
import { type Backend, type Command, type Reply, repliesOf, type ServerBackend } from "../backend.ts";
import { placeOf } from "../nodes.ts";
import { createRedisBackend } from "../server-backend.ts";
import type { Watched } from "../url.ts";
import { createWatch, type Watch } from "./sentinels.ts";

const ROLE: readonly Command[] = [["ROLE"]];

/** The errors of a replica: to a write, and to a transaction that has one. */
const OF_REPLICA = /^(READONLY|EXECABORT) /;
const mayBeOfReplica = (reply: Reply): boolean => reply instanceof Error && OF_REPLICA.test(reply.message);

/** Whether the reply to ROLE is a replica's. An error also counts as one. */
const isReplica = (reply: Reply | undefined): boolean =>
  !Array.isArray(reply) || !Buffer.isBuffer(reply[0]) || reply[0].toString() !== "master";

/** The server that Sentinels name as the primary. */
class Primary {
  server: ServerBackend | undefined;
  readonly #watched: Watched;
  readonly #timeoutMs: number;
  readonly #watch: Watch;
  #at: string | undefined;
  #isDoubted = false;
  #isClosed = false;

  constructor(watched: Watched, timeoutMs: number) {
    this.#watched = watched;
    this.#timeoutMs = timeoutMs;
    this.#watch = createWatch(watched.sentinels, watched.name, timeoutMs, {
      isWell: () => this.server?.isReady === true,
      found: (address) =>
        address === this.#at && this.server !== undefined ? this.server.opened : this.#moveTo(address),
    });
  }

  get opened(): Promise<void> {
    return this.#watch.opened;
  }

  /** Checks a server if one of its replies may be a replica's. */
  check(server: ServerBackend, replies: readonly Reply[]): void {
    if (replies.some(mayBeOfReplica)) void this.#doubt(server);
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.server?.close();
  }

  #moveTo(address: string): Promise<void> {
    this.server?.close();
    const server = { ...this.#watched.access, ...placeOf(address), mustBePrimary: true };
    // A server that reports to be a replica gets no commands until that changes, or the Sentinels name another one.
    this.server = createRedisBackend(server, this.#timeoutMs);
    this.#at = address;
    return this.server.opened;
  }

  /**
   * Checks a server that answered like a replica: it has become one, a script invented that answer, or Redis discarded
   * a transaction for another reason. The server itself is asked, so that no client can end the shared connection.
   */
  async #doubt(server: ServerBackend): Promise<void> {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    this.#watch.ask();
    const [role] = await repliesOf(server, ROLE).catch(() => []);
    this.#isDoubted = false;
    const isPresent = !this.#isClosed && server === this.server;
    if (isPresent && this.#at !== undefined && isReplica(role)) await this.#moveTo(this.#at);
  }
}

/**
 * A backend of the primary that Sentinels name. When they name another one, all connections to the previous primary are
 * ended: commands in flight there fail with {@link NoAnswer}, and are not sent to the new one.
 *
 * @param timeoutMs how long an answer may take
 */
export function createSentinelBackend(watched: Watched, timeoutMs: number): Backend {
  const primary = new Primary(watched, timeoutMs);

  function present(): ServerBackend {
    if (primary.server === undefined) throw new NotSent();
    return primary.server;
  }

  return {
    opened: primary.opened,
    get isReady() {
      return primary.server?.isReady === true;
    },
    send(commands, to, wanted) {
      const { server } = primary;
      if (server === undefined) {
        to.fail(new NotSent());
        return;
      }
      const checked = mapped(to, (replies: readonly Reply[]) => {
        primary.check(server, replies);
        return replies;
      });
      server.send(commands, checked, wanted);
    },
    async transact(commands, room) {
      const server = present();
      const replies = await server.transact(commands, room);
      primary.check(server, replies instanceof Error ? [replies] : replies);
      return replies;
    },
    dial: (command) => present().dial(command),
    at: () => primary.server,
    close: () => primary.close(),
  };
}
