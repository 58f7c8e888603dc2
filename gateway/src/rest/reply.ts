import type { Reply } from "../redis/backend.ts";
import type { Format } from "./format.ts";

export type Encoding = Exclude<Format, "resp2">;

const string = (bytes: Buffer, encoding: Encoding): string =>
  encoding === "base64" ? `"${bytes.toString("base64")}"` : JSON.stringify(bytes.toString("utf8"));

/** An integer that a JSON parser would round is written as a string, in the encoding that strings have. */
const integer = (digits: string, encoding: Encoding): string =>
  digits.length < 16 || Number.isSafeInteger(Number(digits)) ? digits : string(Buffer.from(digits), encoding);

export function value(reply: Reply, encoding: Encoding): string {
  if (reply === null) return "null";
  if (typeof reply === "string") return integer(reply, encoding);
  if (Buffer.isBuffer(reply)) return string(reply, encoding);
  // An error inside a reply (a script may return one in a table) has no other place in JSON than a string.
  if (reply instanceof Error) return string(Buffer.from(reply.message), encoding);
  return `[${reply.map((item) => value(item, encoding)).join(",")}]`;
}

const isOk = (reply: Reply): boolean =>
  Buffer.isBuffer(reply) && reply.length === 2 && reply[0] === 0x4f && reply[1] === 0x4b;

/** One reply as JSON text: `{"result": …}` or `{"error": …}`. A reply that is just `OK` is never base64, an `OK` in an array is. */
export function encodeReply(reply: Reply, encoding: Encoding): string {
  if (reply instanceof Error) return `{"error":${JSON.stringify(reply.message)}}`;
  return `{"result":${isOk(reply) ? '"OK"' : value(reply, encoding)}}`;
}

/** Several replies as the JSON text of an array. */
export function encodeReplies(replies: readonly Reply[], encoding: Encoding): string {
  return `[${replies.map((reply) => encodeReply(reply, encoding)).join(",")}]`;
}

/** Several replies as RESP2, one after the other: what is a buffer is that already (see `asRaw`). */
export function encodeRaw(replies: readonly Reply[]): Buffer<ArrayBuffer> {
  const parts = replies.map((reply) => {
    if (Buffer.isBuffer(reply)) return reply;
    // Errors of the gateway's own are told as those of Redis are: on one line.
    if (reply instanceof Error) return Buffer.from(`-${reply.message.replace(/[\r\n]/g, " ")}\r\n`);
    throw new TypeError("a reply that was not asked for as raw bytes");
  });
  return Buffer.concat(parts);
}
