import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/** Leaves the time of the next retry to QStash. */
const PACED = { retryAfterMs: undefined };
/** Stops the retries of a message. */
const DEAD = { code: 489, headers: { "Upstash-NonRetryable-Error": "true" } };

/**
 * Identifies messages of QStash by the header `Upstash-Message-Id`. The signature does not cover it, so an ID is bound
 * to its body. Messages are remembered for 7 days by default; five retries take about 30 hours.
 *
 * QStash retries a few times after every answer that is not 2xx. While a message runs, a duplicate gets 409 without
 * `Retry-After`, so QStash keeps its own delays (12 s, 2 min, 30 min, 6 h, then daily), which outlast the run. Retries
 * at the lease's pace would be used up within minutes, and the message would count as failed. If QStash must not retry,
 * the answer is 489 with `Upstash-NonRetryable-Error`, which moves the message to the dead letter queue.
 *
 * @example
 * ```ts
 * import { Receiver } from "@upstash/qstash";
 * import type { Verify } from "leasehold/http";
 * const receiver = new Receiver({ currentSigningKey: "sig_…", nextSigningKey: "sig_…" });
 * const url = "https://example.com/api/queue";
 * const verify: Verify = (body, { headers }) =>
 *   receiver.verify({ body, url, signature: headers.get("Upstash-Signature") ?? "" });
 * const POST = dedupe({ locks, key: qstash({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request(url, { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const qstash: SignedSender = /* @__PURE__ */ signedSender({
  name: "qstash",
  idName: "Upstash-Message-Id",
  ttl: "7d",
  binds: "body",
  answers: { running: PACED, stale: PACED, unavailable: PACED, exhausted: DEAD, mismatch: DEAD },
  id: (request) => word(request, "Upstash-Message-Id"),
});
