import { createHash, createHmac, createSign, createVerify, generateKeyPairSync } from "node:crypto";
import { createRequire } from "node:module";
import type { WebhookDefinition } from "@octokit/webhooks-examples";
import { sign, verify as verifyGithub } from "@octokit/webhooks-methods";
import { Receiver } from "@upstash/qstash";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import {
  github,
  linear,
  paddle,
  qstash,
  type Sender,
  shopify,
  slack,
  sns,
  standardWebhooks,
  stripe,
  svix,
  telegram,
  twilio,
} from "../../src/http/index.ts";

const SECRET = "the-secret-of-the-hook";
const STANDARD_SECRET = `whsec_${btoa("the-secret-of-the-hook-00")}`;
const HOUR_MS = 3_600_000;
/** Where the tests mount the sender. */
const URL_OF_HOOK = "http://localhost/hook";
const client = new Stripe("sk_test_nothing");
const examples = createRequire(import.meta.url)("@octokit/webhooks-examples") as WebhookDefinition[];
const now = (): number => Math.floor(Date.now() / 1000);
const hmac = (text: string, encoding: "hex" | "base64"): string =>
  createHmac("sha256", SECRET).update(text).digest(encoding);

export interface Signed {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A sender as it is: real signatures, checked by the library that users would take. */
export interface Case {
  readonly name: string;
  readonly sender: Sender;
  /** The same event again is the same id; `nth` delivery of it. */
  deliver(id: string, nth?: number): Promise<Signed> | Signed;
  /** Signs another body, where the signature does not cover the id and the id is bound to its body instead. */
  readonly resign?: (body: string) => Promise<Record<string, string>> | Record<string, string>;
  /** Makes a body that the signature does not cover; null where the sender proves itself without a signature. */
  readonly forge?: ((body: string) => string) | null;
  /** Whether the signature is a part of the body. */
  readonly inBody?: true;
  /** Makes an id of the sender's kind. */
  readonly freshId?: () => string;
  /** How long it goes on delivering. */
  readonly retriesMs: number;
}

const githubBody = JSON.stringify(examples.find(({ name }) => name === "issues")?.examples[0]);
const webhook = new Webhook(STANDARD_SECRET);
export const standard = (prefix: string) => (id: string) => {
  const body = '{"type":"user.created"}';
  const at = new Date();
  const headers = {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: `${Math.floor(at.getTime() / 1000)}`,
    [`${prefix}-signature`]: webhook.sign(id, at, body),
  };
  return { body, headers };
};
const verifyStandard = (prefix: string) => (body: string, request: Request) => {
  const header = (name: string): string => request.headers.get(`${prefix}-${name}`) ?? "";
  const names = ["id", "timestamp", "signature"];
  webhook.verify(body, Object.fromEntries(names.map((name) => [`webhook-${name}`, header(name)])));
  return true;
};

export const cases: readonly Case[] = [
  {
    name: "stripe",
    sender: stripe({
      verify: async (body, { headers }) =>
        Boolean(await client.webhooks.constructEventAsync(body, headers.get("Stripe-Signature") ?? "", SECRET)),
    }),
    deliver(id, nth = 1) {
      // Stripe counts down what is still to be delivered.
      const body = JSON.stringify({ id, object: "event", type: "charge.succeeded", pending_webhooks: 3 - nth });
      const header = client.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
      return { body, headers: { "Stripe-Signature": header } };
    },
    retriesMs: 72 * HOUR_MS,
  },
  {
    name: "github",
    sender: github({
      verify: (body, { headers }) => verifyGithub(SECRET, body, headers.get("X-Hub-Signature-256") ?? ""),
    }),
    deliver: async (id) => ({
      body: githubBody,
      headers: {
        "X-GitHub-Delivery": id,
        "X-GitHub-Event": "issues",
        "X-Hub-Signature-256": await sign(SECRET, githubBody),
      },
    }),
    resign: async (body) => ({ "X-Hub-Signature-256": await sign(SECRET, body) }),
    retriesMs: 72 * HOUR_MS,
  },
  {
    name: "shopify",
    sender: shopify({ verify: (body, { headers }) => headers.get("X-Shopify-Hmac-Sha256") === hmac(body, "base64") }),
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
    resign: (body) => ({ "X-Shopify-Hmac-Sha256": hmac(body, "base64") }),
    retriesMs: 4 * HOUR_MS,
  },
  {
    name: "webhook-id",
    sender: standardWebhooks({ verify: verifyStandard("webhook") }),
    deliver: standard("webhook"),
    retriesMs: 28 * HOUR_MS,
  },
  {
    name: "svix-id",
    sender: standardWebhooks({ verify: verifyStandard("svix") }),
    deliver: standard("svix"),
    retriesMs: 28 * HOUR_MS,
  },
  {
    name: "slack",
    sender: slack({
      verify: (body, { headers }) =>
        headers.get("X-Slack-Signature") ===
        `v0=${hmac(`v0:${headers.get("X-Slack-Request-Timestamp")}:${body}`, "hex")}`,
    }),
    deliver: (id, nth = 1) => slackRequest({ type: "event_callback", event_id: id, event: { type: "message" } }, nth),
    retriesMs: 24 * HOUR_MS,
  },
  {
    name: "svix",
    sender: svix({ verify: verifyStandard("svix") }),
    deliver: standard("svix"),
    retriesMs: 28 * HOUR_MS,
  },
  {
    name: "linear",
    sender: linear({ verify: (body, { headers }) => headers.get("Linear-Signature") === hmac(body, "hex") }),
    deliver(id) {
      const body = JSON.stringify({ action: "create", type: "Issue", webhookTimestamp: Date.now() });
      return { body, headers: { "Linear-Delivery": id, "Linear-Signature": hmac(body, "hex") } };
    },
    retriesMs: 8 * HOUR_MS,
  },
  {
    name: "paddle",
    sender: paddle({
      verify(body, { headers }) {
        const [, ts, h1] = /^ts=(\d+);h1=(\w+)$/.exec(headers.get("Paddle-Signature") ?? "") ?? [];
        return h1 === hmac(`${ts}:${body}`, "hex");
      },
    }),
    deliver(id, nth = 1) {
      const body = JSON.stringify({ event_id: id, event_type: "transaction.paid", notification_id: `ntf_${nth}` });
      return { body, headers: { "Paddle-Signature": `ts=${now()};h1=${hmac(`${now()}:${body}`, "hex")}` } };
    },
    retriesMs: 72 * HOUR_MS,
  },
  {
    name: "qstash",
    sender: qstash({
      verify: (body, { headers }) =>
        receiver.verify({ body, url: URL_OF_HOOK, signature: headers.get("Upstash-Signature") ?? "" }),
    }),
    deliver(id, nth = 1) {
      const body = '{"job":"resize"}';
      const headers = { "Upstash-Message-Id": id, "Upstash-Retried": `${nth - 1}` };
      return { body, headers: { ...headers, "Upstash-Signature": qstashSignature(body) } };
    },
    resign: (body) => ({ "Upstash-Signature": qstashSignature(body) }),
    // Five retries at QStash's own pace: 12 s, 2 min, 30 min, 6 h, a day.
    retriesMs: 31 * HOUR_MS,
  },
  {
    name: "sns",
    sender: sns({ verify: (body) => isOfSns(JSON.parse(body)) }),
    deliver: (id) => snsMessage({ MessageId: id }),
    // The signature covers the values, not the bytes.
    inBody: true,
    forge: (body) => JSON.stringify({ ...JSON.parse(body), Message: "forged" }),
    retriesMs: HOUR_MS,
  },
  {
    name: "telegram",
    sender: telegram({ verify: (_, { headers }) => headers.get("X-Telegram-Bot-Api-Secret-Token") === SECRET }),
    deliver: (id) => ({
      body: JSON.stringify({ update_id: id && Number(id), message: { text: "/start" } }),
      headers: { "X-Telegram-Bot-Api-Secret-Token": SECRET },
    }),
    forge: null,
    freshId: () => `${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}`,
    retriesMs: 24 * HOUR_MS,
  },
  {
    name: "twilio",
    sender: twilio({
      verify: (body, { headers, url }) => headers.get("X-Twilio-Signature") === twilioSignature(url, body),
    }),
    deliver(id) {
      const body = `${new URLSearchParams({ To: "+15550001", MessageSid: "SM1", From: "+15550002", Body: "Grüße" })}`;
      return { body, headers: { "I-Twilio-Idempotency-Token": id, ...signedByTwilio(body) } };
    },
    resign: (body) => signedByTwilio(body),
    retriesMs: 15_000,
  },
];

const receiver = new Receiver({ currentSigningKey: SECRET, nextSigningKey: "the-next-key" });

/** A JWT over the address and the digest of the body, another one each time. */
export function qstashSignature(body: string, { secret = SECRET, url = URL_OF_HOOK } = {}): string {
  const part = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString("base64url");
  const digest = createHash("sha256").update(body).digest("base64url");
  const times = { exp: now() + 300, nbf: now() - 1, iat: now() };
  const claims = { iss: "Upstash", sub: url, jti: crypto.randomUUID(), body: digest, ...times };
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** The text that Amazon signs, in the order of the fields' names: a name and a value by turns. */
const signedFields = (message: Record<string, string>): string =>
  ["Message", "MessageId", "SubscribeURL", "Subject", "Timestamp", "Token", "TopicArn", "Type"]
    .filter((name) => name in message)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
const isOfSns = (message: Record<string, string>): boolean =>
  createVerify("sha256").update(signedFields(message)).verify(keys.publicKey, `${message["Signature"]}`, "base64");

/** A message of SNS with signature version 2. */
export function snsMessage(given: Record<string, string>): Signed {
  const TopicArn = "arn:aws:sns:us-east-1:123456789012:orders";
  const message = { Type: "Notification", TopicArn, Message: "hello", Timestamp: new Date().toISOString(), ...given };
  const Signature = createSign("sha256").update(signedFields(message)).sign(keys.privateKey, "base64");
  const headers = { "x-amz-sns-message-type": message.Type, "Content-Type": "text/plain; charset=UTF-8" };
  return { body: JSON.stringify({ ...message, SignatureVersion: "2", Signature }), headers };
}

/** The address, and all fields of the body by name. */
function twilioSignature(url: string, body: string): string {
  const fields = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac("sha1", SECRET)
    .update(`${url}${fields.flat().join("")}`)
    .digest("base64");
}
export const signedByTwilio = (body: string, url: string = URL_OF_HOOK): Record<string, string> => ({
  "X-Twilio-Signature": twilioSignature(url, body),
  ...(body && { "Content-Type": "application/x-www-form-urlencoded" }),
});

export function slackRequest(payload: object, nth = 1): Signed {
  const body = JSON.stringify(payload);
  const at = `${now() + nth}`;
  return {
    body,
    headers: { "X-Slack-Request-Timestamp": at, "X-Slack-Signature": `v0=${hmac(`v0:${at}:${body}`, "hex")}` },
  };
}
