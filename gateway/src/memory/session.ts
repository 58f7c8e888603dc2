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

/** LPOP and RPOP with a count: the null of a list has bytes of its own. */
const wantsList = ({ length, 0: name = "" }: readonly string[]): boolean => length === 3 && /^[lr]pop$/i.test(name);

/**
 * Answers the commands that arrive on a connection, in their order, until it closes.
 *
 * @param address the connection's name in the lines of MONITOR
 */
export function openSession({ engine, channels, monitors }: SharedParts, socket: Duplex, address: string): void {
  const read = createRequestReader();
  const names = new Set<string>();
  let transaction: Transaction | undefined;

  const send = (reply: Reply): void => void socket.write(encodeReply(reply));
  const tell = (line: string): void => send(new Status(line));

  /** SUBSCRIBE and PSUBSCRIBE: a confirmation for each channel. */
  function subscribe(kind: "channel" | "pattern", [command = "", ...wanted]: readonly string[]): undefined {
    monitors.tell([command, ...wanted]);
    for (const name of wanted) {
      names.add(`${kind} ${name}`);
      channels.subscribe(kind, name, send);
      send([command.toLowerCase(), name, names.size]);
    }
  }

  function inTransaction({ queue, exec }: Transaction, name: string, words: readonly string[]): Reply {
    if (name !== "exec") return queue(words);
    transaction = undefined;
    const replies = exec();
    monitors.tell(words);
    return replies;
  }

  /** The reply to a command; undefined where everything has been sent. */
  function answer(words: readonly string[]): Reply | undefined {
    const name = words[0]?.toLowerCase() ?? "";
    if (transaction !== undefined) return inTransaction(transaction, name, words);
    if (name === "ping" && names.size > 0) return ["pong", words[1] ?? ""];
    const refused = engine.refusal(words);
    if (refused !== undefined) return refused;
    switch (name) {
      case "multi":
        monitors.tell(words);
        transaction = beginTransaction(engine);
        return OK;
      case "exec":
        return new ErrorReply("ERR EXEC without MULTI");
      case "subscribe":
        return subscribe("channel", words);
      case "psubscribe":
        return subscribe("pattern", words);
      case "monitor":
        monitors.add(tell);
        return OK;
      default:
        return engine.run(words);
    }
  }

  function take(words: readonly string[]): void {
    monitors.by(address);
    let bytes: Buffer | undefined;
    try {
      const reply = answer(words);
      if (reply !== undefined) bytes = encodeReply(reply, wantsList(words));
    } catch (error) {
      // Arrays in more arrays than the stack has room for. Redis has a limit there, too.
      const isTooDeep = error instanceof RangeError;
      bytes = encodeReply(new ErrorReply(isTooDeep ? "ERR reached lua stack limit" : "ERR internal error"));
    }
    if (bytes !== undefined) socket.write(bytes);
  }

  socket.on("data", (chunk: Buffer) => {
    socket.cork();
    for (const words of read(chunk)) take(words);
    socket.uncork();
  });
  socket.on("close", () => {
    channels.leave(send);
    monitors.remove(tell);
  });
}
