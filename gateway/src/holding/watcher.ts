import type { Backend, Command, Reply } from "../redis/backend.ts";
import type { Hold } from "../shared/budget.ts";
import type { Receiver } from "../shared/receiver.ts";
import { type Line, type LineListener, NotReported, openLine } from "./line.ts";
import { nameIn, prefixesOf } from "./prefixes.ts";

/** How long a name is still watched after its last waiter: under contention the next one comes soon. */
const LINGER_MS = 5_000;
/** The pause after a line could not be opened, and after the server refused it. */
const RETRY_MS = 500;
const REFUSED_MS = 60_000;
/** The subcommand is of no interest: a backend may only refuse callers who may not dial at all. */
const DIAL: Command = ["SUBSCRIBE"];
/** The errors with which a server says that it did not run a command, which is for another server or for later. */
const ELSEWHERE = /^(MOVED|ASK|READONLY|CLUSTERDOWN|TRYAGAIN) /;

/** The receiver of what a watcher notices. */
interface Noticed {
  /** Called when somebody else may have written a key that is watched. */
  written(key: string): void;
  /**
   * Called when a key was written in the turn of Redis in which a script of this watcher ran for it: most likely by that
   * script.
   */
  writtenBy(key: string, script: Command, reply: Reply): void;
  /** Called when anything may have been written: the database was flushed, or reports may have been lost. */
  anything(): void;
  /** Called when a server refuses to report writes, with the reason, once a minute at most. */
  refused(reason: string): void;
}

/** Watches keys for writes, whoever writes them, and runs scripts whose own writes are told apart. */
export interface Watcher {
  /** Counts one more waiter for a key, which is watched from the next script on that is run for it. */
  add(key: string): void;
  remove(key: string): void;
  /** The keys that somebody waits for. */
  awaited(): readonly string[];
  /** Resolves when the writes to a key can be reported, or it is known that they cannot. */
  ready(key: string): Promise<void>;
  /** Whether the next script for a key runs when its writes are reported already, by the time that it runs. */
  isReported(key: string): boolean;
  /** How many writes to a key by others there were, as far as they were noticed. */
  writesOf(key: string): number;
  /** Runs a script that names a key. Fails as {@link Backend.send} does. */
  run(command: Command, key: string, to: Receiver<readonly Reply[]>, room?: Hold): void;
  close(): void;
}

interface Watched {
  readonly name: string;
  waiters: number;
  writes: number;
  /** When the last waiter left, as of `performance.now()`. */
  idleSince: number;
}

/** A script that was run, and its reply. */
interface Ran {
  readonly command: Command;
  readonly reply: Reply;
}

/** The line to one server, while it opens or is open, or how long it is not tried again. */
interface Server {
  line: Line | undefined;
  opening: Promise<void> | undefined;
  notBefore: number;
  /** The scripts whose replies came last, by key: a report that follows at once is of them. */
  readonly own: Map<string, Ran>;
  /** The prefixes that its names need, and the names themselves, as of a version of the list of keys. */
  prefixes: ReadonlySet<string>;
  names: ReadonlySet<string>;
  version: number;
}

const newServer = (): Server => ({
  line: undefined,
  opening: undefined,
  notBefore: 0,
  own: new Map(),
  prefixes: new Set(),
  names: new Set(),
  version: -1,
});

