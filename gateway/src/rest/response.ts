import type { HttpResponse } from "../http/message.ts";
import { isScriptMiss, type Reply } from "../redis/backend.ts";
import type { Hold } from "../shared/budget.ts";
import { GatewayError } from "../shared/error-answers.ts";
import { encodeAllLarge, encodeLarge } from "./large-reply.ts";
import { encodeRaw, encodeReplies, encodeReply, isLarge } from "./reply.ts";
import type { Format } from "./request.ts";

const JSON_TYPE = "application/json";
const BINARY_TYPE = "application/octet-stream";

/**
 * The parts of the next `upstash-sync-token`. A client sends the token back to read its own writes, and some clients
 * compare it with the one before. The gateway ignores it, since all commands go to the primary, which has the writes.
 * So a number that rises with each answer will do. It begins with the time in ms, to rise across restarts too; three
 * digits follow, as text, since numbers of that length are slow to write.
 */
let syncMs = Date.now();
let syncStart = String(syncMs);
let syncCount = 100;

function nextSyncToken(): string {
  if (++syncCount > 999) {
    syncCount = 100;
    syncStart = String(++syncMs);
  }
  return syncStart + syncCount;
}

const ofRedis = (type: string): Readonly<Record<string, string>> => ({
  "content-type": type,
  "upstash-sync-token": nextSyncToken(),
});

/** A response whose body is ready as JSON. */
export function respond(status: number, json: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { ...headers, "content-type": JSON_TYPE }, body: json };
}

/** A response, or for a large one its promise, which rejects with {@link ReplyTooLarge} when there is no room. */
type Answer = HttpResponse | Promise<HttpResponse>;

const later = async (status: number, body: Promise<readonly Buffer[]>): Promise<HttpResponse> => ({
  status,
  headers: ofRedis(JSON_TYPE),
  body: await body,
});

/** The answer to one command: 400 when it is an error. */
export function answerOne(reply: Reply, format: Format, room: Hold): Answer {
  const status = reply instanceof Error ? 400 : 200;
  const isRaw = format === "resp2";
  if (!isRaw && isLarge([reply])) return later(status, encodeLarge(reply, format, room));
  const headers = ofRedis(isRaw ? BINARY_TYPE : JSON_TYPE);
  const body = isRaw ? encodeRaw([reply]) : encodeReply(reply, format);
  return isScriptMiss(reply) ? { status, headers, body, isScriptMiss: true } : { status, headers, body };
}

/** The answer to several commands, each with its own result or error. */
export function answerAll(replies: readonly Reply[], format: Format, room: Hold): Answer {
  if (format === "resp2") return { status: 200, headers: ofRedis(BINARY_TYPE), body: encodeRaw(replies) };
  if (isLarge(replies)) return later(200, encodeAllLarge(replies, format, room));
  return { status: 200, headers: ofRedis(JSON_TYPE), body: encodeReplies(replies, format) };
}

/** The response to an error. An unexpected one is a bare 500: its message could hold a command or a secret. */
export function fail(error: unknown): HttpResponse {
  if (!(error instanceof GatewayError)) return respond(500, '{"error":"internal error"}');
  return respond(error.status, `{"error":${JSON.stringify(error.message)}}`, error.headers);
}
