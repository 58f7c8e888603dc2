import { type Encoding, errorJson, type Format, integerJson, nextSyncToken, resultJson } from "leasehold-engine/rest";
import type { HttpResponse, WholeBody } from "../http/message.ts";
import { isArray, isScriptMiss, type Reply } from "../redis/backend.ts";
import { GatewayError } from "../shared/error-answers.ts";

const JSON_TYPE = "application/json";
const BINARY_TYPE = "application/octet-stream";

/** The maximum written in one step: the number of items and of KiB together. */
const AT_ONCE = 1_000;

const string = (bytes: Buffer, encoding: Encoding): string =>
  encoding === "base64" ? `"${bytes.toString("base64")}"` : JSON.stringify(bytes.toString("utf8"));

export function value(reply: Reply, encoding: Encoding): string {
  if (reply === null) return "null";
  if (typeof reply === "string") return integerJson(reply, (digits) => string(Buffer.from(digits), encoding));
  if (Buffer.isBuffer(reply)) return string(reply, encoding);
  // An error inside a reply (a script may return one in a table) can only be a string in JSON.
  if (reply instanceof Error) return string(Buffer.from(reply.message), encoding);
  return `[${Array.from(reply, (item) => value(item, encoding)).join(",")}]`;
}

const isOk = (reply: Reply): boolean =>
  Buffer.isBuffer(reply) && reply.length === 2 && reply[0] === 0x4f && reply[1] === 0x4b;

/**
 * One reply as JSON: `{"result": …}` or `{"error": …}`. A whole reply `OK` is never in base64; an `OK` in an array is.
 */
export function encodeReply(reply: Reply, encoding: Encoding): string {
  if (reply instanceof Error) return errorJson(reply.message);
  return resultJson(value(reply, encoding), isOk(reply));
}

/** Several replies as the JSON text of an array. */
export function encodeReplies(replies: readonly Reply[], encoding: Encoding): string {
  return `[${replies.map((reply) => encodeReply(reply, encoding)).join(",")}]`;
}

/** Several replies as RESP2, concatenated. Buffers are already RESP2, as requested. */
function encodeRaw(replies: readonly Reply[]): Buffer {
  const parts = replies.map((reply) => {
    if (Buffer.isBuffer(reply)) return reply;
    // The gateway's errors are on one line, like Redis's.
    if (reply instanceof Error) return Buffer.from(`-${reply.message.replace(/[\r\n]/g, " ")}\r\n`);
    throw new TypeError("a reply that was not requested as raw bytes");
  });
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}

/** The rest of `AT_ONCE` after a reply; negative as soon as the reply is known to be too large. */
function leftAfter(reply: Reply, left: number): number {
  if (reply instanceof Error) return left - 1 - (reply.message.length >> 10);
  if (!isArray(reply)) return left - 1 - (Buffer.isBuffer(reply) ? reply.length >> 10 : 0);
  let rest = left - 1;
  for (const item of reply) {
    if (rest < 0) break;
    rest = leftAfter(item, rest);
  }
  return rest;
}

/** Whether replies are so large that writing them would delay other requests. */
export const isLarge = (replies: readonly Reply[]): boolean => leftAfter(replies, AT_ONCE) < 0;

const ofRedis = (type: string): Readonly<Record<string, string>> => ({
  "content-type": type,
  "upstash-sync-token": nextSyncToken(),
});

/** A response with a finished JSON body. */
export function respond(status: number, json: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { ...headers, "content-type": JSON_TYPE }, body: json };
}

/** A response with Redis's replies as JSON. */
export const jsonOfRedis = (status: number, body: WholeBody): HttpResponse => ({
  status,
  headers: ofRedis(JSON_TYPE),
  body,
});

/** The status of the answer to one command. */
export const statusOf = (reply: Reply): 200 | 400 => (reply instanceof Error ? 400 : 200);

/** The answer to one command: 400 if it is an error. */
export function answerOne(reply: Reply, format: Format): HttpResponse {
  const status = statusOf(reply);
  const isRaw = format === "resp2";
  const headers = ofRedis(isRaw ? BINARY_TYPE : JSON_TYPE);
  const body = isRaw ? encodeRaw([reply]) : encodeReply(reply, format);
  return isScriptMiss(reply) ? { status, headers, body, isScriptMiss: true } : { status, headers, body };
}

/** The answer to several commands, each with its own result or error. */
export function answerAll(replies: readonly Reply[], format: Format): HttpResponse {
  if (format === "resp2") return { status: 200, headers: ofRedis(BINARY_TYPE), body: encodeRaw(replies) };
  return jsonOfRedis(200, encodeReplies(replies, format));
}

/** The response to an error. An unexpected one is a bare 500: its message could hold a command or a secret. */
export function fail(error: unknown): HttpResponse {
  if (!(error instanceof GatewayError)) return respond(500, errorJson("internal error"));
  return respond(error.status, errorJson(error.message), error.headers);
}
