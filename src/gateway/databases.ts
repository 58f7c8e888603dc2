import { type Key, keysTo, refuseAmbiguous } from "./auth.ts";
import { createDatabase, type Database, type Shared } from "./database.ts";
import type { Log } from "./log.ts";
import type { DatabaseOptions, DatabasesOptions } from "./options.ts";
import { parseServers, type Servers } from "./server-url.ts";
import { namesOf } from "./settings.ts";

const NAME = /^[\w.-]{1,64}$/;

/** The databases of a gateway, which can be exchanged while it runs. */
export interface Databases {
  /** The tokens, and what each opens. */
  readonly keys: readonly Key<Database>[];
  readonly all: readonly Database[];
  /**
   * Takes other databases and tokens. One that is named and reached as before keeps its connections; one that is gone ends when its
   * requests in flight have their answers.
   *
   * @throws {TypeError} for options that cannot be; then all stays as it was
   */
  take(options: DatabasesOptions): void;
  close(): void;
}

interface Entry {
  readonly database: Database;
  /** What it takes to be the same one. */
  readonly identity: string;
}

const REACH = [
  ...(["name", "redis", "username", "password", "tls"] as const),
  ...(["sentinelUsername", "sentinelPassword", "sentinelTls"] as const),
];
const TOKENS = ["token", "tokenSha256", "readOnlyToken", "readOnlyTokenSha256"] as const;

/** @throws {TypeError} when both forms are there */
function listOf(options: DatabasesOptions): readonly Partial<DatabaseOptions>[] {
  const { databases } = options;
  if (databases === undefined) return [options];
  const besides = [...REACH, ...TOKENS].find((key) => options[key] !== undefined);
  if (besides !== undefined)
    throw new TypeError(`${besides} belongs to one of the databases where there is a list of them`);
  if (!Array.isArray(databases) || databases.length === 0)
    throw new TypeError("databases must be a list of at least one");
  return databases;
}

function checked(options: Partial<DatabaseOptions>): DatabaseOptions & { readonly name: string } {
  const { name = "default", redis } = options;
  if (typeof name !== "string" || !NAME.test(name))
    throw new TypeError("the name of a database must be 1 to 64 letters, digits, -, _ or .");
  if (typeof redis !== "string") throw new TypeError("redis must be a URL");
  if (keysTo(name, options).length === 0)
    throw new TypeError(
      // One with a name is in the list of a config file, where flags and variables do not count.
      options.name !== undefined
        ? `database ${name}: a token is required in its entry: token, tokenFile or tokenSha256, or one that only reads`
        : `a token is required: ${namesOf("token")}, or --token-file, --token-sha256, or one that only reads (--read-only-token)`,
    );
  return { ...options, name, redis };
}

function serversOf(options: DatabaseOptions & { readonly name: string }, log: Log): Servers {
  const { name: database } = options;
  try {
    return parseServers(options.redis, options, (reason) => log.warn({ database, reason }, "Redis cannot be used"));
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`database ${options.name}: ${error.message}`) : error;
  }
}

/** What makes a database the same one: all but its tokens. */
const identityOf = (options: DatabaseOptions): string => JSON.stringify(REACH.map((key) => options[key] ?? null));

export function createDatabases(shared: Shared): Databases {
  let entries: readonly Entry[] = [];
  let keys: readonly Key<Database>[] = [];
  let closed = false;

  function take(given: DatabasesOptions): void {
    const list = listOf(given).map(checked);
    const twice = list.find(({ name }, at) => list.findIndex((other) => other.name === name) < at);
    if (twice !== undefined) throw new TypeError(`two databases have the same name: ${twice.name}`);
    refuseAmbiguous(list.flatMap((options) => keysTo(options.name, options)));
    // All that can fail comes before anything changes.
    const parsed = list.map((options) => ({ options, servers: serversOf(options, shared.log) }));
    if (closed) return;
    const before = entries;
    const known = new Map(before.map((entry) => [entry.identity, entry]));
    entries = parsed.map(({ options, servers }) => {
      const identity = identityOf(options);
      const same = known.get(identity);
      if (same !== undefined) return same;
      if (before.length > 0) shared.log.info({ database: options.name }, "its connections are new");
      return { database: createDatabase(options.name, servers, shared), identity };
    });
    keys = entries.flatMap(({ database }, at) => keysTo(database, list[at] ?? {}));
    const kept = new Set(entries.map(({ database }) => database));
    for (const { database } of before) if (!kept.has(database)) database.retire();
  }

  return {
    get keys() {
      return keys;
    },
    get all() {
      return entries.map(({ database }) => database);
    },
    take,
    close() {
      closed = true;
      for (const { database } of entries) database.close();
    },
  };
}
