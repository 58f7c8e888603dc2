import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DedupeOptions, dedupe, dedupeKey, github, idempotencyKey, slack } from "../../src/http/index.ts";
import { type Connection, connect, createLocks } from "../../src/index.ts";
import { answerOf, gate } from "../hono/apps.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

const key: DedupeOptions["key"] = ({ headers }) => headers.get("X-Id");
const post = (headers: Record<string, string>, body = '{"a":1}', path = "/hook"): Request =>
  new Request(`https://example.com${path}`, { method: "POST", body, headers });

/** As frameworks extend it: a clone is a plain request, and has nothing of theirs. */
class FrameworkRequest extends Request {
  readonly cookies = new Map([["session", "s1"]]);
  readonly #next: { readonly url: URL };
  constructor(input: RequestInfo, init?: RequestInit) {
    super(input, init);
    this.#next = { url: new URL(this.url) };
  }
  get nextUrl(): URL {
    return this.#next.url;
  }
}

/** Ways to have a request that a plain one cannot stand for. */
const KINDS: readonly (readonly [kind: string, make: (given: Request) => Request])[] = [
  ["a subclass with private fields, as NextRequest", (given) => new FrameworkRequest(given)],
  [
    "a request with properties of its own, as h3 and Nitro have it",
    (given) => Object.assign(given, { cookies: new Map([["session", "s1"]]), nextUrl: new URL(given.url) }),
  ],
  [
    "a proxy of a subclass, as Next.js passes it",
    (given) =>
      new Proxy(new FrameworkRequest(given), {
        get(target, name) {
          const value = Reflect.get(target, name, target) as unknown;
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
  ],
];

describe("the request", () => {
  const readers: readonly (readonly [who: string, options: Partial<DedupeOptions>])[] = [
    ["nobody", {}],
    ["verify", { key: github({ verify: async (_, request) => (await request.text()).length > 0 }) }],
    ["key", { key: async (request) => `${request.headers.get("X-Id")}${(await request.json()).a}` }],
    ["scope", { scope: async (request) => `a scope of ${(await request.arrayBuffer()).byteLength} bytes` }],
    ["fingerprint", { fingerprint: (request) => request.text() }],
  ];
  it.each(
    ([["a plain request", (given: Request) => given], ...KINDS] as typeof KINDS).flatMap(([kind, make]) =>
      readers.map(([who, options]) => ({ kind, make, who, options })),
    ),
  )("can be drained after each answer, as `wrangler dev` does: $kind, read by $who (54.10)", async (each) => {
    let runs = 0;
    const handle = (): Response => new Response(null, { status: runs++ === 0 ? 500 : 200 });
    const hook = dedupe({ locks, key, ...each.options }, handle);
    const id = freshName();
    const headers = { "X-Id": id, "X-GitHub-Delivery": id };
    const refused = dedupe({ locks, key: github({ verify: () => false }) }, handle);
    const statuses: number[] = [];
    for (const endpoint of [hook, hook, hook, refused]) {
      const given = each.make(post(headers));
      statuses.push((await endpoint(given)).status);
      if (given.body !== null && !given.bodyUsed) {
        const reader = given.body.getReader();
        while (!(await reader.read()).done);
      }
    }
    expect(statuses).toEqual([500, 200, 200, 401]);
    expect(runs).toBe(2);
  });

  it.each(readers)("is whole for the handler when %s has read it", async (_who, options) => {
    const hook = dedupe({ locks, key, ...options }, async (request) => new Response(await request.text()));
    const id = freshName();
    const answer = await hook(post({ "X-Id": id, "X-GitHub-Delivery": id }));
    expect([answerOf(answer), await answer.text()]).toEqual(["200 processed", '{"a":1}']);
  });

  it("is the framework's own, with its body unread", async () => {
    const seen: unknown[] = [];
    const verify = (body: string, request: Request): boolean => seen.push(body, request) > 0;
    const hook = dedupe({ locks, key: github({ verify }) }, async (request) => {
      seen.push(request, (request as FrameworkRequest).cookies.get("session"));
      return Response.json(await request.json());
    });
    const request = new FrameworkRequest(post({ "X-GitHub-Delivery": freshName() }));
    expect(await (await hook(request)).json()).toEqual({ a: 1 });
    expect(seen).toEqual(['{"a":1}', request, request, "s1"]);
  });

  type Of = FrameworkRequest;
  const everyReader: readonly (readonly [how: string, read: (request: Request) => Promise<unknown>])[] = [
    ["text", (request) => request.text()],
    ["json", (request) => request.json()],
    ["arrayBuffer", (request) => request.arrayBuffer()],
    ["blob", (request) => request.blob()],
    ["body", (request) => new Response(request.body).text()],
    ["clone", (request) => request.clone().text()],
    ["a new Request", (request) => new Request(request.clone()).text()],
  ];
  const cases = KINDS.flatMap(([kind, make]) => everyReader.map(([how, read]) => [kind, how, make, read] as const));
  it.each(cases)("%s stays itself when every function reads it by %s (E18)", async (_kind, _how, make, read) => {
    const given = make(post({}));
    const seen: unknown[] = [];
    async function reading<T>(request: Request, result: T): Promise<T> {
      seen.push(request.bodyUsed, request === given, request instanceof given.constructor);
      seen.push((request as Of).cookies.get("session"), (request as Of).nextUrl.pathname);
      await read(request);
      return result;
    }
    const id = freshName();
    const hook = dedupe(
      {
        locks,
        key: (request) => reading(request, id),
        scope: (request) => reading(request, "a scope"),
        fingerprint: (request) => reading(request, "same"),
      },
      async (request) => {
        await reading(request.clone() && request, undefined);
        expect(request.bodyUsed).toBe(!/clone|new/.test(_how));
        return new Response("ok");
      },
    );
    expect(answerOf(await hook(given))).toBe("200 processed");
    expect(seen).toEqual(Array.from({ length: 4 }, () => [false, true, true, "s1", "/hook"]).flat());
  });

  it("is read twice by one function only as a Request allows it, and can be passed on afterwards (E18)", async () => {
    const hook = dedupe({ locks, key: async (request) => `${await request.text()}${freshName()}` }, async (request) => {
      const copy = request.clone();
      const passedOn = await new Request(request).text();
      const again = await request.text().catch((error: unknown) => (error as Error).constructor.name);
      return Response.json([await copy.text(), passedOn, again]);
    });
    const answer = await hook(new FrameworkRequest(post({})));
    expect(await answer.json()).toEqual(['{"a":1}', '{"a":1}', "TypeError"]);
  });

  it("keeps a form, and its class where verify reads it (E18)", async () => {
    const form = new FormData();
    form.set("a", "\u00fc");
    form.set("file", new Blob(["x"]), "x.txt");
    const headers = { "X-GitHub-Delivery": freshName() };
    const verify = async (_: string, request: Request): Promise<boolean> => (await request.formData()).has("file");
    const hook = dedupe({ locks, key: github({ verify }) }, async (request) => {
      const found = await request.formData();
      return Response.json([found.get("a"), (request as FrameworkRequest).nextUrl.pathname]);
    });
    const request = new FrameworkRequest("https://example.com/hook", { method: "POST", body: form, headers });
    expect(await (await hook(request)).json()).toEqual(["\u00fc", "/hook"]);
  });

  it.each([
    ["plain", (given: Request) => given],
    ["a framework's", (given: Request) => new FrameworkRequest(given)],
  ])("is whole when scope reads it before anything else did: %s (E18)", async (_kind, make) => {
    const scope = async (request: Request): Promise<string> => `scope ${await request.text()}`;
    for (const fingerprint of [undefined, false] as const) {
      const options = { locks, key: idempotencyKey(), scope, ...(fingerprint === false && { fingerprint }) };
      const hook = dedupe(options, async (request) => new Response(await request.text()));
      const answer = await hook(make(post({ "Idempotency-Key": freshName() })));
      expect([answerOf(answer), await answer.text()]).toEqual(["200 processed", '{"a":1}']);
    }
  });

  it("whose body nobody needs reaches the handler as the stream that it is (E18)", async () => {
    const given = post({ "Idempotency-Key": freshName() });
    const body = given.body;
    const options = { locks, key: idempotencyKey(), scope: "all", fingerprint: false } as const;
    const hook = dedupe(options, async (request) => Response.json([request === given, request.body === body]));
    expect(await (await hook(given)).json()).toEqual([true, true]);
  });

  it("comes without a body too", async () => {
    const hook = dedupe({ locks, key: github({ verify: () => true }) }, async (request) => {
      return new Response(`[${await request.text()}]`);
    });
    const headers = { "X-GitHub-Delivery": freshName() };
    for (const method of ["GET", "DELETE"]) {
      const answer = await hook(new Request("https://example.com/hook", { method, headers }));
      expect(answerOf(answer)).toBe(method === "GET" ? "200 processed" : "200 duplicate");
    }
  });

  it("is a TypeError when its body was read before", async () => {
    const hook = dedupe({ locks, key: github({ verify: () => true }) }, () => new Response("never"));
    const request = post({ "X-GitHub-Delivery": freshName() });
    await request.text();
    await expect(hook(request)).rejects.toThrow("the body was read already");
  });
});

describe("the handler", () => {
  it("and every function of the options get what the platform gave besides the request", async () => {
    const seen: unknown[][] = [];
    const note =
      <T>(name: string, result: T) =>
      (...given: unknown[]): T => {
        seen.push([name, ...given.map((each) => (each instanceof Request ? "request" : each))]);
        return result;
      };
    const hook = dedupe<[env: { name: string }, more: string]>(
      {
        locks: note("locks", locks),
        key: github({ verify: note("verify", true) }),
        scope: note("scope", freshName()),
        fingerprint: note("fingerprint", "same"),
        maxAttempts: 1,
        onExhausted: note("onExhausted", new Response("put aside", { status: 202 })),
      },
      (request, { attempt }, env, more) => {
        seen.push(["handler", request.method, attempt, env, more]);
        return new Response("", { status: 500 });
      },
    );
    const headers = { "X-GitHub-Delivery": freshName() };
    const env = { name: "env" };
    await hook(post(headers), env, "more");
    await hook(post(headers), env, "more");
    const all = ["request", env, "more"];
    const before = [
      ["verify", '{"a":1}', ...all],
      ["scope", ...all],
      ["fingerprint", ...all],
      ["locks", ...all],
    ];
    expect(seen).toEqual([
      ...before,
      ["handler", "POST", 1, env, "more"],
      ...before,
      ["onExhausted", "request", { attempts: 1 }, env, "more"],
    ]);
  });

  it("has no delivery for a request that is not deduplicated", async () => {
    const seen: object[] = [];
    const take = (_: Request, delivery: object): Response => {
      seen.push(delivery);
      return new Response("ok");
    };
    const options = { locks, key: idempotencyKey(), scope: "all" };
    expect(answerOf(await dedupe(options, take)(new Request("https://example.com/")))).toBe("200 -");
    const verified = dedupe({ locks, key: slack({ verify: () => true }) }, take);
    expect(answerOf(await verified(post({}, '{"type":"url_verification"}')))).toBe("200 -");
    expect(seen).toEqual([{}, {}]);
  });

  it.each([undefined, null, "text", new Error("broken")])(
    "may throw %s, which is rethrown; it runs again",
    async (thrown) => {
      let runs = 0;
      const hook = dedupe({ locks, key, lease: "20s" }, () => {
        if (++runs === 1) throw thrown;
        return new Response("ok");
      });
      const id = freshName();
      await expect(hook(post({ "X-Id": id })).then(() => "an answer")).rejects.toBe(thrown);
      expect(answerOf(await hook(post({ "X-Id": id })))).toBe("200 processed");
    },
  );

  it("must return a Response", async () => {
    const hook = dedupe({ locks, key }, (() => undefined) as never);
    await expect(hook(post({ "X-Id": freshName() }))).rejects.toThrow("must return a Response");
    expect(() => dedupe({ locks, key }, undefined as never)).toThrow("handler is missing");
  });

  it("may answer with a body that it compressed itself, which stays as it is (B35)", async () => {
    const body = new Uint8Array(gzipSync("a file"));
    const hook = dedupe({ locks, key }, () => new Response(body, { headers: { "Content-Encoding": "gzip" } }));
    const answer = await hook(post({ "X-Id": freshName() }));
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(body);
  });

  it("may pass on what another server answered", async () => {
    const hook = dedupe({ locks, key, replay: true }, () => fetch(stack.url, { method: "GET" }));
    const id = freshName();
    const [first, again] = [await hook(post({ "X-Id": id })), await hook(post({ "X-Id": id }))];
    expect(first.headers.get("Leasehold-Status")).toBe("processed");
    expect([again.status, await again.text()]).toEqual([first.status, await first.text()]);
  });
});

describe("what is handed to waitUntil", () => {
  const CONTEXT = Symbol.for("@vercel/request-context");
  afterEach(() => {
    Reflect.deleteProperty(globalThis, CONTEXT);
  });

  /** Answers a delivery of which nobody waits for the answer, and awaits what was handed over. */
  async function handedOver(by: "argument" | "option" | "Vercel"): Promise<string> {
    const handed: Promise<unknown>[] = [];
    // The platforms' own are methods, and throw when they are detached.
    const context = {
      waitUntil(promise: Promise<unknown>): void {
        if (this !== context && by !== "option") throw new TypeError("Illegal invocation");
        handed.push(promise);
      },
    };
    if (by === "Vercel") Object.assign(globalThis, { [CONTEXT]: { get: () => context } });
    const { opened, open } = gate();
    const options = { locks, key, ...(by === "option" && { waitUntil: context.waitUntil }) };
    const hook = dedupe<[env: object, ctx: object]>(options, async () => {
      await opened;
      return new Response("ok");
    });
    const id = freshName();
    void hook(post({ "X-Id": id }), {}, by === "argument" ? context : {});
    const memory = createLocks(locks).once(await dedupeKey({ sender: "custom", scope: "/hook", id }));
    while ((await memory.inspect()).state !== "running") await pause(5);
    open();
    await Promise.all(handed);
    return `${(await memory.inspect()).state}, ${handed.length > 0}`;
  }

  it.each(["argument", "option", "Vercel"] as const)("is the whole run, by the %s", async (by) => {
    expect(await handedOver(by)).toBe("done, true");
  });
});

it("a key that a Hono app remembered is known to a plain handler, and the other way round", async () => {
  const { dedupe: inHono, github: forHono } = await import("../../src/hono/index.ts");
  const { Hono } = await import("hono");
  const app = new Hono();
  app.post("/hook", inHono({ locks, key: forHono({ verify: () => true }) }), (c) => c.text("", 201));
  const hook = dedupe({ locks, key: github({ verify: () => true }) }, () => new Response("", { status: 202 }));
  const headers = { "X-GitHub-Delivery": freshName() };
  expect(answerOf(await app.request(post(headers)))).toBe("201 processed");
  expect(answerOf(await hook(post(headers)))).toBe("201 duplicate");
});