/** @param timeoutMs how long a server may take to answer */
export function createWatcher(backend: Backend, timeoutMs: number, noticed: Noticed): Watcher {
  const keys = new Map<string, Watched>();
  const servers = new Map<Backend, Server>();
  /** Rises whenever a key is added or removed. */
  let version = 0;
  let sweeping: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** The server that has a key; `undefined` while it is not known. */
  function serverOf(key: string): readonly [Backend, Server] | undefined {
    const at = backend.at(key);
    if (at === undefined) return undefined;
    const known = servers.get(at) ?? newServer();
    servers.set(at, known);
    return [at, known];
  }

  function anything(): void {
    for (const watched of keys.values()) watched.writes++;
    noticed.anything();
  }

  /** Takes a report. Those of scripts that ran in the same turn of Redis are in `own`. */
  function written(list: readonly string[], own: Map<string, Ran>): void {
    for (const key of list) {
      const watched = keys.get(key);
      if (watched === undefined) continue;
      const ran = own.get(key);
      own.delete(key);
      if (ran !== undefined) {
        noticed.writtenBy(key, ran.command, ran.reply);
        continue;
      }
      watched.writes++;
      noticed.written(key);
    }
  }

  async function open(at: Backend, server: Server): Promise<void> {
    try {
      const dial = () => {
        const connection = at.dial(DIAL);
        if (connection instanceof Error) throw new NotReported(connection.message);
        return connection;
      };
      const listener: LineListener = {
        written: (list) => (list === undefined ? anything() : written(list, server.own)),
        paused: () => server.own.clear(),
        lost() {
          servers.delete(at);
          if (server.line !== undefined && !isClosed) anything();
        },
      };
      const line = await openLine(dial, listener, timeoutMs);
      if (isClosed) line.close();
      else server.line = line;
    } catch (error) {
      const isRefused = error instanceof NotReported;
      if (isRefused) noticed.refused(error.message);
      server.notBefore = performance.now() + (isRefused ? REFUSED_MS : RETRY_MS);
      if (!isClosed) servers.set(at, server);
    }
    server.opening = undefined;
  }

  /** The prefixes that a server has to report; a key that has moved to it is noticed by its name. */
  function prefixesAt(server: Server, key?: string): ReadonlySet<string> {
    const name = key === undefined ? undefined : keys.get(key)?.name;
    if (server.version === version && (name === undefined || server.names.has(name))) return server.prefixes;
    const names = new Set<string>();
    for (const [watched, it] of keys) if (serverOf(watched)?.[1] === server) names.add(it.name);
    server.names = names;
    server.prefixes = prefixesOf(names);
    server.version = version;
    return server.prefixes;
  }

  /** Stops watching names that nobody has waited for in a while. */
  function sweep(): void {
    const now = performance.now();
    let isLess = false;
    for (const [key, { waiters, idleSince }] of keys) {
      if (waiters === 0 && now - idleSince > LINGER_MS) isLess = keys.delete(key);
    }
    if (isLess) {
      version++;
      const ignored = { receive: () => {}, fail: () => {} };
      for (const server of servers.values()) server.line?.send([], prefixesAt(server), ignored);
    }
    if (keys.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  return {
    add(key) {
      const name = nameIn(key);
      if (name === undefined) return;
      const known = keys.get(key);
      const watched = known ?? { name, waiters: 0, writes: 0, idleSince: 0 };
      watched.waiters++;
      if (known === undefined) {
        keys.set(key, watched);
        version++;
      }
      sweeping ??= setInterval(sweep, LINGER_MS).unref();
    },
    remove(key) {
      const watched = keys.get(key);
      if (watched === undefined) return;
      watched.waiters--;
      watched.idleSince = performance.now();
    },
    awaited: () => [...keys].filter(([, { waiters }]) => waiters > 0).map(([key]) => key),
    async ready(key) {
      const found = serverOf(key);
      if (found === undefined || isClosed) return;
      const [at, server] = found;
      if (server.line !== undefined || performance.now() < server.notBefore) return;
      server.opening ??= open(at, server);
      await server.opening;
    },
    isReported: (key) => keys.has(key) && serverOf(key)?.[1].line !== undefined,
    writesOf: (key) => keys.get(key)?.writes ?? 0,
    run(command, key, to, room) {
      const server = serverOf(key)?.[1];
      const line = server?.line;
      if (server === undefined || line === undefined) {
        backend.send([command], to, room);
        return;
      }
      const receiver: Receiver<readonly Reply[]> = {
        receive(replies) {
          const [reply = null] = replies;
          if (keys.has(key)) server.own.set(key, { command, reply });
          if (reply instanceof Error && ELSEWHERE.test(reply.message)) {
            // It did not run. The way that all commands go knows where to.
            line.close();
            backend.send([command], to, room);
          } else to.receive(replies);
        },
        fail: to.fail,
      };
      line.send([command], prefixesAt(server, key), receiver, room);
    },
    close() {
      isClosed = true;
      clearInterval(sweeping);
      for (const { line } of servers.values()) line?.close();
    },
  };
}
