import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe as dedupeHono, github as githubHono } from "../../src/hono/index.ts";
import { type DedupeOptions, dedupe, github, standardWebhooks, stripe, type Verify } from "../../src/http/index.ts";
import { type Connection, connect, type LeaseholdEvent } from "../../src/index.ts";
import { otel } from "../../src/otel/index.ts";
import { answerOf, gate } from "../hono/apps.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const events: LeaseholdEvent[] = [];
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token, onEvent: (event) => events.push(event) });
});

const { webhooks } = new Stripe("sk_test_nothing");
const BODY = '{"id":"evt_of_somebody","card":"4242"}';
const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGUtaG9vaw==";
const post = (headers: Record<string, string> = {}): Request =>
  new Request("https://example.com/hook", { method: "POST", body: BODY, headers });
const ok = (): Response => new Response("ok");

/** The events of one delivery. */
async function eventsOf(hook: (request: Request) => Promise<Response>, request = post()): Promise<unknown[]> {
  events.length = 0;
  expect(answerOf(await hook(request))).toBe("401 unverified");
  return [...events];
}

describe("a delivery that is not verified", () => {
  it("is an event, also where the secret of Stripe is undefined, and its cause is named (E21)", async () => {
    const secret = undefined as unknown as string;
    const signature = webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET });
    const hook = dedupe(
      {
        locks,
        key: stripe({
          async verify(body, { headers }) {
            await webhooks.constructEventAsync(body, headers.get("Stripe-Signature") ?? "", secret);
            return true;
          },
        }),
      },
      ok,
    );
    const [event, ...others] = await eventsOf(hook, post({ "Stripe-Signature": signature }));
    expect(others).toEqual([]);
    expect(event).toEqual({
      kind: "dedupe",
      name: "stripe",
      type: "answered",
      sender: "stripe",
      status: "unverified",
      durationMs: expect.any(Number),
      cause: expect.stringMatching(/^\w*Error/),
    });
  });

  const throwing: readonly (readonly [what: string, thrown: () => unknown, cause: RegExp])[] = [
    ["a TypeError", () => (undefined as unknown as string).length, /^TypeError at .*refused\.test\.ts:\d+:\d+/],
    [
      "a function with a name",
      function checkSignature() {
        throw new RangeError(SECRET);
      },
      /^RangeError at (\w+\.)?checkSignature \(refused\.test\.ts:\d+:\d+\)$/,
    ],
    ["a ReferenceError", () => new Function("return noSuchName")(), /^ReferenceError/],
    ["a missing key", () => createHmac("sha256", undefined as never), /^TypeError ERR_INVALID_ARG_TYPE/],
    ["a library", () => new Webhook(SECRET).verify(BODY, {}), /^(WebhookVerification)?Error at /],
    ["JSON", () => JSON.parse(`${BODY}!`), /^SyntaxError/],
    ["text", () => Promise.reject(BODY), /^a thrown string$/],
    ["null", () => Promise.reject(null), /^a thrown null$/],
    ["a liar", () => Promise.reject(Object.assign(new Error(SECRET), { name: SECRET, code: BODY })), /^Error/],
    ["a trap", () => Promise.reject(Object.defineProperty(new Error(), "stack", { get: () => BODY })), /^Error$/],
    ["a message like a stack", () => Promise.reject(new Error(`x\n    at ${SECRET} (${BODY}:1:1)`)), /^Error at /],
  ];
  it.each(throwing)(
    "because verify threw, by %s, names the cause and quotes nothing (E21)",
    async (_what, thrown, cause) => {
      const verify: Verify = async () => {
        await thrown();
        return true;
      };
      const [event] = await eventsOf(dedupe({ locks, key: standardWebhooks({ verify }) }, ok));
      expect(event).toMatchObject({ status: "unverified", cause: expect.stringMatching(cause) });
      expect(JSON.stringify(event)).not.toMatch(/whsec|evt_of|4242|dGhl/);
    },
  );

  it("is an event without a cause when verify returned false, in Hono too (E21)", async () => {
    const plain = await eventsOf(dedupe({ locks, key: github({ verify: () => false }) }, ok));
    const app = new Hono().post("/hook", dedupeHono({ locks, key: githubHono({ verify: () => false }) }), (c) =>
      c.text(""),
    );
    const inHono = await eventsOf(async (request) => app.request(request));
    for (const seen of [plain, inHono])
      expect(seen).toEqual([expect.objectContaining({ sender: "github", status: "unverified", cause: undefined })]);
  });

  it("is counted by OpenTelemetry (E21)", async () => {
    const counted: unknown[] = [];
    const instrument = { record: (_: number, about: object) => counted.push(about), add: () => {} };
    const make = (): never => instrument as never;
    const meter = { createHistogram: make, createCounter: make, createUpDownCounter: make } as never;
    const connection = connect({ url: stack.url, token: stack.token, ...otel({ meter }) });
    await dedupe({ locks: connection, key: github({ verify: () => false }) }, ok)(post());
    expect(counted).toEqual([
      expect.objectContaining({ "leasehold.sender": "github", "leasehold.outcome": "unverified" }),
    ]);
  });

  it("stays 401 if the locks cannot be created, and reveals nothing about it (E21)", async () => {
    const broken = (): never => {
      throw new Error("no environment");
    };
    expect(answerOf(await dedupe({ locks: broken, key: github({ verify: () => false }) }, ok)(post()))).toBe(
      "401 unverified",
    );
  });
});

it("a delivery without an id is an event too (E21)", async () => {
  events.length = 0;
  expect(answerOf(await dedupe({ locks, key: github({ verify: () => true }) }, ok)(post()))).toBe("400 malformed");
  expect(events).toEqual([expect.objectContaining({ name: "github", status: "malformed", cause: undefined })]);
});

it("a sender without verify, or with a secret in its place, is refused where it is defined (E21)", () => {
  for (const options of [{}, undefined, { verify: undefined }, { secret: undefined }, { secret: "s" }])
    expect(() => stripe(options as never)).toThrow(TypeError);
});

it.each(["key", "scope", "fingerprint"] as const)(
  "what %s throws goes to the caller, and the delivery can come again (E21)",
  async (name) => {
    const id = freshName();
    let broken = true;
    const failing = (): string => {
      if (broken) throw new ReferenceError("broken");
      return id;
    };
    const options: DedupeOptions = { locks, key: () => id, [name]: failing };
    const hook = dedupe(options, ok);
    await expect(hook(post())).rejects.toThrow("broken");
    broken = false;
    expect(answerOf(await hook(post()))).toBe("200 processed");
  },
);

it("what onRunning throws goes to the caller of the duplicate, and the run continues (E21)", async () => {
  const id = freshName();
  const { opened, open } = gate();
  const begun = gate();
  const hook = dedupe(
    {
      locks,
      key: () => id,
      onRunning() {
        throw new ReferenceError("broken");
      },
    },
    async () => {
      begun.open();
      await opened;
      return ok();
    },
  );
  const first = hook(post());
  await begun.opened;
  await expect(hook(post())).rejects.toThrow("broken");
  open();
  expect(answerOf(await first)).toBe("200 processed");
  expect(answerOf(await hook(post()))).toBe("200 duplicate");
});

it("a fingerprint that is not a string is an error of the caller, and the handler does not run", async () => {
  let runs = 0;
  const key = (): string => freshName();
  const hook = dedupe({ locks, key, fingerprint: () => 42 as never }, () => new Response(`${++runs}`));
  await expect(hook(post())).rejects.toThrow("fingerprint must return a string");
  expect(runs).toBe(0);
});
