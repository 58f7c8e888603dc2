import type { Duplex } from "node:stream";
import { type Engine, ErrorReply, type Reply, Status } from "leasehold-engine";
import type { Channels } from "./channels.ts";
import type { Monitors } from "./monitors.ts";
import { createRequestReader, encodeReply } from "./resp.ts";
import { beginTransaction, type Transaction } from "./transaction.ts";

/** The parts that all connections of a server share. */
export interface SharedParts {
  readonly engine: Engine;
  readonly channels: Channels;
  readonly monitors: Monitors;
}

const OK = new Status("OK");

/** LPOP and RPOP with a count, which have a null of another form. */
const wantsList = ({ length, 0: name = "" }: readonly string[]): boolean => length === 3 && /^[lr]pop$/i.test(name);

class Session {
  readonly #parts: SharedParts;
  readonly #socket: Duplex;
  readonly #address: string;
  readonly #names = new Set<string>();
  #transaction: Transaction | undefined;
  readonly #send = (reply: Reply): void => void this.#socket.write(encodeReply(reply));
  readonly #tell = (line: string): void => this.#send(new Status(line));

  constructor(parts: SharedParts, socket: Duplex, address: string) {
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
    const { engine, monitors } = this.#parts;
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
        return engine.run(words);
    }
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
export function openSession(parts: SharedParts, socket: Duplex, address: string): void {
  const read = createRequestReader();
  const session = new Session(parts, socket, address);
  socket.on("data", (chunk: Buffer) => {
    socket.cork();
    for (const words of read(chunk)) session.take(words);
    socket.uncork();
  });
  socket.on("close", () => session.end());
}
