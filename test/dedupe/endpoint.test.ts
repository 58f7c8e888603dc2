import { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe as dedupeHono, stripe as stripeHono } from "../../src/hono/index.ts";
import { dedupe, dedupeKey, github, paddle, slack, sns, standardWebhooks, stripe, svix } from "../../src/http/index.ts";
import { type Connection, connect, createLocks } from "../../src/index.ts";
import { answerOf } from "../hono/apps.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

const verify = (): boolean => true;
const ok = (): Response => new Response("ok");
/** One captured delivery, at another URL each time. */
const deliveryOf = (id: string): ((url: string) => Request) => {
  const body = JSON.stringify({ id, event_id: id, MessageId: id });
  const headers = { "webhook-id": id, "svix-id": id, "X-GitHub-Delivery": id };
  return (url) => new Request(url, { method: "POST", body, headers });
};

describe("a captured delivery", () => {
  const signing = { stripe, standardWebhooks, svix, slack, paddle, sns };
  it.each(Object.entries(signing))(
    "of %s does not run again under another query, host or spelling of its path",
    async (_, sender) => {
      const hook = dedupe({ locks, key: sender({ verify }) }, ok);
      const to = deliveryOf(freshName());
      expect(answerOf(await hook(to("https://a.example/hook")))).toBe("200 processed");
      for (const url of [
        "https://a.example/hook?x",
        "https://b.example/hook",
        "http://a.example:81/%68ook",
        "https://a.example/hook/?y=1#z",
      ])
        expect(answerOf(await hook(to(url)))).toBe("200 duplicate");
      expect(answerOf(await hook(to("https://a.example/other")))).toBe("200 processed");
    },
  );

  it("runs under each path that leads to the handler, unless the scope names the endpoint", async () => {
    const urls = ["https://a.example/hook", "https://a.example/HOOK"];
    const run = async (scope: string | undefined): Promise<string[]> => {
      const hook = dedupe({ locks, key: stripe({ verify }), scope }, ok);
      const to = deliveryOf(freshName());
      return [answerOf(await hook(to(`${urls[0]}`))), answerOf(await hook(to(`${urls[1]}`)))];
    };
    expect(await run(undefined)).toEqual(["200 processed", "200 processed"]);
    expect(await run("stripe")).toEqual(["200 processed", "200 duplicate"]);
  });

  it("of a sender that does not sign its id is another one under another query", async () => {
    const hook = dedupe({ locks, key: github({ verify }) }, ok);
    const to = deliveryOf(freshName());
    for (const url of ["https://a.example/hook?tenant=a", "https://a.example/hook?tenant=b"])
      expect(answerOf(await hook(to(url)))).toBe("200 processed");
    expect(answerOf(await hook(to("https://a.example/hook/?tenant=b")))).toBe("200 duplicate");
  });
});

it("two hosts share ids by default, and a scope with the host or the query tells them apart", async () => {
  const urls = ["https://a.example/hook?t=1", "https://b.example/hook?t=1", "https://b.example/hook?t=2"];
  const run = async (scope?: (request: Request) => readonly string[]): Promise<string[]> => {
    const hook = dedupe({ locks, key: stripe({ verify }), scope }, ok);
    const to = deliveryOf(freshName());
    const said: string[] = [];
    for (const url of urls) said.push(answerOf(await hook(to(url))));
    return said;
  };
  const [processed, duplicate] = ["200 processed", "200 duplicate"];
  expect(await run()).toEqual([processed, duplicate, duplicate]);
  expect(await run(({ url }) => [new URL(url).host, new URL(url).pathname])).toEqual([processed, processed, duplicate]);
  expect(await run(({ url }) => [new URL(url).host, new URL(url).search])).toEqual([processed, processed, processed]);
});

it("the endpoint has the same name in Hono and as a plain handler, and in dedupeKey", async () => {
  const app = new Hono().post("/*", dedupeHono({ locks, key: stripeHono({ verify }) }), (c) => c.text("ok"));
  const hook = dedupe({ locks, key: stripe({ verify }) }, ok);
  for (const [path, scope] of [
    ["/gr%C3%BCn%2fa%25b/", "/gr\u00fcn%2Fa%25b"],
    ["/%zz", "/%zz"],
    ["/", "/"],
  ]) {
    const id = freshName();
    const to = deliveryOf(id);
    expect(answerOf(await app.request(to(`https://a.example${path}?x`)))).toBe("200 processed");
    expect(answerOf(await hook(to(`https://a.example${path}?y`)))).toBe("200 duplicate");
    const key = await dedupeKey({ sender: "stripe", scope: `${scope}`, id });
    expect((await createLocks(locks).once(key).inspect()).state).toBe("done");
  }
});

describe("a Host that is not a host", () => {
  // Deno makes these URLs of it, and Bun makes none.
  const hosts = ["a.example/admin?", "a.example#", "user@a.example", "a.example, b.example", ""];
  it.each(hosts)("such as %j is refused before anything else runs (E7)", async (host) => {
    const never = (): never => {
      throw new Error("called");
    };
    const options = { locks: never, key: never, scope: never };
    const given = new Request("https://a.example/hook", { method: "POST", body: "{}", headers: { host } });
    const plain = await dedupe(options, never)(given.clone());
    const behindHono = new Hono().post("/*", dedupeHono(options), never);
    for (const answer of [plain, await behindHono.request(given)]) expect(answerOf(answer)).toBe("400 malformed");
  });

  it("is none of these (E7)", async () => {
    const hook = dedupe({ locks, key: stripe({ verify }) }, ok);
    for (const host of ["a.example", "a.example:8080", "[::1]:80", "localhost:3000", "under_scored.example"]) {
      const body = JSON.stringify({ id: freshName() });
      const given = new Request("https://a.example/hook", { method: "POST", body, headers: { host } });
      expect(answerOf(await hook(given))).toBe("200 processed");
    }
  });
});
