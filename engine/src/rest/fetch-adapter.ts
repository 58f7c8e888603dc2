import type { Answer, Incoming } from "./message.ts";
import { nextSyncToken } from "./sync-token.ts";

type Init = RequestInit | undefined;

/** Path and query of a URL, unchanged. */
function targetOf(url: string): string {
  const [whole = ""] = url.split("#", 1);
  const host = whole.indexOf("//");
  const slash = whole.indexOf("/", host === -1 ? 0 : host + 2);
  return slash === -1 ? "/" : whole.slice(slash);
}

function headersOf(init: RequestInit["headers"]): Incoming["header"] {
  if (init === undefined) return () => undefined;
  if (init instanceof Headers || Array.isArray(init)) {
    const headers = init instanceof Headers ? init : new Headers(init as [string, string][]);
    return (name) => headers.get(name);
  }
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(init as Record<string, string>)) names.set(name.toLowerCase(), value);
  return (name) => names.get(name);
}

/** Reads the arguments of a call of `fetch`. Common forms need no `Request`, which is slow to make. */
export async function incomingOf(input: string | URL | Request, init: Init): Promise<Incoming> {
  const { body } = init ?? {};
  if (!(input instanceof Request) && (body == null || typeof body === "string")) {
    return {
      method: (init?.method ?? "GET").toUpperCase(),
      target: targetOf(String(input)),
      header: headersOf(init?.headers),
      body: body ?? "",
    };
  }
  const request = new Request(input, init);
  return {
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** An answer in the form that `fetch` returns. */
export function responseOf({ status, body, headers }: Answer, method: string): Response {
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: { "content-type": "application/json", "upstash-sync-token": nextSyncToken(), ...headers },
  });
}
