import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { type RequestUrl, targetUrl } from "../shared/request-url.ts";

/** The part of Node's request that is used. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Reads a Node stream as the body of a request. */
export const streamed = (stream: Readable): Body => Readable.toWeb(stream) as unknown as Body;

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: NodeMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Finds the URL of a request: the path and query of its request line, and its single host. HTTP/2 has its own header
 * for the host. HTTP/1.0 may have none.
 */
export function urlOf({ url = "/", headers, rawHeaders }: NodeMessage, protocol: string): RequestUrl {
  const named = (name: string): (string | undefined)[] =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  const hosts = named("host");
  const [authority = hosts[0]] = named(":authority");
  if (hosts.length > 1 || (hosts.length === 1 && hosts[0] !== authority))
    return { refused: "The request names more than one host" };
  const host = authority ?? headers.host ?? "localhost";
  return targetUrl(protocol, host, url);
}

/** Makes a web-standard request. `body` is the original body, before any parser. */
export function toRequest(message: NodeMessage, url: URL, body: Body | Uint8Array | undefined): Request {
  const { method = "GET", rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    // HTTP/2 sends the parts of the request line as headers.
    if (!name.startsWith(":")) headers.append(name, value);
  }
  const init: RequestInit & { duplex: "half" } = { method, headers, duplex: "half" };
  if (body !== undefined && !/^(GET|HEAD)$/.test(method)) init.body = body as Body;
  return new Request(url, init);
}
