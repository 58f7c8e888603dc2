import type { Context, Env } from "hono";
import { checkOptions } from "../shared/checks.ts";
import { type AnyEnv, factory, malformed, type Sender } from "./sender.ts";

export interface IdempotencyKeyOptions {
  /** Whether a POST or PATCH without the header gets 400. Default true; with false it is not deduplicated. */
  readonly required?: boolean | undefined;
}

type MakeIdempotencyKey = <E extends Env = AnyEnv>(options?: IdempotencyKeyOptions) => Sender<E>;

const HEADER = "Idempotency-Key";

/** Parses the header: a string of structured fields (RFC 8941), or the same without quotes, as many clients send it. */
function parse(value: string): string | undefined {
  const [, quoted] = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  // An unquoted value must not contain a comma, a semicolon or a quote: it would be a list or a malformed string.
  return /^[!#-+\--:<-[\]-~]+$/.test(value) ? value : undefined;
}

/**
 * Identifies requests by the header `Idempotency-Key`, by the IETF's draft (draft-ietf-httpapi-idempotency-key-header):
 *
 * - 400 when the header is missing or malformed;
 * - 409 while the first request with the key runs;
 * - 422 when the key comes again with another method, path, query or body.
 *
 * POST and PATCH need the header (see `required`), other methods are deduplicated when they have it, and GET, HEAD and
 * OPTIONS never are. Answers are remembered for 24 hours by default.
 *
 * Clients choose these keys, so `dedupe` requires a `scope` with it: else one client could get another's answer.
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 * const app = new Hono();
 * const once = dedupe({ locks, key: idempotencyKey(), scope: (c) => c.req.header("Authorization") ?? "nobody" });
 * app.post("/payments", once, (c) => c.json({ paid: true }, 201));
 * console.log((await app.request("/payments", { method: "POST" })).status); // 400: the header is missing
 * ```
 *
 * @throws TypeError when `required` is not a boolean.
 */
export const idempotencyKey: MakeIdempotencyKey = /* @__PURE__ */ factory((options: IdempotencyKeyOptions = {}) => {
  checkOptions(options, "required");
  const { required = true } = options;
  if (typeof required !== "boolean") throw new TypeError("required must be true or false");
  return {
    name: "idempotency-key",
    idName: HEADER,
    ttl: "24h",
    binds: "request",
    needsScope: true,
    async id(c: Context) {
      if (/^(GET|HEAD|OPTIONS)$/.test(c.req.method)) return null;
      const value = c.req.header(HEADER);
      if (value === undefined) {
        return required && /^(POST|PATCH)$/.test(c.req.method) ? malformed(c, HEADER, "missing") : null;
      }
      return parse(value) ?? malformed(c, HEADER, "malformed");
    },
  };
});
