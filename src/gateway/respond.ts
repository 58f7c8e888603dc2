import type { Reply } from "./backend.ts";
import { encodeRaw, encodeReplies, encodeReply } from "./encode.ts";
import { GatewayError } from "./errors.ts";
import type { Format } from "./format.ts";

const JSON_TYPE = "application/json";
const BINARY_TYPE = "application/octet-stream";

/**
 * `upstash-sync-token`, which a client sends back to read what it wrote. It need not tell anything, and is not looked at when it
 * comes back: all commands go to the primary, which has the writes.
 */
const SYNC_TOKEN = "primary";

function answer(status: number, type: string, body: string | Buffer<ArrayBuffer>): Response {
  return new Response(body, { status, headers: { "content-type": type, "upstash-sync-token": SYNC_TOKEN } });
}

/** A response with a body that is JSON text already. */
export function respond(status: number, json: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(json, { status, headers: { ...headers, "content-type": JSON_TYPE } });
}

/** The answer to one command: 400 when it is an error. */
export function answerOne(reply: Reply, format: Format): Response {
  const status = reply instanceof Error ? 400 : 200;
  if (format === "resp2") return answer(status, BINARY_TYPE, encodeRaw([reply]));
  return answer(status, JSON_TYPE, encodeReply(reply, format));
}

/** The answer to several commands, each of which may have failed for itself. */
export function answerAll(replies: readonly Reply[], format: Format): Response {
  if (format === "resp2") return answer(200, BINARY_TYPE, encodeRaw(replies));
  return answer(200, JSON_TYPE, encodeReplies(replies, format));
}

/** The response to anything thrown. What is not ours is a bare 500: its message could hold a command or a secret. */
export function fail(error: unknown): Response {
  if (!(error instanceof GatewayError)) return respond(500, '{"error":"internal error"}');
  return respond(error.status, `{"error":${JSON.stringify(error.message)}}`, error.headers);
}
