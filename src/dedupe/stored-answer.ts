import { type Bytes, bytesOf } from "../shared/bytes.ts";
import { captureBody, type Lack } from "./capture-body.ts";
import type { MakeResponse } from "./exchange.ts";
import type { ReplaySettings } from "./replay-options.ts";
import { STATUS_HEADER } from "./response.ts";

/** The stored form of an answer, in JSON. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** A body that is not text, in base64. */
  readonly bytes?: string;
  /** Why the body was not stored. */
  readonly lacks?: Lack;
}

/** Statuses that allow no body: a Response with one is a TypeError. */
const BODILESS = new Set([204, 205, 304]);

function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces, since all arguments of one call are on the stack.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function storeBody(bytes: Uint8Array): Pick<StoredAnswer, "text" | "bytes"> {
  if (bytes.length === 0) return {};
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: toBase64(bytes) };
  }
}

/** The handler's response for the client, and its stored form. */
export interface Storable {
  readonly response: Response;
  readonly answer: StoredAnswer;
}

/** Extracts the stored form of the handler's response. @throws the error of the body's stream. */
export async function toStored(original: Response, replay: ReplaySettings | undefined): Promise<Storable> {
  const { status, headers } = original;
  const replayed: Record<string, string> = {};
  const keep = (name: string): void => {
    const value = headers.get(name);
    if (value !== null) replayed[name] = value;
  };
  // A redirect is useless without its target.
  if (status >= 300 && status < 400) keep("location");
  if (!replay)
    return { response: original, answer: { status, ...(replayed["location"] !== undefined && { headers: replayed }) } };
  for (const name of replay.headers) keep(name);
  const { response, body } = await captureBody(original, replay.maxBytes);
  if (typeof body !== "string") return { response, answer: { status, headers: replayed, ...storeBody(body) } };
  // It would describe a missing body.
  delete replayed["content-type"];
  return { response, answer: { status, headers: replayed, lacks: body } };
}

/** Removes the body, which made the answer too large. */
export const shorten = ({ status, headers = {} }: StoredAnswer): StoredAnswer => {
  const { location } = headers;
  const short = location !== undefined && location.length < 8192;
  return { status, ...(short && { headers: { location } }), lacks: "too large" };
};

/** Returns the stored body. As bytes, since some platforms add a content type to text. */
function bodyOf({ text, bytes }: StoredAnswer): Bytes | null {
  if (text !== undefined) return bytesOf(text);
  if (bytes !== undefined) return Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
  return null;
}

/** Makes the response to a duplicate. For a result in another format, the status is 200. */
export function replay(newResponse: MakeResponse, result: unknown): Response {
  const answer = (typeof result === "object" && result ? result : {}) as StoredAnswer;
  const { status, headers, lacks } = answer;
  // A status that a Response cannot have, such as a switch of protocols, becomes 204.
  const known = Number.isInteger(status) ? status : 200;
  const code = known >= 200 && known <= 599 ? known : 204;
  return newResponse(BODILESS.has(code) ? null : bodyOf(answer), {
    status: code,
    headers: {
      ...headers,
      [STATUS_HEADER]: "duplicate",
      "Idempotent-Replayed": "true",
      ...(lacks && { "Leasehold-Replay": `none (${lacks})` }),
    },
  });
}
