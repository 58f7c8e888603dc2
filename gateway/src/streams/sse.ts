import type { HttpRequest } from "../http/message.ts";
import { type Command, elementsOf, isArray, type Reply, textOf } from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";

export const isMonitor = (command: Command): boolean => factsOf(command).stream === "monitor";

/** The command of a stream for Redis: a slash at the end of `/monitor/` is not an argument. */
export function streamed(command: Command): Command {
  return isMonitor(command) ? ["MONITOR", ...command.slice(1).filter((arg) => arg.length > 0)] : command;
}

/** A comment. Clients ignore it; it prevents a proxy from closing the connection as dead. */
export const COMMENT = ": keep-alive\n\n";

const BREAKS = /\r\n|\r|\n/g;

/**
 * One server-sent event. A line break in the text begins a new line of data, as the format requires. The break is a CR:
 * clients that look only for LF see one line, not a second one that a publisher could forge as a message of another
 * channel.
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
 * A message in one line, since Upstash's client would take the second line of an event for another event. The client
 * parses messages that are JSON, where a space is as good as a line break; any other text becomes a string of JSON.
 */
function inOneLine(message: string): string {
  if (!hasBreak(message)) return message;
  return isJson(message) ? message.replaceAll(BREAKS, " ") : JSON.stringify(message);
}

/** How a client reads events: by the standard, or like Upstash's client. */
export type Reader = "standard" | "upstash";

/** Headers that only Upstash's client sends: an `EventSource` cannot, and others need not. */
const UPSTASH_HEADERS = ["upstash-sync-token", "upstash-encoding", "upstash-telemetry-sdk"];

export const readerOf = (request: HttpRequest): Reader =>
  UPSTASH_HEADERS.some((name) => request.header(name) !== undefined) ? "upstash" : "standard";

/** The items of a message as one text; the last item is the published message. */
function joined(items: readonly Reply[], reader: Reader): string {
  const texts = items.map(String);
  if (reader === "standard") return texts.join(",");
  const names = texts.slice(0, -1).map((text) => text.replaceAll(BREAKS, " "));
  return [...names, inOneLine(texts.at(-1) ?? "")].join(",");
}

/**
 * The event for a reply to a subscription or a monitor: `subscribe,chat,1`, `message,chat,hello`,
 * `pmessage,ch*,chat,hello`, or a line of MONITOR after a first `"OK"`. `undefined` for the reply to a PING.
 */
export function eventOf(reply: Reply, reader: Reader): string | undefined {
  if (!isArray(reply)) {
    const line = String(reply);
    return event(line === "OK" ? '"OK"' : line);
  }
  const items = elementsOf(reply);
  return textOf(items[0]) === "pong" ? undefined : event(joined(items, reader));
}
