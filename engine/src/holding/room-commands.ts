import type { WaitingRoom } from "./waiting-room.ts";

/**
 * The commands by which tools ask a server who waits. The server answers them itself, since Redis does not know them.
 */
export const ROOM_COMMANDS = ["LEASEHOLD.WAITERS", "LEASEHOLD.AWAITED"] as const;
const [WAITERS, AWAITED] = ROOM_COMMANDS;

/** An answer in a form that every server can encode. An `Error` has the text of a Redis error. */
export type RoomAnswer = string | number | null | Error | readonly RoomAnswer[];

/** Whether a command is one of {@link ROOM_COMMANDS}. */
export const isForRoom = ([name = ""]: readonly string[]): boolean =>
  (ROOM_COMMANDS as readonly string[]).includes(name.toUpperCase());

/**
 * Answers a command of {@link ROOM_COMMANDS}:
 *
 * - `LEASEHOLD.WAITERS key`: how many requests wait for the key, and an array of the first 100, each with the name of
 *   its script, how many ms its caller has waited (null if unknown), and its label and process as `label@holder`.
 * - `LEASEHOLD.AWAITED`: arrays of a key and how many wait for it, the most first, at most 1 000.
 */
export function answerFromRoom(room: Pick<WaitingRoom, "waiters" | "awaited">, words: readonly string[]): RoomAnswer {
  const [name = "", ...operands] = words;
  const isWaiters = name.toUpperCase() === WAITERS;
  const [key = ""] = operands;
  if (operands.length !== (isWaiters ? 1 : 0))
    return new Error(`ERR wrong number of arguments for '${(isWaiters ? WAITERS : AWAITED).toLowerCase()}' command`);
  if (!isWaiters) return room.awaited().map(({ key: each, count }) => [each, count]);
  const { count, first } = room.waiters(key);
  return [count, first.map(({ script, waitedMs, note }) => [script, waitedMs ?? null, note])];
}
