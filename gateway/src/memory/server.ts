import type { Duplex } from "node:stream";
import { createEngine, ErrorReply, type ExtraCommand, glob } from "leasehold-engine";
import { createChannels } from "./channels.ts";
import { createMonitors } from "./monitors.ts";
import { openSession } from "./session.ts";
import { createWire } from "./wire.ts";

/** A Redis in memory that uses RESP2, without a port. */
export interface MemoryServer {
  /**
   * Opens a connection, and returns the client's end of it.
   *
   * @param together the name of a command that only this client knows: so many commands after it are one request
   */
  connect(together: string): Duplex;
}

/** An entry of the table of commands; the session that a command arrives on runs it. */
const ofSession = (arity: number): ExtraCommand => [arity, "s", () => new ErrorReply("ERR not allowed here")];

const SESSION_COMMANDS = {
  multi: ofSession(1),
  exec: ofSession(1),
  subscribe: ofSession(-2),
  psubscribe: ofSession(-2),
  monitor: ofSession(1),
};

/** Makes an empty server. It has the commands of the engine, and those that the gateway needs in addition. */
export function createMemoryServer(): MemoryServer {
  const channels = createChannels(glob);
  const monitors = createMonitors();
  let sessions = 0;

  /** COMMAND, with the first three fields of each entry. */
  function tell([subcommand]: readonly string[]): ReturnType<ExtraCommand[2]> {
    if (subcommand !== undefined) return new ErrorReply(`ERR unknown subcommand '${subcommand}'. Try COMMAND HELP.`);
    return engine.commands.map(({ name, arity, flags }) => [name, arity, flags]);
  }

  const engine = createEngine({
    dialect: "redis",
    now: Date.now,
    random: Math.random,
    commands: {
      ...SESSION_COMMANDS,
      command: [-1, "", tell],
      publish: [3, "", ([channel = "", message = ""], budget) => channels.publish(channel, message, budget)],
    },
    onCommand: monitors.tell,
  });

  return {
    connect(together) {
      const [client, server] = createWire();
      openSession({ engine, channels, monitors, together }, server, `memory:${++sessions}`);
      return client;
    },
  };
}
