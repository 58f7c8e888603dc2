import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { type FoundBody, type HostRequest, NO_BODY } from "../shared/host-request.ts";
import { type RequestUrl, targetUrl } from "../shared/request-url.ts";

/** The part of Node's request that is used. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Whether the headers announce a body. */
const hasBody = ({ headers }: NodeMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Finds the original body: the bytes that earlier code kept, the unread stream, or none. `remedy` says what to do about
 * a body that a parser has read.
 */
export function findBody(message: Readable & NodeMessage, parsed: readonly unknown[], remedy: string): FoundBody {
  for (const bytes of parsed) if (bytes instanceof Uint8Array) return { kind: "given", bytes };
  // An end without data is an empty body.
  if (message.readableDidRead ? !hasBody(message) : message.readableEnded) return NO_BODY;
  if (!message.readableDidRead) return { kind: "own", body: Readable.toWeb(message) as unknown as Body };
  return { kind: "lost", why: `the body was parsed already, and its bytes are lost: ${remedy}` };
}

/** The lines of a request's head, as they were sent. Hosts that make the request of an event may have none. */
function* sentLines({ rawHeaders }: Pick<NodeMessage, "rawHeaders">): Generator<[name: string, value: string]> {
  for (let at = 0; at < rawHeaders.length; at += 2) yield [rawHeaders[at] as string, rawHeaders[at + 1] as string];
}

/** The method and the headers of a request. */
export const headOf = (message: NodeMessage): Pick<HostRequest, "method" | "presented" | "sent"> => ({
  method: message.method ?? "GET",
  presented: message.headers,
  sent: sentLines(message),
});

/**
 * Finds the URL of a request: the path and query of its request line, and its single host. HTTP/2 has its own header
 * for the host. HTTP/1.0 may have none. `forwarded` is the host that a trusted proxy names.
 */
export function urlOf(message: NodeMessage, protocol: string, forwarded: string | undefined): RequestUrl {
  const { url = "/", headers } = message;
  const lines = [...sentLines(message)];
  const named = (name: string): string[] =>
    lines.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  const hosts = named("host");
  const [authority = hosts[0]] = named(":authority");
  if (hosts.length > 1 || (hosts.length === 1 && hosts[0] !== authority))
    return { refused: "The request names more than one host" };
  const host = authority ?? headers.host ?? "localhost";
  return targetUrl(protocol, host, url, forwarded);
}
