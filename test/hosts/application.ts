/** What every host mounts: one handler from request to response, whose answers say what reached it. */
import { dedupe, github, idempotencyKey, twilio } from "../../src/http/index.ts";
import { connect } from "../../src/index.ts";

export type Application = (request: Request) => Promise<Response>;

/** The secret of both senders. */
const SECRET = "a secret of the table of shapes";

/** What `/echo` reports. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly length: number;
  readonly sha256: string;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sign(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const encoded = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const name = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(SECRET), name, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, await new Blob(encoded as BlobPart[]).arrayBuffer()));
}

async function echo(request: Request): Promise<Response> {
  const { method, url } = request;
  const bytes = await request.arrayBuffer();
  const sha256 = hex(await crypto.subtle.digest("SHA-256", bytes));
  const said: Echo = { method, url, headers: [...request.headers], length: bytes.byteLength, sha256 };
  return Response.json(said, { headers: { "X-City-Out": request.headers.get("X-City") ?? "none" } });
}

/** Makes the handler. `url` and `token` are those of a server of locks. */
export function application(server: { readonly url: string; readonly token: string }): Application {
  const { url, token } = server;
  const locks = connect({ url, token });
  const done = async (request: Request): Promise<Response> =>
    new Response((await request.arrayBuffer()).byteLength.toString(), { status: 201 });
  const routes: Readonly<Record<string, Application>> = {
    echo,
    cookie: async () => new Response("one", { headers: { "Set-Cookie": "one=1" } }),
    cookies: async () => {
      const headers = new Headers({ "Set-Cookie": "one=1; Path=/" });
      headers.append("Set-Cookie", "two=2; Expires=Wed, 09 Jun 2032 10:18:14 GMT");
      return new Response("two", { headers });
    },
    signed: dedupe(
      {
        locks,
        key: github({
          verify: async (body, { headers }) => headers.get("X-Hub-Signature-256") === `sha256=${await sign(body)}`,
        }),
      },
      done,
    ),
    paid: dedupe({ locks, key: idempotencyKey(), scope: "the only client", replay: true }, done),
    called: dedupe(
      {
        locks,
        key: twilio({
          verify: async (body, { headers, url }) => headers.get("X-Twilio-Signature") === (await sign(url, body)),
        }),
      },
      done,
    ),
    // As a proxy does it.
    passed: (request) => fetch(request.headers.get("X-From") ?? ""),
    once: dedupe({ locks, key: idempotencyKey(), scope: "the only client", replay: true }, (request) =>
      fetch(request.headers.get("X-From") ?? ""),
    ),
  };
  return async (request) => {
    const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
    return (await routes[name]?.(request)) ?? new Response("no such route", { status: 404 });
  };
}
