import { field } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies updates of Telegram's Bot API by `update_id`. There is no signature: `verify` compares the header
 * `X-Telegram-Bot-Api-Secret-Token` with the `secret_token` of `setWebhook`. Updates are remembered for 2 days by
 * default; Telegram keeps them for a day. Two bots may use the same IDs, so each bot needs its own path or `scope`.
 *
 * @example
 * ```ts
 * import { timingSafeEqual } from "node:crypto";
 * import type { Verify } from "leasehold/http";
 * const secret = Buffer.from("the secret_token of setWebhook");
 * const verify: Verify = (_, { headers }) => {
 *   const given = Buffer.from(headers.get("X-Telegram-Bot-Api-Secret-Token") ?? "");
 *   return given.length === secret.length && timingSafeEqual(given, secret);
 * };
 * const POST = dedupe({ locks, key: telegram({ verify }) }, () => new Response("ok"));
 * console.log((await POST(new Request("https://example.com/bot", { method: "POST", body: "{}" }))).status); // 401
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const telegram: SignedSender = /* @__PURE__ */ signedSender({
  name: "telegram",
  idName: "update_id",
  ttl: "2d",
  binds: "nothing",
  id(_request, body) {
    const id = field(body, "update_id");
    return Number.isSafeInteger(id) ? `${id}` : undefined;
  },
});
