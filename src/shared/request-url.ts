import { isWellFormed } from "./checks.ts";

/** The URL of a request, or why the request cannot have one. */
export type RequestUrl = { readonly url: URL } | { readonly refused: string };

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const PROTOCOL = /^https?$/i;
/** A path and a query that `URL` does not change, except that it may percent-encode a character. */
const PATH = /^\/[!-"$->@-[\]-~]*$/;
const QUERY = /^(?:\?[!-"$-~]*)?$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=\/|$)/i;

const BAD_HOST = { refused: "The Host header is not a host" };
const BAD_TARGET = { refused: "The request target is not a path with a query" };

/** Whether a `Host` header is a host, with or without a port, so that it contains no other part of a URL. */
export const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`);

/**
 * Composes the URL of a request from parts that its sender may have chosen. No part can change another: a host that
 * contains a path is rejected, and so is a path that `URL` would change.
 */
export function requestUrl(protocol: string, host: string, path: string, query: string): RequestUrl {
  const origin = `${protocol}://${host}`;
  if (!PROTOCOL.test(protocol)) return { refused: "The protocol is neither http nor https" };
  if (!isHost(host)) return BAD_HOST;
  if (!PATH.test(path) || DOT_SEGMENT.test(path) || !QUERY.test(query)) return BAD_TARGET;
  return { url: new URL(origin + path + query) };
}

/**
 * Makes the URL of a request line (RFC 9112, 3.2). Its target is a path, or a whole URL, whose host then applies. The
 * host that a trusted proxy names comes before both.
 */
export function targetUrl(protocol: string, host: string, target: string, forwarded?: string): RequestUrl {
  const [, authority, rest = ""] = /^https?:\/\/([^/?#\\]*)(.*)$/i.exec(target) ?? [];
  const pathAndQuery = authority === undefined ? target : rest || "/";
  const at = pathAndQuery.indexOf("?");
  const path = at < 0 ? pathAndQuery : pathAndQuery.slice(0, at);
  const query = at < 0 ? "" : pathAndQuery.slice(at);
  // The header is always checked, since other code may trust it.
  const made = requestUrl(protocol, host, path, query);
  const other = forwarded ?? authority;
  return other === undefined || "refused" in made ? made : requestUrl(protocol, other, path, query);
}

/** Percent-encodes characters that a path or query cannot contain: a gateway may have decoded them. */
export const encoded = (text: string, further: string): string =>
  isWellFormed(text)
    ? Array.from(text, (char) =>
        /[!-~]/.test(char) && !further.includes(char) ? char : encodeURIComponent(char),
      ).join("")
    : text;

/** The answer to a request without a URL: a problem document (RFC 9457). */
export const badRequest = (why: string): Response =>
  new Response(JSON.stringify({ type: "urn:leasehold:http:bad-request", title: why, status: 400 }), {
    status: 400,
    headers: { "Content-Type": "application/problem+json" },
  });
