/**
 * The border between a host and the SDK. An adapter finds the parts of a request in its host's form; here they become a
 * web-standard request that has the whole body and every header, or an error that says what is missing.
 */

import { bytesOf } from "./bytes.ts";

type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** What an adapter found of a body. */
export type FoundBody =
  /** Read here to its end, or still unread. */
  | { readonly kind: "own"; readonly body: Body | Uint8Array }
  /** What the host or its middleware says are the bytes; empty for a request without a body. */
  | { readonly kind: "given"; readonly bytes: Uint8Array }
  /** A parser read it and kept no bytes. `why` says what was found and what to do. */
  | { readonly kind: "lost"; readonly why: string };

/** A request without a body. */
export const NO_BODY: FoundBody = { kind: "given", bytes: new Uint8Array() };

/** The values of headers, by name, as a host presents them. */
type HeaderValues = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

export interface HostRequest {
  readonly method: string;
  readonly url: URL;
  /**
   * The headers as the host presents them, including the changes of its middleware. Undefined if it presents `sent`
   * alone.
   */
  readonly presented: HeaderValues | undefined;
  /** Every line that was sent, as far as the host keeps them. A host may present only one of several lines. */
  readonly sent: Iterable<readonly [name: string, value: string]>;
  readonly body: FoundBody;
}

const toText = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/**
 * The bytes of a header value, one character for each, as Fetch has them. AWS decodes headers as UTF-8, so that they may
 * contain characters that no byte stands for.
 */
export const byteString = (text: string): string => toText(bytesOf(text));

/** The reverse of {@link byteString}; a value that is not UTF-8 stays as it is. */
export function textOfBytes(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(value, (char) => char.charCodeAt(0)),
    );
  } catch {
    return value;
  }
}

const isByteString = (text: string): boolean => !/[^\0-\xff]/.test(text);

/** Groups header lines by their names in lower case. */
function byName(lines: HostRequest["sent"]): Map<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    grouped.set(key, [...(grouped.get(key) ?? []), value]);
  }
  return grouped;
}

/** @throws TypeError for a header that no request can have. */
function toHeaders({ presented, sent }: HostRequest): Headers {
  const lines = byName(sent);
  const headers = new Headers();
  for (const [name, first] of presented ? Object.entries(presented) : lines) {
    // HTTP/2 sends the parts of the request line as headers.
    if (name.startsWith(":") || first === undefined || first === null) continue;
    const repeated = lines.get(name.toLowerCase()) ?? [];
    const values = repeated.length > 1 ? repeated : [first].flat();
    for (const value of values) {
      const text = `${value}`;
      try {
        headers.append(name, isByteString(text) ? text : byteString(text));
      } catch (error) {
        throw new TypeError(`the header ${JSON.stringify(name)} cannot be passed on`, { cause: error });
      }
    }
  }
  return headers;
}

/** Checks bytes against the length that was sent. The length of an encoded body differs once a host has decoded it. */
function checkLength({ length }: Uint8Array, headers: Headers): void {
  const sent = headers.get("content-length") ?? "";
  if (!/^\d+$/.test(sent) || headers.has("content-encoding") || Number(sent) === length) return;
  throw new TypeError(
    `the body has ${length} bytes, and Content-Length is ${sent}: something changed it, so its bytes are lost; pass the body on as it was sent`,
  );
}

/** Whether requests of a method have no body: Fetch has none for them. */
export const isBodiless = (method = "GET"): boolean => /^(?:GET|HEAD)$/i.test(method);

/**
 * Makes the request of a host. GET and HEAD have no body.
 *
 * @throws TypeError if the body is not whole, or a header cannot be passed on.
 */
export function toRequest(host: HostRequest): Request {
  const { method, url, body: found } = host;
  const headers = toHeaders(host);
  const init: RequestInit & { duplex: "half" } = { method, headers, duplex: "half" };
  if (isBodiless(method)) return new Request(url, init);
  if (found.kind === "lost") throw new TypeError(found.why);
  if (found.kind === "given") checkLength(found.bytes, headers);
  const body = found.kind === "given" ? found.bytes : found.body;
  if (!(body instanceof Uint8Array && body.length === 0)) init.body = body as Body;
  return new Request(url, init);
}
