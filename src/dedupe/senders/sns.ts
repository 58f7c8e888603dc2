import { textField } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/** A status after which SNS retries. */
const RETRIED = { code: 503 };

/**
 * Identifies messages of Amazon SNS by `MessageId`, which the signature covers and a retry keeps; confirmations of a
 * subscription also have one. Messages are remembered for a day by default; SNS retries for at most an hour.
 *
 * SNS retries only after 429 and 5xx. So a duplicate of a running message gets 503 instead of 409, and a handler that
 * needs a retry must throw or answer 5xx. Messages with raw delivery are not signed.
 *
 * @example
 * ```ts no-run
 * declare function verifySns(message: unknown): Promise<boolean>; // for example by the package sns-validator
 * const key = sns({ verify: (body) => verifySns(JSON.parse(body)) });
 * const POST = dedupe({ locks, key }, async (request) => {
 *   const { Type, SubscribeURL, Message } = await request.json();
 *   if (Type === "SubscriptionConfirmation") await fetch(SubscribeURL);
 *   else await record(Message);
 *   return new Response("ok");
 * });
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const sns: SignedSender = /* @__PURE__ */ signedSender({
  name: "sns",
  idName: "MessageId",
  ttl: "1d",
  binds: "nothing",
  signsId: true,
  answers: { running: RETRIED, stale: RETRIED },
  id: (_request, body) => textField(body, "MessageId"),
});
