import { beforeAll, describe, expect, it } from "vitest";
import * as senders from "../../src/dedupe/senders/index.ts";
import { StaleTokenError } from "../../src/fence/index.ts";
import * as hono from "../../src/hono/index.ts";
import * as http from "../../src/http/index.ts";
import { type Delivery, dedupe, dedupeKey, github, type Sender, shopify, stripe } from "../../src/http/index.ts";
import { type Connection, connect, once } from "../../src/index.ts";
import { held } from "../cron/held.ts";
import { answerOf } from "../hono/apps.ts";
import { useStack } from "../support/use-stack.ts";
import { type Case, cases, type Signed, signedByTwilio, slackRequest, snsMessage, standard } from "./sender-cases.ts";

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

const caseOf = (name: string): Case => cases.find((each) => each.name === name) as Case;
const senderOf = (name: string): Sender => caseOf(name).sender;

/** A hook, and the bodies that its handler ran for; `handler` says what becomes of a run. */
function hookOf(sender: Sender, options = {}, handler?: (delivery: Delivery) => Response | Promise<Response>) {
  const runs: string[] = [];
  const hook = dedupe({ locks: connection, key: sender, ...options }, async (request, delivery) => {
    runs.push(await request.text());
    return handler ? handler(delivery) : Response.json({ ok: true });
  });
  // A platform answers 500 to what a handler throws.
  const post = ({ body, headers }: Signed): Promise<Response> =>
    hook(new Request("http://localhost/hook", { method: "POST", body, headers })).catch(
      () => new Response("", { status: 500 }),
    );
  return { runs, post };
}

it("are the same functions under both entries, and each has a case", () => {
  const { idempotencyKey: _, ...signing } = senders;
  for (const [name, sender] of Object.entries(signing)) {
    expect([hono, http].map((entry) => entry[name as keyof typeof signing])).toEqual([sender, sender]);
    const made = sender({ verify: () => true });
    expect(cases.map((each) => each.sender.name)).toContain(made.name);
  }
});

const anyId = (): string => `evt_${crypto.randomUUID()}`;

describe.each(cases)("$name", ({ sender, deliver, resign, forge, inBody, freshId = anyId, retriesMs }) => {
  it("runs a signed delivery once, with its body for the handler", async () => {
    const { runs, post } = hookOf(sender);
    const id = freshId();
    const first = await deliver(id);
    expect(answerOf(await post(first))).toBe("200 processed");
    expect(answerOf(await post(await deliver(id, 2)))).toBe("200 duplicate");
    expect(answerOf(await post(await deliver(freshId())))).toBe("200 processed");
    expect(runs[0]).toBe(first.body);
    expect(runs).toHaveLength(2);
  });

  it("answers 401 to what is not signed, runs nothing and sends nothing to Redis", async () => {
    const { runs, post } = hookOf(sender, {
      scope: () => {
        throw new Error("asked before the signature was checked");
      },
    });
    const { body, headers } = await deliver(freshId());
    requests = 0;
    const forged = (forge ?? ((text: string) => `${text} `))(body);
    if (forge !== null) expect(answerOf(await post({ body: forged, headers }))).toBe("401 unverified");
    if (!inBody) expect(answerOf(await post({ body, headers: {} }))).toBe("401 unverified");
    expect(answerOf(await post({ body: "", headers: {} }))).toBe("401 unverified");
    expect([requests, runs]).toEqual([0, []]);
  });

  it("remembers for longer than the sender retries", async () => {
    const id = freshId();
    await hookOf(sender).post(await deliver(id));
    const parts = sender.name === "shopify" ? ["one.myshopify.com", "orders/create", id] : id;
    const state = await once(connection, await dedupeKey({ sender: sender.name, scope: "/hook", id: parts })).inspect();
    expect(state.state === "done" && state.remaining).toBeGreaterThan(retriesMs);
  });

  it("keeps ids out of Redis", async () => {
    const { post } = hookOf(sender, { scope: "sk_live_scope", replay: true });
    const id = freshId();
    await post(await deliver(id));
    const keys = (await stack.redis.command("KEYS", "*")).split("\r\n").filter((line) => line.startsWith("leasehold:"));
    expect(keys.length).toBeGreaterThan(0);
    const values = await Promise.all(keys.map((key) => stack.redis.command("GET", key)));
    for (const text of [...keys, ...values]) expect(text.includes(id) || text.includes("sk_live")).toBe(false);
  });

  if (resign)
    it("refuses another body under an id that is not signed", async () => {
      const { post } = hookOf(sender);
      const id = freshId();
      await post(await deliver(id));
      const body = '{"another":"body"}';
      const { headers } = await deliver(id);
      const signed = { ...headers, ...(await resign(body)) };
      const status = sender.answers?.mismatch?.code ?? 422;
      expect(answerOf(await post({ body, headers: signed }))).toBe(`${status} mismatch`);
    });

  // The libraries of Standard Webhooks see to that themselves.
  if (!/standard-webhooks|svix/.test(sender.name))
    it("answers 400 without an id, and does not run", async () => {
      const { runs, post } = hookOf(sender);
      const { body, headers } = await deliver("");
      expect(answerOf(await post({ body, headers }))).toBe("400 malformed");
      expect(runs).toEqual([]);
    });
});

