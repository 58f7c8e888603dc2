import type { Backend, Command, Reply, ServerBackend, Wanted } from "../redis/backend.ts";
import { NoAnswer } from "../shared/error-answers.ts";
import type { Receiver } from "../shared/receiver.ts";
import { type Line, type LineListener, NotReported, openLine } from "./line.ts";
import { prefixesOf } from "./prefixes.ts";
import { WatchedKeys } from "./watched-keys.ts";

/** The pauses after a line could not be opened, and after the server refused it. */
const RETRY_MS = 500;
const REFUSED_MS = 60_000;
/** A server that closes so many connections in a row, or does not answer on them, refuses to report. */
const MAX_UNANSWERED = 3;
/** Errors of a server that did not run a command, which must go to another server or be sent later. */
const ELSEWHERE = /^(MOVED|ASK|READONLY|CLUSTERDOWN|TRYAGAIN) /;

/** The receiver of a watcher's reports. */
interface Noticed {
  /** Called when another client may have written a watched key. */
  written(key: string): void;
  /**
   * Called when a key was written in the turn of Redis in which a script of this watcher ran for it, probably by that
   * script.
   */
  writtenBy(key: string, script: Command, reply: Reply): void;
  /** Called when any key may have been written: the database was flushed. */
  anything(): void;
  /** Called when a connection was lost on which a server reported writes: some may not have been reported. */
  lost(): void;
  /** Called with the reason when a server refuses to report writes, at most once a minute. */
  refused(reason: string): void;
}

/** A script that ran, and its reply. */
interface Ran {
  readonly command: Command;
  readonly reply: Reply;
}

/** The line to one server, while it opens or is open, or the time of the next try. */
class Server {
  line: Line | undefined;
  opening: Promise<void> | undefined;
  notBefore = 0;
  /** How many times in a row it did not answer. */
  unanswered = 0;
  /** The scripts with the latest replies, by key: a report that follows immediately is about them. */
  readonly own: Map<string, Ran> = new Map();
  /** The keys that this server sent elsewhere when they were last asked for: it does not report their writes. */
  readonly elsewhere: Set<string> = new Set();
  #prefixes: ReadonlySet<string> = new Set();
  #names: ReadonlySet<string> = new Set();
  #version = -1;

  /**
   * The prefixes that the server must report for its keys.
   *
   * @param key one of them; it may have moved to this server since then
   */
  prefixes(keys: WatchedKeys, isOurs: (key: string) => boolean, key?: string): ReadonlySet<string> {
    const name = key === undefined ? undefined : keys.nameOf(key);
    if (this.#version !== keys.version || (name !== undefined && !this.#names.has(name))) {
      this.#names = keys.names(isOurs);
      this.#prefixes = prefixesOf(this.#names);
      this.#version = keys.version;
    }
    return this.#prefixes;
  }
}

/** Watches keys for writes by any client, and runs scripts, whose own writes it recognises. */
export class Watcher {
  readonly keys: WatchedKeys;
  readonly #backend: Backend;
  readonly #timeoutMs: number;
  readonly #noticed: Noticed;
  readonly #servers = new Map<Backend, Server>();
  #isClosed = false;

