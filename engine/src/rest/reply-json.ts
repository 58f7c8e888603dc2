import { ErrorReply, type Reply, Status } from "../redis/reply.ts";
import { toText } from "./bytes.ts";

/** The encoding of strings in replies. */
export type Encoding = "text" | "base64";

/** The JSON of an error reply. */
export const errorJson = (message: string): string => `{"error":${JSON.stringify(message)}}`;

/**
 * The JSON of a reply with a value, which is JSON already.
 *
 * @param isOk whether the whole reply is `OK`, which is never in base64; an `OK` in a list is
 */
export const resultJson = (value: string, isOk: boolean): string => `{"result":${isOk ? '"OK"' : value}}`;

/** The JSON of an integer; `string`, which has the encoding of strings, if a JSON parser would round it. */
export const integerJson = (digits: string, string: (digits: string) => string): string =>
  digits.length < 16 || Number.isSafeInteger(Number(digits)) ? digits : string(digits);

const string = (bytes: string, encoding: Encoding): string =>
  encoding === "base64" ? `"${btoa(bytes)}"` : JSON.stringify(toText(bytes));

function value(reply: Reply, encoding: Encoding): string {
  if (reply === null) return "null";
  if (typeof reply === "string") return string(reply, encoding);
  if (typeof reply === "number" || typeof reply === "bigint")
    return integerJson(String(reply), (digits) => string(digits, encoding));
  if (reply instanceof Status) return string(reply.text, encoding);
  // An error inside a reply can only be a string in JSON.
  if (reply instanceof ErrorReply) return string(reply.message, encoding);
  return `[${reply.map((item) => value(item, encoding)).join(",")}]`;
}

/** A number or null. */
const SMALL_REPLY = 24;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ASCII_BELOW = 0x80;

/** How many bytes a string of a reply takes at most: a byte beyond ASCII may become a character of three. */
function stringBytes(bytes: string, encoding: Encoding): number {
  if (encoding === "base64") return Math.ceil(bytes.length / 3) * 4;
  let size = bytes.length;
  for (let at = 0; at < bytes.length; at++) {
    const c = bytes.charCodeAt(at);
    if (c >= ASCII_BELOW) size += 2;
    else if (c < SPACE) size += 5;
    else if (c === QUOTE || c === BACKSLASH) size++;
  }
  return size;
}

/** How many bytes a reply takes at most as JSON. It stops beyond `max`. */
export function jsonBytes(reply: Reply, encoding: Encoding, max: number): number {
  if (typeof reply === "string") return stringBytes(reply, encoding);
  if (reply instanceof Status) return stringBytes(reply.text, encoding);
  if (reply instanceof ErrorReply) return stringBytes(reply.message, "text");
  if (!Array.isArray(reply)) return SMALL_REPLY;
  let size = 0;
  for (const item of reply) {
    size += jsonBytes(item, encoding, max - size) + 1;
    if (size > max) break;
  }
  return size;
}

/** A reply of an engine as JSON: `{"result": …}` or `{"error": …}`. */
export function replyJson(reply: Reply, encoding: Encoding): string {
  if (reply instanceof ErrorReply) return errorJson(toText(reply.message));
  return resultJson(value(reply, encoding), reply === "OK" || (reply instanceof Status && reply.text === "OK"));
}
