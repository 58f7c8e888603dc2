import { describe, expect, it } from "vitest";
import { dedupe } from "../../src/http/index.ts";
import { connect, type LeaseholdEvent } from "../../src/index.ts";
import { unsendable, verdictOf } from "../../src/shared/handler-response.ts";
import { answerOf, type Deliver, mount } from "../hono/apps.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

/** A response as `fetch` gives it in a browser or on an edge, which no constructor makes. */
function foreign(status: number, type: ResponseType = "default"): Response {
  const response = new Response(null);
  Object.defineProperties(response, { status: { value: status }, type: { value: type }, ok: { value: false } });
  return response;
}

async function readAlready(): Promise<Response> {
  const response = new Response("all of it");
  await response.text();
  return response;
}

function locked(): Response {
  const response = new Response("some of it");
  response.body?.getReader();
  return response;
}

/** Answers of a handler that nobody can be sent. */
const UNSENDABLE: readonly (readonly [what: string, answer: () => Response | Promise<Response>])[] = [
  ["Response.error()", () => Response.error()],
  ["an opaque response", () => foreign(0, "opaque")],
  ["an opaque redirect", () => foreign(0, "opaqueredirect")],
  ["an interim response", () => foreign(103)],
  ["a status that no Response can have", () => foreign(999)],
  ["a response whose body was read", readAlready],
  ["a response whose body is being read", locked],
];

type Handler = () => Response | Promise<Response>;
type Options = { readonly replay?: boolean; readonly onUnavailable?: "run" };
const WAYS: readonly (readonly [string, (url: string, handler: Handler, options: Options) => Site])[] = [
  ["a plain handler", (url, handler, options) => siteOf(url, (locks) => plain(locks, handler, options))],
  ["Hono", (url, handler, options) => siteOf(url, (locks) => mount(locks, handler, options))],
];

interface Site {
  readonly deliver: Deliver;
  readonly told: string[];
}
type Locks = ReturnType<typeof connect>;

function siteOf(url: string, make: (locks: Locks) => Deliver): Site {
  const told: string[] = [];
  const onEvent = (event: LeaseholdEvent) => void (event.type === "answered" && told.push(event.status));
  const requestTimeout = url === stack.url ? 5000 : 200;
  return { deliver: make(connect({ url, token: stack.token, requestTimeout, onEvent })), told };
}

function plain(locks: Locks, handler: Handler, options: Options): Deliver {
  const hook = dedupe({ locks, key: ({ headers }) => headers.get("X-Id"), ...options }, handler);
  return ({ id }) => hook(new Request("http://localhost/hook", { method: "POST", headers: { "X-Id": id } }));
}

describe.concurrent.each(WAYS)("behind %s", (way, start) => {
  it.each(UNSENDABLE)("a handler that answers %s has failed: 500, and the retry runs (E6)", async (_what, bad) => {
    for (const replay of [false, true]) {
      let runs = 0;
      const { deliver, told } = start(stack.url, () => (++runs === 1 ? bad() : new Response("done")), { replay });
      const id = freshName();
      const first = await deliver({ id });
      // With `replay` Hono itself throws, since it copies the response.
      if (way === "Hono" && replay) expect(first.status).toBe(500);
      else {
        expect(answerOf(first)).toBe("500 failed");
        expect(await first.json()).toMatchObject({ type: "urn:leasehold:dedupe:failed", status: 500 });
      }
      expect(answerOf(await deliver({ id }))).toBe("200 processed");
      expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
      expect([runs, told]).toEqual([2, ["failed", "processed", "duplicate"]]);
    }
  });

  it.each(UNSENDABLE)("a handler that ran without a lease and answers %s: 500 as well (E6)", async (_what, bad) => {
    const { deliver } = start("http://127.0.0.1:9", bad, { onUnavailable: "run" });
    expect(answerOf(await deliver({ id: freshName() }))).toBe("500 unprotected");
  });

  it("a body that fails while it is stored is a failure, and the retry runs (E6)", async () => {
    let runs = 0;
    const torn = () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error("torn")) }));
    const handler = () => (++runs === 1 ? torn() : new Response("done"));
    const { deliver } = start(stack.url, handler, { replay: true });
    const id = freshName();
    const failed = await deliver({ id }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    expect([500, "torn"]).toContain(failed);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(runs).toBe(2);
  });

  it("a status-only answer is stored before its body is sent: what the body's stream does then changes nothing (E6)", async () => {
    let runs = 0;
    const torn = () => new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("torn")) }));
    const { deliver } = start(stack.url, () => (++runs === 1 ? torn() : new Response("again")), {});
    const id = freshName();
    const answer = await deliver({ id });
    expect(answerOf(answer)).toBe("200 processed");
    await expect(answer.text()).rejects.toThrow("torn");
    expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
    expect(runs).toBe(1);
  });
});

it.each<[number, Record<string, string>, string, boolean]>([
  [0, {}, "failed", false],
  [100, {}, "failed", false],
  [101, {}, "done", true],
  [103, {}, "failed", false],
  [200, {}, "done", true],
  [204, {}, "done", true],
  [301, {}, "done", true],
  [304, {}, "done", true],
  [400, {}, "rejected", true],
  [400, { "Retry-After": "1" }, "failed", true],
  [404, {}, "rejected", true],
  [408, {}, "failed", true],
  [425, {}, "failed", true],
  [429, {}, "failed", true],
  [500, {}, "failed", true],
  [599, {}, "failed", true],
  [600, {}, "failed", false],
  [999, {}, "failed", false],
])("status %i with %o is %s (E6)", (status, headers, verdict, sendable) => {
  const response = { status, headers: new Headers(headers), body: null, bodyUsed: false } as Response;
  expect(verdictOf(response)).toBe(verdict);
  expect(unsendable(response) === undefined).toBe(sendable);
});
