import { createHmac } from "node:crypto";
import { createRequire } from "node:module";
import type { WebhookDefinition } from "@octokit/webhooks-examples";
import { sign, verify as verifyGithub } from "@octokit/webhooks-methods";
import { Hono } from "hono";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { beforeAll, describe, expect, it } from "vitest";
import {
  dedupe,
  dedupeKey,
  github,
  type Sender,
  shopify,
  slack,
  standardWebhooks,
  stripe,
} from "../../src/hono/index.ts";
import { type Connection, connect, once } from "../../src/index.ts";
import { useStack } from "../support/use-stack.ts";
import { answerOf } from "./apps.ts";

const SECRET = "the-secret-of-the-hook";
const STANDARD_SECRET = `whsec_${btoa("the-secret-of-the-hook-00")}`;
const HOUR_MS = 3_600_000;
const client = new Stripe("sk_test_nothing");
const examples = createRequire(import.meta.url)("@octokit/webhooks-examples") as WebhookDefinition[];
const now = (): number => Math.floor(Date.now() / 1000);
const hmac = (text: string, encoding: "hex" | "base64"): string =>
  createHmac("sha256", SECRET).update(text).digest(encoding);

const stack = useStack();
let requests = 0;
let connection: Connection;
beforeAll(async () => {
  connection = connect({
    url: stack.url,
    token: stack.token,
    fetch: (...call) => {
      requests++;
      return fetch(...call);
    },
  });
});

