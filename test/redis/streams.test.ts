/** The stream of messages of one wait, at a server that sends what a test wants, and ends when it wants. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../src/redis/clock.ts";
import { HeldPlaces } from "../../src/redis/long-poll.ts";
import { StreamedWakeUps } from "../../src/redis/streamed-wake-ups.ts";
import type { News, Subscription } from "../../src/redis/wake-ups.ts";
import { freshName, pause } from "../support/names.ts";

const WAIT_MS = 20_000;
/** The time for which nothing must happen. */
const QUIET_MS = 100;
const MAX_PLACES = 2;

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
const asked: Asked[] = [];
/** The status of the next answers. */
let status = 200;
const server = createServer((request, response) => {
  asked.push({ request, response });
  response.writeHead(status, { "content-type": status === 200 ? "text/event-stream" : "text/plain" });
  if (status === 200) response.flushHeaders();
  else response.end("no");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  status = 200;
});

/** A client, with as many places as a connection may have. */
function startClient() {
  const { port } = server.address() as AddressInfo;
  const token = freshName();
  const wakeUps = new StreamedWakeUps(`http://127.0.0.1:${port}`, token, fetch);
  const places = new HeldPlaces(MAX_PLACES);
  const requests = (): readonly Asked[] =>
    asked.filter(({ request }) => request.headers.authorization === `Bearer ${token}`);
  return {
    requests,
    /** The request number `n`, from 0, once it has arrived. */
    async arrived(n: number): Promise<Asked> {
      while (requests().length <= n) await pause(2);
      return requests()[n] as Asked;
    },
    /** Listens, and collects what it hears. */
    listen(channel: string, leftMs = WAIT_MS, signal?: AbortSignal) {
      const heard: News[] = [];
      const hear = (news: News): unknown => heard.push(news);
      const subscription = wakeUps.listen(channel, hear, { leftMs, signal, clock: systemClock, places });
      return { subscription, heard };
    },
  };
}

const told = async (heard: readonly News[], count: number): Promise<readonly News[]> => {
  while (heard.length < count) await pause(2);
  return heard;
};
const isReady = (subscription: Subscription | undefined): boolean | undefined => subscription?.isReady();

it("is ready once the server says so, and hears the text of each message", async () => {
  const { listen, arrived } = startClient();
  const { subscription, heard } = listen("a name, with {commas}");
  const { request, response } = await arrived(0);
  expect(decodeURIComponent(`${request.url}`)).toBe("/subscribe/a name, with {commas}");
  expect(isReady(subscription)).toBe(false);
  // A message before that promises nothing.
  response.write("data: message,a name, with {commas},early\n\n");
  expect(await told(heard, 1)).toEqual([{ type: "message", text: "early" }]);
  expect(isReady(subscription)).toBe(false);
  response.write("data: subscribe,a name, with {commas},1\n\ndata: mess");
  expect((await told(heard, 2))[1]).toEqual({ type: "ready" });
  expect(isReady(subscription)).toBe(true);
  response.write("age,a name, with {commas},tail\r\n\r\n: a comment\n\n");
  expect((await told(heard, 3))[2]).toEqual({ type: "message", text: "tail" });
  expect(isReady(subscription)).toBe(true);
  subscription?.stop();
});

it("that the server ends is a loss, after which another may begin", async () => {
  const { listen, arrived } = startClient();
  const { subscription, heard } = listen("a");
  const { response } = await arrived(0);
  response.write("data: subscribe,a,1\n\n");
  await told(heard, 1);
  response.end();
  expect(await told(heard, 2)).toEqual([{ type: "ready" }, { type: "lost" }]);
  expect(isReady(subscription)).toBe(false);
  await pause(QUIET_MS);
  expect(listen("a").subscription).toBeDefined();
  await arrived(1);
});

/** Answers a subscription, and waits until its client has heard that. */
async function begin({ response }: Asked, heard: readonly News[]): Promise<void> {
  response.write("data: subscribe,a,1\n\n");
  await told(heard, 1);
}

it("that breaks is a loss, and one that is stopped is none", async () => {
  const { listen, arrived } = startClient();
  const breaks = listen("a");
  const broken = await arrived(0);
  await begin(broken, breaks.heard);
  const stops = listen("b");
  const stopped = await arrived(1);
  await begin(stopped, stops.heard);
  broken.response.destroy();
  const closed = once(stopped.response, "close");
  stops.subscription?.stop();
  // The server sees that nobody listens any more.
  await closed;
  expect((await told(breaks.heard, 2))[1]).toEqual({ type: "lost" });
  await pause(QUIET_MS);
  expect(breaks.heard).toHaveLength(2);
  expect(stops.heard).toEqual([{ type: "ready" }]);
});

it("ends with the signal of its wait", async () => {
  const ends = new AbortController();
  const { listen, arrived } = startClient();
  const { subscription, heard } = listen("a", WAIT_MS, ends.signal);
  const asking = await arrived(0);
  await begin(asking, heard);
  const closed = once(asking.response, "close");
  ends.abort();
  await closed;
  await pause(QUIET_MS);
  expect(heard).toEqual([{ type: "ready" }]);
  expect(isReady(subscription)).toBe(false);
});

it("takes a place of the connection, one for each name, and gives it back once", async () => {
  const { listen } = startClient();
  const first = listen("a").subscription;
  expect(first).toBeDefined();
  expect(listen("a").subscription).toBeUndefined();
  expect(listen("b").subscription).toBeDefined();
  expect(listen("c").subscription).toBeUndefined();
  first?.stop();
  first?.stop();
  expect(listen("c").subscription).toBeDefined();
  expect(listen("d").subscription).toBeUndefined();
});

it("leaves the name to another when its time has passed, and takes nothing from that one at its end", async () => {
  const { listen } = startClient();
  const late = listen("a", 10).subscription;
  await pause(20);
  const next = listen("a").subscription;
  expect(next).toBeDefined();
  late?.stop();
  expect(listen("a").subscription).toBeUndefined();
  next?.stop();
  expect(listen("a").subscription).toBeDefined();
});

it("is not asked for again at a server that has none, and is where the server fails once", async () => {
  const { listen, requests } = startClient();
  status = 503;
  expect(await told(listen("a").heard, 1)).toEqual([{ type: "lost" }]);
  status = 404;
  await pause(QUIET_MS);
  const { heard } = listen("a");
  expect(await told(heard, 1)).toEqual([{ type: "refused", why: "no stream of messages: HTTP 404" }]);
  await pause(QUIET_MS);
  expect(listen("a").subscription).toBeUndefined();
  expect(requests()).toHaveLength(2);
});
