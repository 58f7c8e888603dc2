import { NotSent } from "../shared/error-answers.ts";
import { mapped } from "../shared/receiver.ts";
import { type Backend, type Command, type Reply, repliesOf, type ServerBackend } from "./backend.ts";
import { createRedisBackend } from "./server-backend.ts";
import type { ServerAddress } from "./url.ts";

const ROLE: readonly Command[] = [["ROLE"]];

/** The errors of a replica: to a write, and to a transaction that has one. */
const OF_REPLICA = /^(READONLY|EXECABORT) /;
const mayBeOfReplica = (reply: Reply): boolean => reply instanceof Error && OF_REPLICA.test(reply.message);

/** The role in a reply to ROLE; `undefined` for an error and for no reply. */
function roleIn(reply: Reply | undefined): "primary" | "replica" | undefined {
  if (!Array.isArray(reply) || !Buffer.isBuffer(reply[0])) return undefined;
  return reply[0].toString() === "master" ? "primary" : "replica";
}

/** Asks a server for its role; `undefined` if it does not say. */
export async function askRole(server: ServerBackend): Promise<"primary" | "replica" | undefined> {
  const [role] = await repliesOf(server, ROLE).catch(() => []);
  return roleIn(role);
}

/** A primary, which is replaced by another connection or another server when it is demoted. */
export interface Primary {
  /** Resolves when the first attempt to reach it has ended, successfully or not. */
  readonly opened: Promise<void>;
  /** `undefined` while none is known. */
  readonly server: ServerBackend | undefined;
  /** Called once for several replies at a time, when one of them may be a replica's. */
  doubt(server: ServerBackend): Promise<void>;
  close(): void;
}

/** A backend of a primary. Its replies show when it has been demoted. */
export function backendOfPrimary(primary: Primary): Backend {
  let isDoubted = false;

  function check(server: ServerBackend, replies: readonly Reply[]): void {
    if (isDoubted || !replies.some(mayBeOfReplica)) return;
    isDoubted = true;
    void primary.doubt(server).finally(() => {
      isDoubted = false;
    });
  }

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
        check(server, replies);
        return replies;
      });
      server.send(commands, checked, wanted);
    },
    async transact(commands, room) {
      const server = present();
      const replies = await server.transact(commands, room);
      check(server, replies instanceof Error ? [replies] : replies);
      return replies;
    },
    feed: (command) => present().feed(command),
    at: () => primary.server,
    close: () => primary.close(),
  };
}

/** The server at one address, which a name or a proxy may lead to another server at any time. */
class NamedPrimary implements Primary {
  server: ServerBackend;
  readonly opened: Promise<void>;
  readonly #address: ServerAddress;
  readonly #timeoutMs: number;
  /** Whether the address has led to a primary. A replica that was chosen on purpose is kept. */
  #wasPrimary = false;
  #isClosed = false;

  constructor(address: ServerAddress, timeoutMs: number) {
    this.#address = address;
    this.#timeoutMs = timeoutMs;
    this.server = createRedisBackend(address, timeoutMs);
    this.opened = this.server.opened;
    void this.#learn();
  }

  /** The server itself is asked, since a script may have made up the error. */
  async doubt(server: ServerBackend): Promise<void> {
    if ((await askRole(server)) !== "replica" || !this.#wasPrimary) return;
    if (this.#isClosed || server !== this.server) return;
    server.close();
    // It gets no commands until the address leads to a primary.
    this.server = createRedisBackend({ ...this.#address, mustBePrimary: true }, this.#timeoutMs);
    await this.server.opened;
  }

  close(): void {
    this.#isClosed = true;
    this.server.close();
  }

  async #learn(): Promise<void> {
    await this.server.opened;
    this.#wasPrimary = (await askRole(this.server)) === "primary";
  }
}

/**
 * A backend of the server at one address. If that was a primary and is demoted, its connections end: commands in flight
 * there fail with {@link NoAnswer}. Others are opened, at least five times a second, until the address leads to a
 * primary; until then, nothing is sent.
 *
 * @param timeoutMs how long an answer may take
 */
export const createPrimaryBackend = (address: ServerAddress, timeoutMs: number): Backend =>
  backendOfPrimary(new NamedPrimary(address, timeoutMs));
