/**
 * Starts every shape in Bun or Deno: those of the table, and the runtime's own server. Prints where each is, as JSON,
 * and runs until it is ended.
 */
import { application } from "../application.ts";
import { honoApp } from "../shapes/hono-app.ts";
import { SHAPES } from "../shapes/index.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

declare const Bun: {
  readonly argv: readonly string[];
  serve(options: object): { readonly port: number };
};
declare const Deno: {
  readonly args: readonly string[];
  serve(options: object, fetch: Fetch): { readonly addr: { readonly port: number } };
};

const isBun = "Bun" in globalThis;
const [url = "", token = ""] = isBun ? Bun.argv.slice(2) : Deno.args;
const made = application({ url, token });

const answer: Fetch = async (request) => {
  try {
    return await made(request);
  } catch (error) {
    return new Response(`${error}`, { status: 500 });
  }
};

function serve(fetch: Fetch): string {
  const port = isBun
    ? Bun.serve({ port: 0, hostname: "127.0.0.1", fetch }).port
    : Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, fetch).addr.port;
  return `http://127.0.0.1:${port}`;
}

const started: Record<string, string> = {
  "its own server": serve(answer),
  Hono: serve((request) => honoApp(made).fetch(request)),
};
const failed: Record<string, string> = {};
for (const shape of SHAPES)
  try {
    started[shape.name] = (await shape.start(made)).url;
  } catch (error) {
    failed[shape.name] = `${error}`;
  }
console.log(JSON.stringify({ started, failed }));
