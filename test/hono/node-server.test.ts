import { type AddressInfo, createServer } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, describe, expect, it } from "vitest";
import { dedupe, github } from "../../src/hono/index.ts";
import { connect } from "../../src/index.ts";
import { rememberGlobals } from "../support/standard-globals.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { type App, answerOf, byHeader, honos } from "./apps.ts";

const stack = useStack();
afterAll(rememberGlobals());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Its requests are no real ones until they have to be.
async function listen(app: App, override = true): Promise<{ server: ServerType; port: number }> {
  const port = await freePort();
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve(
      { fetch: app.fetch, port, hostname: "127.0.0.1", overrideGlobalObjects: override },
      () => resolve(started),
    );
  });
  return { server, port };
}

describe.each(honos)("behind @hono/node-server, hono %s", (_version, makeApp) => {
  it.each([true, false])("the body is read once and stays readable, overrideGlobalObjects: %s", async (override) => {
    const connection = connect({ url: stack.url, token: stack.token });
    const app = makeApp();
    const seen: string[] = [];
    const verify = (body: string): boolean => seen.push(body) > 0;
    app.post("/json", dedupe({ locks: connection, key: github({ verify }), replay: true }), async (c) =>
      c.json(await c.req.json()),
    );
    app.post("/raw", dedupe({ locks: connection, key: github({ verify }), replay: true }), async (c) =>
      c.text(await c.req.raw.clone().text()),
    );
    const { server, port } = await listen(app, override);
    for (const path of ["json", "raw"]) {
      const headers = { "X-GitHub-Delivery": freshName() };
      for (const expected of ["200 processed", "200 duplicate"]) {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: "POST", body: '{"a":1}', headers });
        expect([answerOf(answer), await answer.text()]).toEqual([expected, '{"a":1}']);
      }
    }
    expect(seen).toEqual(Array(4).fill('{"a":1}'));
    await new Promise((resolve) => server.close(resolve));
  });

  it("a body that breaks becomes an error's answer, with nothing of the handler's", async () => {
    const app = makeApp();
    app.onError((_, c) => c.text("sorry", 500));
    const locks = connect({ url: stack.url, token: stack.token });
    app.post("/hook", dedupe({ locks, key: byHeader, replay: true }), () => {
      let at = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (at++ === 0) controller.enqueue(new Uint8Array(10));
          else controller.error(new Error("broken"));
        },
      });
      return new Response(body, { headers: { "Content-Length": "1000", "Set-Cookie": "session=secret", ETag: '"1"' } });
    });
    const { server, port } = await listen(app);
    const answer = await fetch(`http://127.0.0.1:${port}/hook`, {
      method: "POST",
      headers: { "X-Id": freshName() },
      signal: AbortSignal.timeout(5000),
    });
    expect([answer.status, await answer.text()]).toEqual([500, "sorry"]);
    expect(["Set-Cookie", "ETag"].filter((name) => answer.headers.has(name))).toEqual([]);
    expect(answer.headers.get("Content-Length") ?? "5").toBe("5");
    await new Promise((resolve) => server.close(resolve));
  });
});
