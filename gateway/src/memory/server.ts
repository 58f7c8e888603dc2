import {
  type Budget,
  createChannels,
  createEngine,
  type Engine,
  type Reply as EngineReply,
  ErrorReply,
  type ExtraCommand,
} from "leasehold-engine";
import { toBytes } from "leasehold-engine/rest";
import { type Command, elementsOf, type Feed, type Reply, type Wanted } from "../redis/backend.ts";
import type { Hold } from "../shared/budget.ts";
import { MemoryFeed, type SharedParts } from "./memory-feed.ts";
import { createMonitors } from "./monitors.ts";
import { bytesOf, replyOf } from "./replies.ts";

/** A Redis in memory, which has the commands of the engine, and those that the gateway needs in addition. */
export interface MemoryServer {
  /** The budget of one request. Commands that are run with the same budget share it. */
  budget(): Budget;
  /** Runs one command. @throws {ReplyTooLarge} if it has run, and there is no room for its reply */
  run(command: Command, budget: Budget, form: NonNullable<Wanted["form"]>, room: Hold | undefined): Reply;
  /** Runs commands as one transaction; otherwise like `run`. */
  transact(commands: readonly Command[], room: Hold | undefined): readonly Reply[] | Error;
  feed(command: Command): Feed;
  /** Ends the feeds. */
  close(): void;
}

/** An entry of the table of commands for one that only a connection could run. */
const ofConnection = (arity: number): ExtraCommand => [arity, "s", () => new ErrorReply("ERR not allowed here")];

const CONNECTION_COMMANDS = {
  multi: ofConnection(1),
  exec: ofConnection(1),
  subscribe: ofConnection(-2),
  psubscribe: ofConnection(-2),
  monitor: ofConnection(1),
};

/** The words of a command, one character for each byte. */
const wordsOf = (command: Command): string[] =>
  command.map((part) => (typeof part === "string" ? toBytes(part) : part.toString("latin1")));

/** LPOP and RPOP with a count, which have a null of another form. */
const wantsList = ({ length, 0: name = "" }: readonly string[]): boolean => length === 3 && /^[lr]pop$/i.test(name);

/** COMMAND, with the first three fields of each entry. */
function tell(engine: Engine, [subcommand]: readonly string[]): EngineReply {
  if (subcommand !== undefined) return new ErrorReply(`ERR unknown subcommand '${subcommand}'. Try COMMAND HELP.`);
  return engine.commands.map(({ name, arity, flags }) => [name, arity, flags]);
}

/** A failure of the engine itself is an error of the command. */
function replyTo<R>(run: () => R): R | ErrorReply {
  try {
    return run();
  } catch {
    return new ErrorReply("ERR internal error");
  }
}

/** Makes an empty server. */
export function createMemoryServer(): MemoryServer {
  const channels = createChannels();
  const monitors = createMonitors();
  const feeds = new Set<Feed>();
  const engine = createEngine({
    dialect: "redis",
    now: Date.now,
    random: Math.random,
    commands: {
      ...CONNECTION_COMMANDS,
      command: [-1, "", (args) => tell(engine, args)],
    },
    publish: channels.publish,
    onCommand: monitors.tell,
  });
  const parts: SharedParts = { engine, channels, monitors, feeds };

  return {
    budget: () => engine.budget(),
    run(command, budget, form, room) {
      const words = wordsOf(command);
      const reply = replyTo(() => engine.run(words, budget));
      return form === "bytes" ? bytesOf(reply, wantsList(words), room) : replyOf(reply, room);
    },
    transact(commands, room) {
      monitors.tell(["MULTI"]);
      const replies = replyTo(() => engine.transact(commands.map(wordsOf)));
      monitors.tell(["EXEC"]);
      const reply = replyOf(replies, room);
      return reply instanceof Error ? reply : elementsOf(reply);
    },
    feed: (command) => new MemoryFeed(parts, wordsOf(command)),
    close() {
      for (const feed of feeds) feed.close();
    },
  };
}
