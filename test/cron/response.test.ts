import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cronRoute, lastRun } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { rememberGlobals } from "../support/standard-globals.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Locks;
/** Its answer never ends, unless the other side ends it. */
let server: Server;
let url: string;
let open = 0;
const restoreGlobals = rememberGlobals();
beforeAll(async () => {
  // The adapter that many apps on Node use replaces the class of fetch's own responses by another one.
  getRequestListener(() => new Response());
  locks = createLocks({ url: stack.url, token: stack.token });
  server = createServer(({ url: path = "" }, response) => {
    open++;
    const writing = setInterval(() => response.write("x".repeat(1000)), 20);
    response.on("close", () => {
      clearInterval(writing);
      open--;
    });
    response.writeHead(Number(path.slice(1)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  restoreGlobals();
  server.closeAllConnections();
  server.close();
});

const route = (name: string, handler: () => unknown) => {
  const GET = cronRoute({ locks, name, slot: () => "today", secret: "secret" }, handler);
  return () => GET(new Request("https://app.example/", { headers: { authorization: "Bearer secret" } }));
};

it.each([200, 404, 500])("of another class counts by its status, and nothing of it stays open: %i", async (status) => {
  const name = freshName("foreign");
  const invoke = route(name, async () => {
    const answered = await fetch(`${url}/${status}`);
    expect(answered).not.toBeInstanceOf(Response);
    expect(open).toBe(1);
    return answered;
  });
  if (status < 400) expect(await (await invoke()).json()).toMatchObject({ status: "ran" });
  else await expect(invoke()).rejects.toThrow(`the handler answered ${status}`);
  expect(await lastRun(locks, name)).toMatchObject({ outcome: status < 400 ? "ran" : "failed" });
  await expect.poll(() => open).toBe(0);
});

it("of no class at all counts too", async () => {
  const name = freshName("plain");
  await expect(route(name, () => ({ status: 502, headers: new Headers() }))()).rejects.toThrow("answered 502");
  // Not everything with a status is a response.
  expect((await route(name, () => ({ status: 502 }))()).status).toBe(200);
});

it.each<[string, () => unknown]>([
  ["Response.error()", () => Response.error()],
  ["an opaque response", () => ({ status: 0, type: "opaque", headers: new Headers(), body: null })],
  ["an opaque redirect", () => ({ status: 0, type: "opaqueredirect", headers: new Headers(), body: null })],
  ["an interim response", () => ({ status: 103, headers: new Headers(), body: null })],
])("counts as an error where it is %s, and the slot runs again (E6)", async (_, handler) => {
  const name = freshName("error");
  await expect(route(name, handler)()).rejects.toThrow("the handler answered");
  expect(await lastRun(locks, name)).toMatchObject({ outcome: "failed" });
  expect(await (await route(name, () => {})()).json()).toMatchObject({ status: "ran", attempt: 2 });
});

const streaming = (source: UnderlyingDefaultSource): Response => new Response(new ReadableStream(source));
it.each<[string, () => unknown]>([
  [
    "was read",
    async () => {
      const response = new Response("all of it");
      await response.text();
      return response;
    },
  ],
  [
    "is being read",
    () => {
      const response = streaming({});
      response.body?.getReader();
      return response;
    },
  ],
  ["has failed", () => streaming({ start: (controller) => controller.error(new Error("torn")) })],
  ["cannot be given up", () => streaming({ cancel: () => Promise.reject(new Error("no")) })],
  ["takes for ever to be given up", () => streaming({ cancel: () => new Promise(() => {}) })],
])("does no harm when its body %s", async (_, handler) => {
  const answered = await route(freshName("body"), handler)();
  expect(await answered.json()).toMatchObject({ status: "ran" });
});
