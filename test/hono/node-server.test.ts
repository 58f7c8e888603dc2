import { type AddressInfo, createServer } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dedupe, github } from "../../src/hono/index.ts";
import { connect } from "../../src/index.ts";
import { freshName, type Stack, startStack } from "../support/stack.ts";
import { answerOf, honos } from "./apps.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Its requests are no real ones until they have to be.
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
    const port = await freePort();
    const server = await new Promise<ServerType>((resolve) => {
      const started: ServerType = serve(
        { fetch: app.fetch, port, hostname: "127.0.0.1", overrideGlobalObjects: override },
        () => resolve(started),
      );
    });
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
});