describe("what is particular of a sender", () => {
  it("slack: a url_verification goes to the handler after the signature was checked, each time", async () => {
    const { runs, post } = hookOf(senderOf("slack"));
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
      const { runs, post } = hookOf(senderOf(`${prefix}-id`));
      const id = anyId();
      const { body, headers } = standard(prefix)(id);
      expect(answerOf(await post({ body, headers: { ...headers, [`${other}-id`]: anyId() } }))).toBe("400 malformed");
      expect(runs).toEqual([]);
      expect(answerOf(await post({ body, headers: { ...headers, [`${other}-id`]: id } }))).toBe("200 processed");
      expect(answerOf(await post({ body, headers }))).toBe("200 duplicate");
    }
  });

  it("shopify: one event for two topics is two deliveries", async () => {
    const { runs, post } = hookOf(senderOf("shopify"));
    const { body, headers } = await caseOf("shopify").deliver(anyId());
    expect(answerOf(await post({ body, headers }))).toBe("200 processed");
    expect(answerOf(await post({ body, headers: { ...headers, "X-Shopify-Topic": "orders/paid" } }))).toBe(
      "200 processed",
    );
    expect(answerOf(await post({ body, headers: { ...headers, "X-Shopify-Shop-Domain": "two.myshopify.com" } }))).toBe(
      "200 processed",
    );
    expect(runs).toHaveLength(3);
  });

  it("github: one event for two hooks on one URL is two deliveries, and each redelivery is one of them (B20)", async () => {
    const { runs, post } = hookOf(senderOf("github"));
    const sign = caseOf("github").resign ?? expect.unreachable("the signature covers the body alone");
    const id = anyId();
    /** The payload of a hook has its own installation or organization. */
    async function from(hook: string): Promise<Signed> {
      const body = JSON.stringify({ action: "opened", installation: { id: Number(hook) } });
      const { headers } = await caseOf("github").deliver(id);
      return { body, headers: { ...headers, ...(await sign(body)), "X-GitHub-Hook-ID": hook } };
    }
    for (const answer of ["200 processed", "200 duplicate"])
      for (const hook of ["101", "102"]) expect(answerOf(await post(await from(hook)))).toBe(answer);
    expect(runs).toHaveLength(2);
    const { body, headers } = await from("101");
    expect(answerOf(await post({ body, headers: { ...headers, "X-GitHub-Hook-ID": "101, 102" } }))).toBe(
      "400 malformed",
    );
    const key = await dedupeKey({ sender: "github", scope: "/hook", id: ["101", id] });
    expect((await once(connection, key).inspect()).state).toBe("done");
  });

  it("shopify: one event for two subscriptions is two deliveries (B20)", async () => {
    const { runs, post } = hookOf(senderOf("shopify"));
    const sign = caseOf("shopify").resign ?? expect.unreachable("the signature covers the body alone");
    const { headers } = await caseOf("shopify").deliver(anyId());
    // Each subscription selects its own fields.
    const deliveries = await Promise.all(
      ["id", "note"].map(async (field) => {
        const body = `{"${field}":1}`;
        return { body, headers: { ...headers, ...(await sign(body)), "X-Shopify-Webhook-Id": anyId() } };
      }),
    );
    for (const answer of ["200 processed", "200 duplicate"])
      for (const delivery of deliveries) expect(answerOf(await post(delivery))).toBe(answer);
    // Without the delivery's own ID, subscriptions differ by their names.
    const event = { "X-Shopify-Event-Id": anyId() };
    for (const [nth, { body, headers }] of deliveries.entries()) {
      const { "X-Shopify-Webhook-Id": _, ...rest } = headers;
      const named = { ...rest, ...event, "X-Shopify-Name": `subscription ${nth}` };
      expect(answerOf(await post({ body, headers: named }))).toBe("200 processed");
      expect(answerOf(await post({ body, headers: { ...named, "X-Shopify-Webhook-Id": "a b" } }))).toBe(
        "400 malformed",
      );
    }
    expect(runs).toHaveLength(4);
  });

  it("shopify: the headers of Shopify Events are read, of which each subscription has its own delivery (B20)", async () => {
    const { runs, post } = hookOf(
      shopify({ verify: (body, { headers }) => headers.get("Shopify-Hmac-Sha256") === `signed ${body.length}` }),
    );
    const event = anyId();
    function from(handle: string): Signed {
      const body = JSON.stringify({ topic: "Product", action: "update", handle });
      const headers = {
        "Shopify-Topic": "Product",
        "Shopify-Action": "update",
        "Shopify-Handle": handle,
        "Shopify-Shop-Domain": "one.myshopify.com",
        "Shopify-Event-Id": event,
        "Shopify-Webhook-Id": `${event}-${handle}`,
        "Shopify-Hmac-Sha256": `signed ${body.length}`,
      };
      return { body, headers };
    }
    for (const answer of ["200 processed", "200 duplicate"])
      for (const handle of ["prices", "titles"]) expect(answerOf(await post(from(handle)))).toBe(answer);
    expect(runs).toHaveLength(2);
    const { body, headers } = from("prices");
    const { "Shopify-Webhook-Id": _, "Shopify-Event-Id": __, ...anonymous } = headers;
    expect(answerOf(await post({ body, headers: anonymous }))).toBe("400 malformed");
  });

  it("slack: one event for two apps on one URL is two deliveries (B20)", async () => {
    const { runs, post } = hookOf(senderOf("slack"));
    const event_id = anyId();
    for (const answer of ["200 processed", "200 duplicate"])
      for (const api_app_id of ["A1", "A2"])
        expect(answerOf(await post(slackRequest({ type: "event_callback", api_app_id, event_id })))).toBe(answer);
    expect(runs).toHaveLength(2);
  });

  it("github: an id of several, or with blanks, is none", async () => {
    const { post } = hookOf(github({ verify: () => true }));
    for (const id of ["a, b", "a b", "a".repeat(257)]) {
      expect(answerOf(await post({ body: "{}", headers: { "X-GitHub-Delivery": id } }))).toBe("400 malformed");
    }
  });

  it("stripe: an id that is no text, or no well-formed text, is none", async () => {
    const { post } = hookOf(stripe({ verify: () => true }));
    for (const body of ['{"id":1}', '{"id":""}', '{"id":"\\ud800"}', "null", "no json"]) {
      expect(answerOf(await post({ body, headers: {} }))).toBe("400 malformed");
    }
  });

  it("telegram: an id that is no whole number is none", async () => {
    const { post } = hookOf(senderOf("telegram"));
    const { headers } = await caseOf("telegram").deliver("1");
    for (const id of ['"1"', "1.5", "1e300", "null", "[1]"])
      expect(answerOf(await post({ body: `{"update_id":${id}}`, headers }))).toBe("400 malformed");
  });

  it("twilio: a token is bound to the query too, where everything is in a GET", async () => {
    let runs = 0;
    const options = { locks: connection, key: senderOf("twilio"), scope: "sms", replay: true };
    const hook = dedupe(options, () => new Response(`<Response>${++runs}</Response>`));
    const get = async (query: string, token: string): Promise<Response> => {
      const url = `http://localhost/hook?${query}`;
      return hook(new Request(url, { headers: { "I-Twilio-Idempotency-Token": token, ...signedByTwilio("", url) } }));
    };
    const token = anyId();
    await get("Body=yes", token);
    const again = await get("Body=yes", token);
    expect([answerOf(again), await again.text()]).toEqual(["200 duplicate", "<Response>1</Response>"]);
    expect(answerOf(await get("Body=no", token))).toBe("422 mismatch");
  });

  it("sns: the confirmation of a subscription runs once too", async () => {
    const { runs, post } = hookOf(senderOf("sns"));
    const given = { Type: "SubscriptionConfirmation", MessageId: anyId(), SubscribeURL: "https://x", Token: "t" };
    expect(answerOf(await post(snsMessage(given)))).toBe("200 processed");
    expect(answerOf(await post(snsMessage(given)))).toBe("200 duplicate");
    expect(runs).toHaveLength(1);
  });
});

