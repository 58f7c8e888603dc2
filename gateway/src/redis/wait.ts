import type { Command } from "./backend.ts";

/** Whether a command is `WAIT`, which counts the replicas that have the writes of the connection that it arrives on. */
export const isWait = (command: Command): boolean =>
  command[0].length === 4 && command[0].toString().toUpperCase() === "WAIT";
