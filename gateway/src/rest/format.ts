import type { HttpRequest } from "../http/message.ts";
import { BadRequest } from "../shared/errors.ts";

/** How replies are written: as JSON, its strings as text or as base64, or as the bytes that Redis sent. */
export type Format = "text" | "base64" | "resp2";

/**
 * What `Upstash-Response-Format` (json or resp2) and `Upstash-Encoding` (base64, anything else is text) ask for.
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
 * As {@link formatOf}, for a transaction, which is answered in JSON only.
 *
 * @throws {BadRequest}
 */
export function formatOfTransaction(request: HttpRequest): Format {
  const format = formatOf(request);
  if (format === "resp2") throw new BadRequest("a transaction is not answered in resp2");
  return format;
}
