import { setTimeout as pause } from "node:timers/promises";
import { type Key, keysTo, refuseAmbiguous } from "../access/tokens.ts";
import { parseServers, tlsSettings } from "../redis/url.ts";
import { checkDatabaseOptions, checkTlsOptions } from "../shared/known-options.ts";
import type { Log } from "../shared/log.ts";
import type { DatabaseOptions, DatabasesOptions } from "../shared/options.ts";
import { namesOf } from "../shared/settings.ts";
import { createDatabase, type Database, type Shared, type Source } from "./database.ts";

const NAME = /^[\w.-]{1,64}$/;

/** How often a new database is checked until it answers. */
const LOOK_MS = 20;

/** The databases of a gateway, which can be replaced while it runs. */
export interface Databases<App> {
  /** The tokens, each with its database. */
  readonly keys: readonly Key<Database<App>>[];
  /** The databases, by token. */
  readonly all: readonly Database<App>[];
  /**
   * Changes databases and tokens. A database with the same name, address and login keeps its connections; a removed one
   * ends once its requests in flight are answered. A token of a new database gives access to the previous one until the
   * new one answers.
   *
   * @throws {TypeError} for invalid options; then nothing changes
   */
  take(options: DatabasesOptions): void;
  close(): void;
}

interface Entry<App> {
  readonly database: Database<App>;
  /** The options that identify the database, as text. */
  readonly identity: string;
}

/** The options of a server, each with the names of its settings. */
const SERVER = {
  redis: () => namesOf("redis"),
  username: () => namesOf("redisUsername"),
  password: () => namesOf("redisPassword"),
  tls: ({ tls = {} }: DatabaseOptions) => tlsSettings(tls) || "tls",
  sentinelUsername: () => namesOf("sentinelUsername"),
  sentinelPassword: () => namesOf("sentinelPassword"),
  sentinelTls: () => namesOf("sentinelTls"),
} as const;
const SERVER_OPTIONS = Object.keys(SERVER) as (keyof typeof SERVER)[];
const REACH = ["name", ...SERVER_OPTIONS] as const;
const TOKENS = ["token", "tokenSha256", "readOnlyToken", "readOnlyTokenSha256"] as const;

/** @throws {TypeError} if both forms are used */
function listOf(options: DatabasesOptions): readonly DatabaseOptions[] {
  const { databases } = options;
  if (databases === undefined) return [options];
  const besides = ([...REACH, "memory", ...TOKENS] as const).find((key) => options[key] !== undefined);
  if (besides !== undefined)
    throw new TypeError(`${besides} belongs to one of the databases where there is a list of them`);
  if (!Array.isArray(databases) || databases.length === 0)
    throw new TypeError("databases must be a list of at least one");
  databases.forEach(checkDatabaseOptions);
  return databases;
}

const TEXTS = ["username", "password", "sentinelUsername", "sentinelPassword"] as const;

/** @throws {TypeError} for both a server and the Redis in memory, or neither, and for a user or password of another type */
function checkSource(options: DatabaseOptions): void {
  const { memory = false, redis } = options;
  if (typeof memory !== "boolean") throw new TypeError("memory must be true or false");
  const wrong = TEXTS.find((key) => options[key] !== undefined && typeof options[key] !== "string");
  if (wrong !== undefined) throw new TypeError(`${SERVER[wrong]()} must be text`);
  const besides = SERVER_OPTIONS.find((key) => options[key] !== undefined);
  if (memory && besides !== undefined)
    throw new TypeError(`${namesOf("memory")} is instead of a server, and excludes ${SERVER[besides](options)}`);
  if (!memory && typeof redis !== "string") throw new TypeError("redis must be a URL");
}

type Named = DatabaseOptions & { readonly name: string };

function checked(options: DatabaseOptions): Named {
  const { name = "default" } = options;
  if (typeof name !== "string" || !NAME.test(name))
    throw new TypeError("the name of a database must be 1 to 64 letters, digits, -, _ or .");
  if (options.tls) checkTlsOptions(options.tls);
  checkSource(options);
  if (keysTo(name, options).length === 0)
    throw new TypeError(
      // A named database is in the list of a config file, to which flags and variables do not apply.
      options.name !== undefined
        ? `database ${name}: a token is required in its entry: token, tokenFile or tokenSha256, or a read-only one`
        : `a token is required: ${namesOf("token")}, or --token-file, --token-sha256, or a read-only one (--read-only-token)`,
    );
  return { ...options, name };
}

