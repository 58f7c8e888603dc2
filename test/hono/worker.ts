import { type Context, Hono } from "hono";
import { type DedupeVariables, dedupe, github, idempotencyKey } from "../../src/hono/index.ts";
import { connect, createLocks } from "../../src/index.ts";

/** The app that runs in workerd, with an `executionCtx` and with bindings that exist per request only. */
export interface Env {
  readonly URL: string;
  readonly TOKEN: string;
}

/** The part of the platform that the types of Node do not have. */
interface Socket extends WebSocket {
  accept(): void;
}
declare const WebSocketPair: new () => { readonly 0: Socket; readonly 1: Socket };

const app = new Hono<{ Bindings: Env; Variables: DedupeVariables }>();
const runs = new Map<string, number>();
const runOf = (id: string): number => {
  runs.set(id, (runs.get(id) ?? 0) + 1);
  return runs.get(id) ?? 0;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const idOf = (c: Context): string => c.req.header("X-GitHub-Delivery") ?? "";

app.use(
  "/hooks/*",
  dedupe<{ Bindings: Env }>({
    locks: (_, c) => createLocks({ url: c.env.URL, token: c.env.TOKEN }),
    key: github({ verify: (body, _, c) => c.env.TOKEN !== "" && body !== "forged" }),
    lease: 700,
    replay: true,
  }),
);
app.post("/hooks/slow", async (c) => {
  const run = runOf(idOf(c));
  await pause(Number(c.req.query("ms")));
  return c.json({ run, attempt: c.var.attempt, token: c.var.lease.token });
});
app.post("/hooks/empty", (c) => c.body(null, 204));
app.post("/hooks/fail", (c) => {
  if (runOf(idOf(c)) === 1) throw new Error("broken");
  return c.text("ok");
});
app.post("/hooks/stream", (c) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const write = async (): Promise<void> => {
    const writer = writable.getWriter();
    for (const part of ["one ", "two ", "three"]) {
      await pause(part === "one " ? 0 : 700);
      await writer.write(new TextEncoder().encode(part));
    }
    await writer.close();
  };
  c.executionCtx.waitUntil(write());
  return c.body(readable);
});
const upgrade = (): Response => {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.addEventListener("message", ({ data }) => server.send(`heard ${data}`));
  return new Response(null, { status: 101, webSocket: client } as ResponseInit);
};
app.get("/socket", upgrade);
app.get("/hooks/socket", upgrade);
// The answer of another server cannot be changed.
app.get("/hooks/passed-on", (c) => fetch(new URL("/socket", c.req.url), { headers: { Upgrade: "websocket" } }));
app.post("/hooks/body/:how", async (c) => {
  const { req } = c;
  const found = {
    text: () => req.text(),
    json: async () => JSON.stringify(await req.json()),
    arrayBuffer: async () => new TextDecoder().decode(await req.arrayBuffer()),
    blob: async () => (await req.blob()).text(),
    raw: () => req.raw.text(),
    clone: async () => `${await req.raw.clone().text()}${(await req.raw.text()).slice(0, 0)}`,
    formData: async () => `${(await req.formData()).get("a")}`,
    parseBody: async () => `${(await req.parseBody())["a"]}`,
  };
  return c.text(await found[req.param("how") as keyof typeof found]());
});
app.use(
  "/pay",
  dedupe({
    locks: (_, c) => connect({ url: c.env.URL, token: c.env.TOKEN }),
    key: idempotencyKey(),
    scope: "all",
  }),
);
app.post("/pay", (c) => c.redirect("/receipt", 303));
app.get("/runs/:id", (c) => c.text(`${runs.get(c.req.param("id")) ?? 0}`));

export default app;
