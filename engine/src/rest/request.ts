import { BadRequest, MethodNotAllowed, UnsupportedEncoding } from "./rest-error.ts";

/** A header by its name in lower case. */
export type Header = (name: string) => string | null | undefined;

const METHODS: ReadonlySet<string> = new Set(["HEAD", "GET", "POST", "PUT"]);

/** Whether requests with a method have no body. If one is sent, it is ignored. */
export const isBodiless = (method: string): boolean => method === "GET" || method === "HEAD";

/**
 * Rejects an unsupported method, and an encoded body, whose bytes are not the JSON or value that its sender means.
 *
 * @throws {MethodNotAllowed}
 * @throws {UnsupportedEncoding}
 */
export function checkRequest(request: { readonly method: string; readonly header: Header }): void {
  if (!METHODS.has(request.method)) throw new MethodNotAllowed();
  const encoding = request.header("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && !isBodiless(request.method)) throw new UnsupportedEncoding();
}

/** The format of replies: JSON with strings as text or as base64, or the bytes that Redis sent. */
export type Format = "text" | "base64" | "resp2";

/**
 * The format that a request selects by `Upstash-Response-Format` (json or resp2) and `Upstash-Encoding` (base64;
 * anything else is text).
 *
 * @throws {BadRequest} for another format, and for resp2 in base64
 */
export function formatOf(request: { readonly header: Header }): Format {
  const isBase64 = request.header("upstash-encoding")?.toLowerCase() === "base64";
  const format = request.header("upstash-response-format")?.toLowerCase() ?? "json";
  if (format === "json") return isBase64 ? "base64" : "text";
  if (format !== "resp2") throw new BadRequest("the response format must be json or resp2");
  if (isBase64) throw new BadRequest("a response in resp2 cannot be in base64");
  return format;
}
