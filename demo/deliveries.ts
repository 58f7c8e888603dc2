/** Real webhook deliveries, signed as GitHub signs them. */

import { createRequire } from "node:module";
import type { WebhookDefinition } from "@octokit/webhooks-examples";
import { sign } from "@octokit/webhooks-methods";

// The package is one JSON file, which its types describe as a module.
const examples = createRequire(import.meta.url)("@octokit/webhooks-examples") as WebhookDefinition[];

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function signDelivery(secret: string, id: string, event: string, body: string): Promise<Delivery> {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "GitHub-Hookshot/leasehold",
    "X-GitHub-Delivery": id,
    "X-GitHub-Event": event,
    "X-Hub-Signature-256": await sign(secret, body),
  };
  return { id, event, body, headers };
}

/** `count` deliveries with bodies that all differ, every event in turn. */
export async function realDeliveries(secret: string, count: number): Promise<Delivery[]> {
  const found = examples.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload, round) => ({ event: name, body: JSON.stringify(payload), round })),
  );
  const different = new Map(found.map((example) => [example.body, example]));
  const chosen = [...different.values()].sort((one, other) => one.round - other.round).slice(0, count);
  if (chosen.length < count) throw new RangeError(`there are ${chosen.length} different examples, not ${count}`);
  return Promise.all(chosen.map(({ event, body }) => signDelivery(secret, crypto.randomUUID(), event, body)));
}
