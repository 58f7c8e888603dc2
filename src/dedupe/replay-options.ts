import { checkOptions, toCount } from "../shared/checks.ts";
import { misuse, shown } from "../shared/misuse.ts";

/** The parts of an answer that are stored besides its status. */
export interface ReplayOptions {
  /**
   * Names of headers to store, besides `Content-Type` with a body and `Location` with a redirect. Default: those that
   * describe the body (`Content-Language`, `Content-Disposition`, `Content-Location`, `ETag`, `Last-Modified`),
   * `Cache-Control`, `Link`, `Location` and `Vary`.
   */
  readonly headers?: readonly string[] | undefined;
  /**
   * The maximum size of a stored body, in bytes; at most 256 kB, the limit for the whole answer as JSON. Default 64 kB.
   */
  readonly maxBytes?: number | undefined;
}

/** The checked options. */
export interface ReplaySettings {
  readonly headers: readonly string[];
  readonly maxBytes: number;
}

const DEFAULT_HEADERS = [
  ...["content-language", "content-disposition", "content-location", "etag", "last-modified"],
  ...["cache-control", "link", "location", "vary"],
];
const DEFAULT_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

/** Headers of one connection, one client, or the transferred bytes: never part of another answer. */
const NEVER = new Set([
  ...["set-cookie", "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"],
  ...["trailer", "transfer-encoding", "upgrade", "content-length", "content-encoding"],
]);

/** Checks the option `replay`. @throws TypeError or RangeError for an invalid one. */
export function toReplay(replay: boolean | ReplayOptions | undefined): ReplaySettings | undefined {
  if (replay === undefined || replay === false) return undefined;
  if (replay !== true && (typeof replay !== "object" || replay === null))
    throw misuse(TypeError, `replay ${shown(replay)} must be true, false, or { headers, maxBytes }`);
  if (replay !== true) checkOptions(replay, "headers maxBytes", "replay");
  const { headers = DEFAULT_HEADERS, maxBytes = DEFAULT_BYTES } = replay === true ? {} : replay;
  if (!Array.isArray(headers) || !headers.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)))
    throw misuse(TypeError, `replay.headers must be a list of header names, not ${shown(headers)}`);
  const names = headers.map((name: string) => name.toLowerCase());
  const refused = names.find((name) => NEVER.has(name));
  if (refused) throw misuse(TypeError, `replay.headers must not include ${refused}`);
  return { headers: ["content-type", ...names], maxBytes: toCount(maxBytes, "replay.maxBytes", 0, MAX_BYTES) };
}
