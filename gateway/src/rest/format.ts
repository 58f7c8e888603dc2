import type { HttpRequest } from "../http/message.ts";
import { BadRequest } from "../shared/errors.ts";

/** The format of replies: JSON with strings as text or as base64, or the bytes that Redis sent. */
export type Format = "text" | "base64" | "resp2";

/**
 * The format that a request asks for by `Upstash-Response-Format` (json or resp2) and `Upstash-Encoding` (base64;
 * anything else is text).
 *
 * @throws {BadRequest} for another format, and for resp2 in base64
 */
export function formatOf(request: HttpRequest): Format {
  const isBase64 = request.header("upstash-encoding")?.toLowerCase() === "base64";
  const format = request.header("upstash-response-format")?.toLowerCase() ?? "json";
  if (format === "json") return isBase64 ? "base64" : "text";
  if (format !== "resp2") throw new BadRequest("the response format must be json or resp2");
  if (isBase64) throw new BadRequest("a response in resp2 cannot be in base64");
  return format;
}

/**
 * The format of a transaction, which is answered in JSON only; otherwise as {@link formatOf}.
 *
 * @throws {BadRequest}
 */
export function formatOfTransaction(request: HttpRequest): Format {
  const format = formatOf(request);
  if (format === "resp2") throw new BadRequest("a transaction is not answered in resp2");
  return format;
}
