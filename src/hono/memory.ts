import type { Context } from "hono";
import type { Bytes } from "../shared/crypto.ts";
import { respond, STATUS_HEADER } from "./answer.ts";
import { captureBody, type Lack } from "./capture.ts";
import type { ReplaySettings } from "./replay.ts";

/** An answer as it is stored. */
export interface Remembered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** A body that is no text, in base64. */
  readonly bytes?: string;
  /** Why there is no body although there was one. */
  readonly lacks?: Lack;
}

/** With these a body is a TypeError. */
const BODILESS = new Set([204, 205, 304]);

function toBase64(bytes: Uint8Array): string {
  let text = "";
  // Not one call for all: arguments go onto the stack.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function storeBody(bytes: Uint8Array): Pick<Remembered, "text" | "bytes"> {
  if (bytes.length === 0) return {};
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: toBase64(bytes) };
  }
}

/** What is stored of the handler's response. Throws what its body breaks with. */
export async function remember(c: Context, replay: ReplaySettings | undefined): Promise<Remembered> {
  const { status, headers } = c.res;
  const kept: Record<string, string> = {};
  const keep = (name: string): void => {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  };
  // A redirect that does not say where to is none.
  if (status >= 300 && status < 400) keep("location");
  if (!replay) return { status, ...(kept["location"] !== undefined && { headers: kept }) };
  for (const name of replay.headers) keep(name);
  const body = await captureBody(c, replay.maxBytes);
  if (typeof body !== "string") return { status, headers: kept, ...storeBody(body) };
  // Of a body that is not there.
  delete kept["content-type"];
  return { status, headers: kept, lacks: body };
}

/** The same without what made it too large. */
export const shorten = ({ status, headers = {} }: Remembered): Remembered => {
  const { location } = headers;
  const short = location !== undefined && location.length < 8192;
  return { status, ...(short && { headers: { location } }), lacks: "too large" };
};

/** The answer to a duplicate. A result that is none of ours counts as done: 200. */
export function recall(c: Context, result: unknown): Response {
  const { status, headers, text, bytes, lacks } = (typeof result === "object" && result ? result : {}) as Remembered;
  // What a Response cannot be made of, such as a switch of protocols, becomes one without content.
  const known = Number.isInteger(status) ? status : 200;
  const code = known >= 200 && known <= 599 ? known : 204;
  // As bytes, since to text some platforms would add a type that it did not have.
  const body =
    text !== undefined
      ? (new TextEncoder().encode(text) as Bytes)
      : bytes !== undefined
        ? Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
        : null;
  return respond(c, code, BODILESS.has(code) ? null : body, {
    ...headers,
    [STATUS_HEADER]: "duplicate",
    "Idempotent-Replayed": "true",
    ...(lacks && { "Leasehold-Replay": `none (${lacks})` }),
  });
}