function sourceOf(options: Named, log: Log): Source {
  const { name: database, memory, redis = "" } = options;
  if (memory === true) return { kind: "memory" };
  const onTrouble = (reason: string): void => log.warn({ database, reason }, "Redis cannot be used");
  try {
    return parseServers(redis, options, onTrouble);
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`database ${options.name}: ${error.message}`) : error;
  }
}

/** The identity of a database: all options except its tokens. */
const identityOf = (options: DatabaseOptions): string =>
  JSON.stringify([options.memory === true, ...REACH.map((key) => options[key] ?? null)]);

/** @throws {TypeError} if two databases share a name or a token */
function refuseTwins(list: readonly Named[]): void {
  const twice = list.find(({ name }, at) => list.findIndex((other) => other.name === name) < at);
  if (twice !== undefined) throw new TypeError(`two databases have the same name: ${twice.name}`);
  refuseAmbiguous(list.flatMap((options) => keysTo(options.name, options)));
}

/** The databases of a gateway, and which one serves instead of a database that has not answered yet. */
class Served<App> implements Databases<App> {
  readonly #shared: Shared<App>;
  readonly #moved: () => void;
  #entries: readonly Entry<App>[] = [];
  /** The tokens with their configured databases, and with those that serve them now. */
  #wanted: readonly Key<Database<App>>[] = [];
  keys: readonly Key<Database<App>>[] = [];
  /** The databases that have connections. */
  #alive: ReadonlySet<Database<App>> = new Set();
  /** The databases that have not answered yet. */
  readonly #pending = new Set<Database<App>>();
  #isClosed = false;

  constructor(shared: Shared<App>, moved: () => void) {
    this.#shared = shared;
    this.#moved = moved;
  }

  get all(): readonly Database<App>[] {
    return [...new Set(this.keys.map(({ to }) => to))];
  }

  take(input: DatabasesOptions): void {
    const list = listOf(input).map(checked);
    refuseTwins(list);
    // Everything that can fail comes before anything changes.
    const parsed = list.map((options) => ({ options, source: sourceOf(options, this.#shared.log) }));
    if (this.#isClosed) return;
    const known = new Map(this.#entries.map((entry) => [entry.identity, entry]));
    const begun: Database<App>[] = [];
    this.#entries = parsed.map(({ options, source }) => {
      const identity = identityOf(options);
      const before = known.get(identity);
      if (before !== undefined) return before;
      if (known.size > 0) this.#shared.log.info({ database: options.name }, "opens new connections");
      const database = createDatabase(options.name, source, this.#shared);
      begun.push(database);
      return { database, identity };
    });
    this.#wanted = this.#entries.flatMap(({ database }, at) => keysTo(database, list[at] ?? {}));
    for (const database of begun) this.#pending.add(database);
    this.#serve();
    for (const database of begun) {
      if (this.#isAwaited(database)) void this.#handOver(database);
      else this.#pending.delete(database);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const database of this.#alive) database.close();
  }

  #serve(): void {
    this.keys = this.#wanted.map((key) => this.#served(key));
    const needed = new Set([...this.#entries.map(({ database }) => database), ...this.keys.map(({ to }) => to)]);
    for (const database of this.#alive) if (!needed.has(database)) database.retire();
    this.#alive = needed;
  }

  /** A token with the database that serves it now. */
  #served(key: Key<Database<App>>): Key<Database<App>> {
    if (!this.#pending.has(key.to)) return key;
    const before = this.keys.find(({ id, access }) => id === key.id && access === key.access);
    return before === undefined ? key : { ...key, to: before.to };
  }

  /** Whether another database serves instead of it. */
  #isAwaited(database: Database<App>): boolean {
    return this.#wanted.some(({ to }, at) => to === database && this.keys[at]?.to !== database);
  }

  /** Switches to a new database as soon as it answers, if it is still configured by then. */
  async #handOver(database: Database<App>): Promise<void> {
    const { log } = this.#shared;
    await database.opened;
    const isOver = (): boolean => database.isReady || this.#isClosed || !this.#isAwaited(database);
    if (!isOver()) log.warn({ database: database.name }, "the previous Redis serves until this one answers");
    while (!isOver()) await pause(LOOK_MS);
    this.#pending.delete(database);
    if (this.#isClosed) return;
    this.#serve();
    this.#moved();
  }
}

/** @param moved called when tokens switch to another database without new settings */
export const createDatabases = <App>(shared: Shared<App>, moved: () => void): Databases<App> =>
  new Served(shared, moved);
