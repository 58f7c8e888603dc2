/** The part of a handler's response that is judged. A package may have its own class. */
type Judged = Pick<Response, "status"> & { readonly headers: Pick<Headers, "has"> };

/** Not `instanceof`: servers for Node replace the global Response, and a package may have its own class. */
export const isResponse = (value: unknown): value is Response =>
  typeof (value as Response | null | undefined)?.status === "number" &&
  typeof (value as Response).headers?.has === "function";

/** The status of a switch to another protocol, such as a WebSocket: the only final one below 200. */
const SWITCHING = 101;

/**
 * What a handler's response means for its work, for `dedupe` and `cronRoute`:
 *
 * - `done`: the work is done.
 * - `rejected`: a 4xx. The handler refused this request for good, and would refuse a retry as well.
 * - `failed`: the work is to be retried. This is a 5xx, 408, 425 or 429, a 4xx with `Retry-After`, or a response
 *   without a final status: `Response.error()` and an opaque response have status 0, and a 1xx other than 101 is
 *   interim.
 */
export function verdictOf({ status, headers }: Judged): "done" | "rejected" | "failed" {
  const isFinal = status === SWITCHING || status >= 200;
  if (!isFinal || status >= 500 || status === 408 || status === 425 || status === 429) return "failed";
  if (status < 400) return "done";
  return headers.has("Retry-After") ? "failed" : "rejected";
}

/**
 * Returns why a platform could not send a response, or undefined if it can. `Response.error()`, an opaque response, an
 * unusual status and a body that has been read cannot be sent.
 */
export function unsendable({ status, body, bodyUsed }: Response): string | undefined {
  if (status !== SWITCHING && !(status >= 200 && status <= 599))
    return `A response of status ${status} cannot be sent.`;
  if (bodyUsed || body?.locked) return "The body of the response has been read already.";
  return undefined;
}

/** The codings that `fetch` decodes by itself. Bun's also asks for zstd. */
const DECODED = /^(?:gzip|x-gzip|deflate|br)$/i;
const DECODED_IN_BUN = /^zstd$/i;

/**
 * Removes the `Content-Encoding` and `Content-Length` of a response of `fetch`, whose body `fetch` has decoded: Node, Bun
 * and Deno keep both headers, and a client would fail to decode it once more. A response that a handler made itself, for
 * example of a compressed file, is returned as it is.
 */
export function decoded(response: Response): Response {
  const { url, body, status, statusText } = response;
  const coding = response.headers.get("content-encoding") ?? "";
  const isDecoded = DECODED.test(coding) || ("Bun" in globalThis && DECODED_IN_BUN.test(coding));
  if (!url || !body || response.bodyUsed || !isDecoded) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}