describe("the answers that a sender understands", () => {
  /** The header that ends the retries of a sender, or the absence of one. */
  const headersOf = (response: Response): string =>
    ["Retry-After", "webhook-delivery", "Upstash-NonRetryable-Error"]
      .filter((name) => response.headers.has(name))
      .map((name) => (name === "Retry-After" ? name : `${name}: ${response.headers.get(name)}`))
      .join();

  it.each([
    ["github", "409 running", "Retry-After"],
    ["svix", "409 running", "Retry-After"],
    ["sns", "503 running", "Retry-After"],
    ["qstash", "409 running", ""],
  ])("%s: a duplicate of a running one gets %s, with the header %j", async (name, answer, headers) => {
    const { deliver } = caseOf(name);
    const id = anyId();
    const { begun, end, work } = held<void>();
    const { post } = hookOf(senderOf(name), {}, async () => {
      await work();
      return new Response();
    });
    const first = post(await deliver(id));
    await begun;
    const second = await post(await deliver(id, 2));
    expect([answerOf(second), headersOf(second)]).toEqual([answer, headers]);
    end();
    expect(answerOf(await first)).toBe("200 processed");
    expect(answerOf(await post(await deliver(id, 3)))).toBe("200 duplicate");
  });

  it.each([
    ["github", "422 exhausted", ""],
    ["sns", "422 exhausted", ""],
    ["svix", "422 exhausted", "webhook-delivery: abort-message"],
    ["qstash", "489 exhausted", "Upstash-NonRetryable-Error: true"],
  ])("%s: one that has failed too often gets %s, with the header %j", async (name, answer, headers) => {
    const { deliver } = caseOf(name);
    const id = anyId();
    const { post } = hookOf(senderOf(name), { maxAttempts: 1 }, () => new Response(null, { status: 500 }));
    expect(answerOf(await post(await deliver(id)))).toBe("500 failed");
    const last = await post(await deliver(id, 2));
    expect([answerOf(last), headersOf(last)]).toEqual([answer, headers]);
  });

  it.each([
    ["github", "409 stale", "Retry-After"],
    ["sns", "503 stale", "Retry-After"],
    ["qstash", "409 stale", ""],
  ])("%s: an attempt that was overtaken answers %s, with the header %j", async (name, answer, headers) => {
    const { post } = hookOf(senderOf(name), {}, ({ lease }) => {
      throw new StaleTokenError(lease, lease.token + 1);
    });
    const response = await post(await caseOf(name).deliver(anyId()));
    expect([answerOf(response), headersOf(response)]).toEqual([answer, headers]);
  });

  it.each([
    ["github", "Retry-After"],
    ["sns", "Retry-After"],
    ["qstash", ""],
  ])("%s: without Redis the answer is 503, with the header %j", async (name, headers) => {
    const nowhere = connect({ url: "http://127.0.0.1:1", token: "none", requestTimeout: "200ms" });
    const { post } = hookOf(senderOf(name), { locks: nowhere });
    const response = await post(await caseOf(name).deliver(anyId()));
    expect([answerOf(response), headersOf(response)]).toEqual(["503 unavailable", headers]);
  });
});

describe("verify", () => {
  it.each([undefined, null, {}, { valid: false }, 0, "true"])("may not return %j", async (answer) => {
    const { runs, post } = hookOf(github({ verify: () => answer as never }));
    expect((await post({ body: "{}", headers: { "X-GitHub-Delivery": "a" } })).status).toBe(500);
    expect(runs).toEqual([]);
  });

  it("sees every byte of the body, a byte order mark included", async () => {
    const bodies: string[] = [];
    const verify = (body: string): boolean => bodies.push(body) > 0;
    await hookOf(github({ verify })).post({ body: '\ufeff{"a":1}', headers: { "X-GitHub-Delivery": anyId() } });
    expect(bodies).toEqual(['\ufeff{"a":1}']);
  });
});
