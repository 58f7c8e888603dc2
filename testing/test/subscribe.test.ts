import { expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { createMemoryRedis, createTestRedis } from "../src/index.ts";

/** Reads a stream until it has so many events. */
async function eventsOf(response: Response, count: number): Promise<string[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  while (text.split("\n\n").length <= count) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  return text.split("\n\n").slice(0, count);
}

it("a memory Redis sends what is published, until its reader goes", async () => {
  const { url, token, fetch, command } = createMemoryRedis();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/subscribe/a%2Fb/c`, { headers });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(command("PUBLISH", "a/b", "two\nlines é")).toBe(1);
  expect(command("PUBLISH", "other", "x")).toBe(0);
  expect(await eventsOf(response, 3)).toEqual([
    "data: subscribe,a/b,1",
    "data: subscribe,c,2",
    "data: message,a/b,two\ndata: lines é",
  ]);
  expect(command("PUBLISH", "a/b", "x")).toBe(0);
  expect((await fetch(`${url}/subscribe/c`, {})).status).toBe(401);
  expect((await fetch(`${url}/psubscribe/c`, { headers })).status).toBe(400);
});

it("a test Redis delivers to a frozen client when it continues, and faults break a subscription (49.3)", async () => {
  const redis = createTestRedis();
  const options = redis.options;
  const client = createLocks(options);
  const headers = { authorization: `Bearer ${options.token}` };
  const publish = async (text: string): Promise<void> => {
    await redis.options.fetch(`${options.url}/publish/a/${text}`, { headers });
  };
  const response = await options.fetch(`${options.url}/subscribe/a`, { headers });
  let received: string[] | undefined;
  const reading = eventsOf(response, 2).then((events) => {
    received = events;
  });
  redis.freeze(client, "10s");
  await publish("hello");
  await redis.advance("9s");
  expect(received).toBeUndefined();
  await redis.advance("1s");
  await reading;
  expect(received).toEqual(["data: subscribe,a,1", "data: message,a,hello"]);
  redis.fault({ kind: "away" });
  await expect(options.fetch(`${options.url}/subscribe/a`, { headers })).rejects.toThrow("fetch failed");
  expect(redis.requests.map(({ commands }) => commands[0]?.[0]?.toLowerCase())).toEqual([
    "subscribe",
    "publish",
    "subscribe",
  ]);
});
