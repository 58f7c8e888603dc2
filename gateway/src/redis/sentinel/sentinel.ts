import type { Backend, ServerBackend } from "../backend.ts";
import { askRole, backendOfPrimary, type Primary } from "../demotion.ts";
import { placeOf } from "../nodes.ts";
import { createRedisBackend } from "../server-backend.ts";
import type { Watched } from "../url.ts";
import { createWatch, type Watch } from "./sentinels.ts";

/** The server that Sentinels name as the primary. */
class WatchedPrimary implements Primary {
  server: ServerBackend | undefined;
  readonly #watched: Watched;
  readonly #timeoutMs: number;
  readonly #watch: Watch;
  #at: string | undefined;
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

  /**
   * Checks a server that answered like a replica: it has become one, a script invented that answer, or Redis discarded
   * a transaction for another reason. The server itself is asked, so that no client can end the shared connection.
   */
  async doubt(server: ServerBackend): Promise<void> {
    this.#watch.ask();
    const role = await askRole(server);
    const isPresent = !this.#isClosed && server === this.server;
    if (isPresent && this.#at !== undefined && role !== "primary") await this.#moveTo(this.#at);
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
}

/**
 * A backend of the primary that Sentinels name. When they name another one, all connections to the previous primary are
 * ended: commands in flight there fail with {@link NoAnswer}, and are not sent to the new one.
 *
 * @param timeoutMs how long an answer may take
 */
export const createSentinelBackend = (watched: Watched, timeoutMs: number): Backend =>
  backendOfPrimary(new WatchedPrimary(watched, timeoutMs));
