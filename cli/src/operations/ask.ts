import { type Connection, patienceOf } from "../../../src/redis/connect.ts";
import { errorOf } from "../../../src/redis/failure.ts";
import { attempt, type Command } from "../../../src/redis/port.ts";

/**
 * Sends one command that changes nothing, once.
 *
 * @throws LeaseholdError if it fails or is not answered; the signal's reason.
 */
export async function ask(connection: Connection, command: Command, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const { port, clock } = connection;
  const outcome = await attempt(port, command, patienceOf(connection), signal, clock);
  signal?.throwIfAborted();
  if (outcome.type === "answered") return outcome.result;
  throw errorOf({ name: `${command[0]}`, connection }, outcome);
}

/** The server's clock minus the local clock in ms, and the maximum error of that. */
export interface ClockOffset {
  readonly offsetMs: number;
  readonly uncertainMs: number;
}

/** Reads the server's clock. @throws like {@link ask}. */
export async function clockOffset(connection: Connection, signal?: AbortSignal): Promise<ClockOffset> {
  const sent = Date.now();
  const [seconds, micros] = [(await ask(connection, ["TIME"], signal)) ?? []].flat();
  const back = Date.now();
  const server = Number(seconds) * 1000 + Number(micros) / 1000;
  return { offsetMs: server - (sent + back) / 2, uncertainMs: (back - sent) / 2 };
}
