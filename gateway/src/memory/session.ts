import type { Duplex } from "node:stream";
import { type Budget, type Engine, ErrorReply, type Reply, Status } from "leasehold-engine";
import { createTurns } from "../shared/turns.ts";
import type { Channels } from "./channels.ts";
import type { Monitors } from "./monitors.ts";
import { createRequestReader, encodeReply } from "./resp.ts";
import { beginTransaction, type Transaction } from "./transaction.ts";

/** What a connection uses of its server. */
export interface SessionParts {
  readonly engine: Engine;
  readonly channels: Channels;
  readonly monitors: Monitors;
  /** The name of the command that makes so many commands after it one request. */
  readonly together: string;
}

const OK = new Status("OK");

/** LPOP and RPOP with a count, which have a null of another form. */
const wantsList = ({ length, 0: name = "" }: readonly string[]): boolean => length === 3 && /^[lr]pop$/i.test(name);

class Session {
  readonly #parts: SessionParts;
  readonly #socket: Duplex;
  readonly #address: string;
  readonly #names = new Set<string>();
  #transaction: Transaction | undefined;
  /** The budget of a request with several commands, and how many of them are to come. */
  #request: { readonly budget: Budget; missing: number } | undefined;
  readonly #send = (reply: Reply): void => void this.#socket.write(encodeReply(reply));
  readonly #tell = (line: string): void => this.#send(new Status(line));

  constructor(parts: SessionParts, socket: Duplex, address: string) {
    this.#parts = parts;
    this.#socket = socket;
    this.#address = address;
  }

  take(words: readonly string[]): void {
    this.#parts.monitors.by(this.#address);
    let bytes: Buffer | undefined;
    try {
      const reply = this.#answer(words);
      if (reply !== undefined) bytes = encodeReply(reply, wantsList(words));
    } catch {
      bytes = encodeReply(new ErrorReply("ERR internal error"));
    }
    if (bytes !== undefined) this.#socket.write(bytes);
  }

  end(): void {
    this.#parts.channels.leave(this.#send);
    this.#parts.monitors.remove(this.#tell);
  }

  /** The reply to a command; undefined where everything has been sent. */
  #answer(words: readonly string[]): Reply | undefined {
    const { engine, monitors, together } = this.#parts;
    if (words[0] === together) {
      this.#request = { budget: engine.budget(), missing: Number(words[1]) };
      return OK;
    }
    const budget = this.#nextBudget();
    const name = words[0]?.toLowerCase() ?? "";
    if (this.#transaction !== undefined) return this.#inTransaction(this.#transaction, name, words);
    if (name === "ping" && this.#names.size > 0) return ["pong", words[1] ?? ""];
    const refused = engine.refusal(words);
    if (refused !== undefined) return refused;
    switch (name) {
      case "multi":
        monitors.tell(words);
        this.#transaction = beginTransaction(engine);
        return OK;
      case "exec":
        return new ErrorReply("ERR EXEC without MULTI");
      case "subscribe":
        return this.#subscribe("channel", words);
      case "psubscribe":
        return this.#subscribe("pattern", words);
      case "monitor":
        monitors.add(this.#tell);
        return OK;
      default:
        return engine.run(words, budget);
    }
  }

  /** The budget of the next command; undefined for one of its own. */
  #nextBudget(): Budget | undefined {
    const request = this.#request;
    if (request === undefined || request.missing === 0) return undefined;
    request.missing--;
    return request.budget;
  }

  #inTransaction({ queue, exec }: Transaction, name: string, words: readonly string[]): Reply {
    if (name !== "exec") return queue(words);
    this.#transaction = undefined;
    const replies = exec();
    this.#parts.monitors.tell(words);
    return replies;
  }

  /** SUBSCRIBE and PSUBSCRIBE: a confirmation for each channel. */
  #subscribe(kind: "channel" | "pattern", [command = "", ...wanted]: readonly string[]): undefined {
    this.#parts.monitors.tell([command, ...wanted]);
    for (const name of wanted) {
      this.#names.add(`${kind} ${name}`);
      this.#parts.channels.subscribe(kind, name, this.#send);
      this.#send([command.toLowerCase(), name, this.#names.size]);
    }
  }
}

/**
 * Answers the commands of a connection in order, until it closes.
 *
 * @param address the connection's name in the lines of MONITOR
 */
export function openSession(parts: SessionParts, socket: Duplex, address: string): void {
  const read = createRequestReader();
  const session = new Session(parts, socket, address);

  /** Runs commands, 5 ms at a time, and no faster than the replies are read. Others continue in between. */
  async function run(commands: readonly (readonly string[])[]): Promise<void> {
    const turns = createTurns();
    socket.cork();
    for (const words of commands) {
      session.take(words);
      const pause = socket.writableNeedDrain ? drained(socket) : turns();
      if (pause === undefined) continue;
      socket.uncork();
      socket.pause();
      await pause;
      if (socket.destroyed) return;
      socket.cork();
    }
    socket.uncork();
    if (socket.isPaused()) socket.resume();
  }

  socket.on("data", (chunk: Buffer) => void run(read(chunk)));
  socket.on("close", () => session.end());
}

/** Resolves when a stream accepts more, or is closed. */
const drained = (socket: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
