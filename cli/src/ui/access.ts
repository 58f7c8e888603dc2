import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The host names under which a browser on this machine, or through a tunnel, requests the page. */
const HOST = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/;

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares in constant time. */
export const isToken = (candidate: string, token: string): boolean => timingSafeEqual(hashOf(candidate), hashOf(token));

/**
 * Whether a request comes from this page, or from a user who opens it: not from another site (`Origin`,
 * `Sec-Fetch-Site`), and not under a host name that foreign DNS points here (`Host`).
 */
export function isOurs(method: string, headers: IncomingHttpHeaders): boolean {
  const { host = "" } = headers;
  const from = headers["origin"];
  const site = headers["sec-fetch-site"] ?? "none";
  if (!HOST.test(host) || (site !== "none" && site !== "same-origin")) return false;
  // A browser sends the origin with every request that may change something.
  return from === undefined ? method === "GET" : from === `http://${host}`;
}

/** No caching, framing, sniffing or loading from elsewhere, and the page has no inline script. */
export const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
