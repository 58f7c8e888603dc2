import { fromArray, toBytes } from "./bytes.ts";
import type { Answer } from "./protocol.ts";
import type { Incoming } from "./request.ts";

type Init = RequestInit | undefined;

/** Path and query of a URL, unchanged. */
function targetOf(url: string): string {
  const host = url.indexOf("//");
  const slash = url.indexOf("/", host === -1 ? 0 : host + 2);
  return slash === -1 ? "/" : url.slice(slash);
}

function headersOf(given: RequestInit["headers"]): Incoming["header"] {
  if (given === undefined) return () => undefined;
  if (given instanceof Headers || Array.isArray(given)) {
    const headers = given instanceof Headers ? given : new Headers(given as [string, string][]);
    return (name) => headers.get(name);
  }
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(given as Record<string, string>)) names.set(name.toLowerCase(), value);
  return (name) => names.get(name);
}

/** Reads the arguments of a call of `fetch`. Common forms need no `Request`, which is slow to make. */
export async function incomingOf(input: string | URL | Request, init: Init): Promise<Incoming> {
  const { body } = init ?? {};
  if (!(input instanceof Request) && (body == null || typeof body === "string")) {
    const target = targetOf(String(input));
    return {
      method: (init?.method ?? "GET").toUpperCase(),
      target,
      header: headersOf(init?.headers),
      body: body == null ? "" : isJson(target) ? body : toBytes(body),
    };
  }
  const request = new Request(input, init);
  const bytes = new Uint8Array(await request.arrayBuffer());
  const target = targetOf(request.url);
  return {
    method: request.method,
    target,
    header: (name) => request.headers.get(name),
    body: isJson(target) ? new TextDecoder().decode(bytes) : fromArray(bytes),
  };
}

/** The body of the path form is a value of any bytes. */
const isJson = (target: string): boolean => /^\/(pipeline\/?|multi-exec\/?)?([?#]|$)/.test(target);

let token = 0;

/** An answer in the form that `fetch` returns. */
export function responseOf({ status, body, headers }: Answer, method: string): Response {
  return new Response(method === "HEAD" ? null : body, {
    status,
    // Some clients compare the token with the previous one.
    headers: { "content-type": "application/json", "upstash-sync-token": String(++token), ...headers },
  });
}
