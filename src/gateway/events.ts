import type { Command } from "./backend.ts";
import { isError, itemsOf, lineOf } from "./frames.ts";

export const isMonitor = (command: Command): boolean => command[0].toString().toUpperCase() === "MONITOR";

/** A command that is answered by a stream of events, as Redis takes it: a slash at the end of `/monitor/` is no argument. */
export function streamed(command: Command): Command {
  return isMonitor(command) ? ["MONITOR", ...command.slice(1).filter((arg) => arg.length > 0)] : command;
}

/** Nobody listens to comments; they keep a proxy from taking the connection for dead. */
export const COMMENT = ": keep-alive\n\n";

/**
 * One server-sent event. A line break in the text begins a new line of data, as the format has it, and does so with CR: clients that
 * look for LF only see one line, and not a second one that a publisher could make look like a message of another channel.
 */
const event = (text: string): string => `data: ${text.replaceAll(/\r\n|\r|\n/g, "\rdata: ")}\n\n`;

/**
 * The event for a reply that a subscription or a monitor received: `subscribe,chat,1`, `message,chat,hello`,
 * `pmessage,ch*,chat,hello`, or a line of MONITOR after a first `"OK"`. `undefined` for what is no event (an answer to PING).
 */
export function eventOf(reply: Buffer): string | undefined {
  const items = itemsOf(reply);
  if (items === undefined) {
    const line = lineOf(reply);
    return isError(reply) ? undefined : event(line === "OK" ? '"OK"' : line);
  }
  const [kind] = items;
  return kind?.toString() === "pong" ? undefined : event(items.map((item) => item.toString("utf8")).join(","));
}
