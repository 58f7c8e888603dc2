import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";

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

/** Makes the URL of a request. The sender chooses host and path, so neither may be what `URL` refuses. */
function urlOf({ url = "/", headers }: NodeMessage, protocol: string): URL {
  const host = headers.host ?? headers[":authority"];
  const base = URL.canParse(`${protocol}://${host}`) ? `${protocol}://${host}` : `${protocol}://localhost`;
  // Two slashes at its beginning would name a host.
  return url.startsWith("/") ? new URL(base + url) : new URL(url, base);
}

/** Makes a web-standard request. `body` is what came, before anything parsed it. */
export function toRequest(message: NodeMessage, protocol: string, body: Body | Uint8Array | undefined): Request {
  const { method = "GET", rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    // HTTP/2 has its own parts of a request line among the headers.
    if (!name.startsWith(":")) headers.append(name, value);
  }
  const init: RequestInit & { duplex: "half" } = { method, headers, duplex: "half" };
  if (body !== undefined && !/^(GET|HEAD)$/.test(method)) init.body = body as Body;
  return new Request(urlOf(message, protocol), init);
}
