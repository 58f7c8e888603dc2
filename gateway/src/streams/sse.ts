import type { HttpRequest } from "../http/message.ts";
import type { Command } from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";
import { isError, itemsOf, lineOf } from "../redis/resp.ts";

export const isMonitor = (command: Command): boolean => factsOf(command).stream === "monitor";

/** A command that is answered by a stream of events, as Redis takes it: a slash at the end of `/monitor/` is no argument. */
export function streamed(command: Command): Command {
  return isMonitor(command) ? ["MONITOR", ...command.slice(1).filter((arg) => arg.length > 0)] : command;
}

/** Nobody listens to comments; they keep a proxy from taking the connection for dead. */
export const COMMENT = ": keep-alive\n\n";

const BREAKS = /\r\n|\r|\n/g;

/**
 * One server-sent event. A line break in the text begins a new line of data, as the format has it, and does so with CR: clients that
 * look for LF only see one line, and not a second one that a publisher could make look like a message of another channel.
 */
const event = (text: string): string => `data: ${text.replaceAll(BREAKS, "\rdata: ")}\n\n`;

const hasBreak = (text: string): boolean => /[\r\n]/.test(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A message in one line for Upstash's client, which would take the second line of an event for another event. It reads as JSON what is
 * JSON: there a line break is as good as a space; in any other text it is not, and so that becomes a string of JSON.
 */
function inOneLine(message: string): string {
  if (!hasBreak(message)) return message;
  return isJson(message) ? message.replaceAll(BREAKS, " ") : JSON.stringify(message);
}

/** How a client reads events: as the format says, or as Upstash's client does. */
export type Reader = "standard" | "upstash";

/** What only Upstash's client sends: an `EventSource` sends none, and others have no reason to. */
const UPSTASH_HEADERS = ["upstash-sync-token", "upstash-encoding", "upstash-telemetry-sdk"];

export const readerOf = (request: HttpRequest): Reader =>
  UPSTASH_HEADERS.some((name) => request.header(name) !== undefined) ? "upstash" : "standard";

/** The items of a message as one text: the last one is what was published. */
function joined(items: readonly Buffer[], reader: Reader): string {
  const texts = items.map((item) => item.toString("utf8"));
  if (reader === "standard") return texts.join(",");
  const names = texts.slice(0, -1).map((text) => text.replaceAll(BREAKS, " "));
  return [...names, inOneLine(texts.at(-1) ?? "")].join(",");
}

/**
 * The event for a reply that a subscription or a monitor received: `subscribe,chat,1`, `message,chat,hello`,
 * `pmessage,ch*,chat,hello`, or a line of MONITOR after a first `"OK"`. `undefined` for what is no event (an answer to PING).
 */
export function eventOf(reply: Buffer, reader: Reader): string | undefined {
  const items = itemsOf(reply);
  if (items === undefined) {
    const line = lineOf(reply);
    return isError(reply) ? undefined : event(line === "OK" ? '"OK"' : line);
  }
  const [kind] = items;
  return kind?.toString() === "pong" ? undefined : event(joined(items, reader));
}