  /** @param timeoutMs how long a server may take to answer */
  constructor(backend: Backend, timeoutMs: number, noticed: Noticed) {
    this.#backend = backend;
    this.#timeoutMs = timeoutMs;
    this.#noticed = noticed;
    this.keys = new WatchedKeys(() => this.#reportLess());
  }

  /** Resolves when it is known whether the writes to a key can be reported. */
  async ready(key: string): Promise<void> {
    const at = this.#backend.at(key);
    if (at?.isReady !== true || this.#isClosed) return;
    const server = this.#servers.get(at) ?? new Server();
    this.#servers.set(at, server);
    if (server.line !== undefined || performance.now() < server.notBefore) return;
    server.opening ??= this.#open(at, server);
    await server.opening;
  }

  /** Groups keys by their servers. */
  byServer(keys: readonly string[]): readonly (readonly string[])[] {
    const groups = new Map<Backend | undefined, string[]>();
    for (const key of keys) {
      const at = this.#backend.at(key);
      const group = groups.get(at) ?? [];
      groups.set(at, group);
      group.push(key);
    }
    return [...groups.values()];
  }

  /** Whether the writes to a key are reported by the time that the next script for it runs. */
  isReported(key: string): boolean {
    const server = this.#serverOf(key);
    return this.keys.has(key) && server?.line !== undefined && !server.elsewhere.has(key);
  }

  /** Runs a script with a key. Fails like {@link Backend.send}. */
  run(command: Command, key: string, to: Receiver<readonly Reply[]>, wanted?: Wanted): void {
    const server = this.#serverOf(key);
    const line = server?.line;
    if (server === undefined || line === undefined) {
      this.#backend.send([command], to, wanted);
      return;
    }
    for (const gone of server.elsewhere) if (!this.keys.has(gone)) server.elsewhere.delete(gone);
    const receiver: Receiver<readonly Reply[]> = {
      receive: (replies) => {
        const [reply = null] = replies;
        if (reply instanceof Error && ELSEWHERE.test(reply.message)) {
          // It did not run. The common path of commands knows the right server; the line serves other keys.
          if (this.keys.has(key)) server.elsewhere.add(key);
          this.#backend.send([command], this.#telling(key, to), wanted);
          return;
        }
        server.elsewhere.delete(key);
        if (this.keys.has(key)) server.own.set(key, { command, reply });
        to.receive(replies);
      },
      fail: (error) => to.fail(error),
    };
    line.send([command], this.#prefixesAt(server, key), receiver, wanted?.room);
  }

  /** Reports a write to a key with the reply, since no server reports it. */
  #telling(key: string, to: Receiver<readonly Reply[]>): Receiver<readonly Reply[]> {
    return {
      receive: (replies) => {
        to.receive(replies);
        if (this.keys.has(key)) this.#noticed.written(key);
      },
      fail: (error) => to.fail(error),
    };
  }

  close(): void {
    this.#isClosed = true;
    this.keys.close();
    for (const { line } of this.#servers.values()) line?.close();
  }

  #serverOf(key: string): Server | undefined {
    const at = this.#backend.at(key);
    return at && this.#servers.get(at);
  }

  #prefixesAt(server: Server, key?: string): ReadonlySet<string> {
    return server.prefixes(this.keys, (watched) => this.#serverOf(watched) === server, key);
  }

  /** Makes the servers report fewer names. */
  #reportLess(): void {
    const ignored = { receive: () => {}, fail: () => {} };
    for (const server of this.#servers.values()) server.line?.send([], this.#prefixesAt(server), ignored);
  }

  #anything(): void {
    this.keys.written();
    this.#noticed.anything();
  }

  /** Handles a report. */
  #written(list: readonly string[], own: Map<string, Ran>): void {
    for (const key of list) {
      if (!this.keys.has(key)) continue;
      const ran = own.get(key);
      own.delete(key);
      if (ran === undefined) {
        this.keys.written(key);
        this.#noticed.written(key);
      } else this.#noticed.writtenBy(key, ran.command, ran.reply);
    }
  }

  #listenerOf(at: Backend, server: Server): LineListener {
    return {
      written: (list) => (list === undefined ? this.#anything() : this.#written(list, server.own)),
      paused: () => server.own.clear(),
      lost: () => {
        this.#servers.delete(at);
        if (server.line === undefined || this.#isClosed) return;
        this.keys.written();
        this.#noticed.lost();
      },
    };
  }

  async #open(at: ServerBackend, server: Server): Promise<void> {
    try {
      const line = await openLine(() => at.dial(), this.#listenerOf(at, server), this.#timeoutMs);
      if (this.#isClosed) line.close();
      else server.line = line;
    } catch (error) {
      if (error instanceof NoAnswer) server.unanswered++;
      const isRefused = error instanceof NotReported || server.unanswered >= MAX_UNANSWERED;
      if (isRefused) this.#noticed.refused(error instanceof NotReported ? error.message : "HELLO: no answer");
      server.notBefore = performance.now() + (isRefused ? REFUSED_MS : RETRY_MS);
      if (!this.#isClosed) this.#servers.set(at, server);
    }
    server.opening = undefined;
  }
}