interface Signed {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A sender as it is: real signatures, checked by the library that users would take. */
interface Case {
  readonly name: string;
  readonly sender: Sender;
  /** The same event again is the same id; `nth` delivery of it. */
  deliver(id: string, nth?: number): Promise<Signed> | Signed;
  /** Whether the id can be given another body without the secret. */
  readonly unsignedId: boolean;
  /** How long it goes on delivering. */
  readonly retriesMs: number;
}

const githubBody = JSON.stringify(examples.find(({ name }) => name === "issues")?.examples[0]);
const webhook = new Webhook(STANDARD_SECRET);
const standard = (prefix: string) => (id: string) => {
  const body = '{"type":"user.created"}';
  const at = new Date();
  const headers = {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: `${Math.floor(at.getTime() / 1000)}`,
    [`${prefix}-signature`]: webhook.sign(id, at, body),
  };
  return { body, headers };
};
const verifyStandard = (prefix: string) => (body: string, c: { req: { header(name: string): string | undefined } }) => {
  const header = (name: string): string => c.req.header(`${prefix}-${name}`) ?? "";
  const names = ["id", "timestamp", "signature"];
  webhook.verify(body, Object.fromEntries(names.map((name) => [`webhook-${name}`, header(name)])));
  return true;
};

const cases: Case[] = [
  {
    name: "stripe",
    sender: stripe({
      verify: async (body, c) =>
        Boolean(await client.webhooks.constructEventAsync(body, c.req.header("Stripe-Signature") ?? "", SECRET)),
    }),
    deliver(id, nth = 1) {
      // Stripe counts down what is still to be delivered.
      const body = JSON.stringify({ id, object: "event", type: "charge.succeeded", pending_webhooks: 3 - nth });
      const header = client.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
      return { body, headers: { "Stripe-Signature": header } };
    },
    unsignedId: false,
    retriesMs: 72 * HOUR_MS,
  },
  {
    name: "github",
    sender: github({ verify: (body, c) => verifyGithub(SECRET, body, c.req.header("X-Hub-Signature-256") ?? "") }),
    deliver: async (id) => ({
      body: githubBody,
      headers: {
        "X-GitHub-Delivery": id,
        "X-GitHub-Event": "issues",
        "X-Hub-Signature-256": await sign(SECRET, githubBody),
      },
    }),
    unsignedId: true,
    retriesMs: 72 * HOUR_MS,
  },
  {
    name: "shopify",
    sender: shopify({ verify: (body, c) => c.req.header("X-Shopify-Hmac-Sha256") === hmac(body, "base64") }),
    deliver(id) {
      const body = '{"id":820982911946154508,"note":"Grüße"}';
      const headers = {
        "X-Shopify-Event-Id": id,
        "X-Shopify-Topic": "orders/create",
        "X-Shopify-Shop-Domain": "one.myshopify.com",
        "X-Shopify-Hmac-Sha256": hmac(body, "base64"),
      };
      return { body, headers };
    },
    unsignedId: true,
    retriesMs: 4 * HOUR_MS,
  },
  {
    name: "webhook-id",
    sender: standardWebhooks({ verify: verifyStandard("webhook") }),
    deliver: standard("webhook"),
    unsignedId: false,
    retriesMs: 28 * HOUR_MS,
  },
  {
    name: "svix-id",
    sender: standardWebhooks({ verify: verifyStandard("svix") }),
    deliver: standard("svix"),
    unsignedId: false,
    retriesMs: 28 * HOUR_MS,
  },
  {
    name: "slack",
    sender: slack({
      verify: (body, c) =>
        c.req.header("X-Slack-Signature") ===
        `v0=${hmac(`v0:${c.req.header("X-Slack-Request-Timestamp")}:${body}`, "hex")}`,
    }),
    deliver: (id, nth = 1) => slackRequest({ type: "event_callback", event_id: id, event: { type: "message" } }, nth),
    unsignedId: false,
    retriesMs: 24 * HOUR_MS,
  },
];

function slackRequest(payload: object, nth = 1): Signed {
  const body = JSON.stringify(payload);
  const at = `${now() + nth}`;
  return {
    body,
    headers: { "X-Slack-Request-Timestamp": at, "X-Slack-Signature": `v0=${hmac(`v0:${at}:${body}`, "hex")}` },
  };
}

const senderOf = (name: string): Sender => (cases.find((each) => each.name === name) as Case).sender;

function appOf(sender: Sender, options = {}) {
  const runs: string[] = [];
  const app = new Hono();
  app.onError((_, c) => c.text("", 500));
  app.post("/hook", dedupe({ locks: connection, key: sender, ...options }), async (c) => {
    runs.push(await c.req.text());
    return c.json({ ok: true });
  });
  const post = async ({ body, headers }: Signed): Promise<Response> =>
    app.request("/hook", { method: "POST", body, headers });
  return { runs, post };
}

const freshId = (): string => `evt_${crypto.randomUUID()}`;

describe.each(cases)("$name", ({ sender, deliver, unsignedId, retriesMs }) => {
  it("runs a signed delivery once, with its body for the handler", async () => {
    const { runs, post } = appOf(sender);
    const id = freshId();
    const first = await deliver(id);
    expect(answerOf(await post(first))).toBe("200 processed");
    expect(answerOf(await post(await deliver(id, 2)))).toBe("200 duplicate");
    expect(answerOf(await post(await deliver(freshId())))).toBe("200 processed");
    expect(runs[0]).toBe(first.body);
    expect(runs).toHaveLength(2);
  });

  it("answers 401 to what is not signed, runs nothing and sends nothing to Redis", async () => {
    const { runs, post } = appOf(sender, {
      scope: () => {
        throw new Error("asked before the signature was checked");
      },
    });
    const { body, headers } = await deliver(freshId());
    requests = 0;
    expect(answerOf(await post({ body: `${body} `, headers }))).toBe("401 unverified");
    expect(answerOf(await post({ body, headers: {} }))).toBe("401 unverified");
    expect(answerOf(await post({ body: "", headers: {} }))).toBe("401 unverified");
    expect([requests, runs]).toEqual([0, []]);
  });

  it("remembers for longer than the sender goes on delivering", async () => {
    const id = freshId();
    await appOf(sender).post(await deliver(id));
    const parts = sender.name === "shopify" ? ["one.myshopify.com", "orders/create", id] : id;
    const state = await once(connection, await dedupeKey({ sender: sender.name, scope: "/hook", id: parts })).inspect();
    expect(state.state === "done" && state.remaining).toBeGreaterThan(retriesMs);
  });

  it("keeps ids out of Redis", async () => {
    const { post } = appOf(sender, { scope: "sk_live_scope", replay: true });
    const id = freshId();
    await post(await deliver(id));
    const keys = (await stack.redis.command("KEYS", "*")).split("\r\n").filter((line) => line.startsWith("leasehold:"));
    expect(keys.length).toBeGreaterThan(0);
    const values = await Promise.all(keys.map((key) => stack.redis.command("GET", key)));
    for (const text of [...keys, ...values]) expect(text.includes(id) || text.includes("sk_live")).toBe(false);
  });

  if (unsignedId)
    it("refuses another body under an id that is not signed", async () => {
      const { post } = appOf(sender);
      const id = freshId();
      await post(await deliver(id));
      const body = '{"another":"body"}';
      const { headers } = await deliver(id);
      const signature = {
        "X-Hub-Signature-256": await sign(SECRET, body),
        "X-Shopify-Hmac-Sha256": hmac(body, "base64"),
      };
      expect(answerOf(await post({ body, headers: { ...headers, ...signature } }))).toBe("422 mismatch");
    });

  // The libraries of Standard Webhooks see to that themselves.
  if (sender.name !== "standard-webhooks")
    it("answers 400 without an id, and does not run", async () => {
      const { runs, post } = appOf(sender);
      const { body, headers } = await deliver("");
      expect(answerOf(await post({ body, headers }))).toBe("400 malformed");
      expect(runs).toEqual([]);
    });
});

describe("what is particular of a sender", () => {
  it("slack: a url_verification goes to the handler after the signature was checked, each time", async () => {
    const { runs, post } = appOf(senderOf("slack"));
    const challenge = slackRequest({ type: "url_verification", challenge: "abc" });
    for (let nth = 0; nth < 2; nth++) expect(answerOf(await post(challenge))).toBe("200 -");
    expect(answerOf(await post({ ...challenge, headers: {} }))).toBe("401 unverified");
    expect(runs).toHaveLength(2);
    expect(answerOf(await post(slackRequest({ type: "event_callback" })))).toBe("400 malformed");
    expect(answerOf(await post(slackRequest([])))).toBe("400 malformed");
  });

  it("standard webhooks: two ids that differ are refused, since only one was signed", async () => {
    for (const [prefix, other] of [
      ["webhook", "svix"],
      ["svix", "webhook"],
    ] as const) {
      const { runs, post } = appOf(senderOf(`${prefix}-id`));
      const id = freshId();
      const { body, headers } = standard(prefix)(id);
      expect(answerOf(await post({ body, headers: { ...headers, [`${other}-id`]: freshId() } }))).toBe("400 malformed");
      expect(runs).toEqual([]);
      expect(answerOf(await post({ body, headers: { ...headers, [`${other}-id`]: id } }))).toBe("200 processed");
      expect(answerOf(await post({ body, headers }))).toBe("200 duplicate");
    }
  });

  it("shopify: one event for two topics is two deliveries", async () => {
    const { runs, post } = appOf(senderOf("shopify"));
    const { body, headers } = await (cases.find(({ name }) => name === "shopify") as Case).deliver(freshId());
    expect(answerOf(await post({ body, headers }))).toBe("200 processed");
    expect(answerOf(await post({ body, headers: { ...headers, "X-Shopify-Topic": "orders/paid" } }))).toBe(
      "200 processed",
    );
    expect(answerOf(await post({ body, headers: { ...headers, "X-Shopify-Shop-Domain": "two.myshopify.com" } }))).toBe(
      "200 processed",
    );
    expect(runs).toHaveLength(3);
  });

  it("github: an id of several, or with blanks, is none", async () => {
    const { post } = appOf(github({ verify: () => true }));
    for (const id of ["a, b", "a b", "a".repeat(257)]) {
      expect(answerOf(await post({ body: "{}", headers: { "X-GitHub-Delivery": id } }))).toBe("400 malformed");
    }
  });

  it("stripe: an id that is no text, or no well-formed text, is none", async () => {
    const { post } = appOf(stripe({ verify: () => true }));
    for (const body of ['{"id":1}', '{"id":""}', '{"id":"\\ud800"}', "null", "no json"]) {
      expect(answerOf(await post({ body, headers: {} }))).toBe("400 malformed");
    }
  });
});

describe("verify", () => {
  it.each([undefined, null, {}, { valid: false }, 0, "true"])("may not return %j", async (answer) => {
    const { runs, post } = appOf(github({ verify: () => answer as never }));
    expect((await post({ body: "{}", headers: { "X-GitHub-Delivery": "a" } })).status).toBe(500);
    expect(runs).toEqual([]);
  });

  it("sees every byte of the body, a byte order mark included", async () => {
    const bodies: string[] = [];
    const verify = (body: string): boolean => bodies.push(body) > 0;
    await appOf(github({ verify })).post({ body: '\ufeff{"a":1}', headers: { "X-GitHub-Delivery": freshId() } });
    expect(bodies).toEqual(['\ufeff{"a":1}']);
  });
});
