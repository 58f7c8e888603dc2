import type { Context, Env } from "hono";
import { checkOptions } from "../shared/checks.ts";
import { type AnyEnv, factory, malformed, type Sender } from "./sender.ts";

export interface IdempotencyKeyOptions {
  /** Whether a POST or PATCH without the header is answered with 400. Default true; else it is not deduplicated. */
  readonly required?: boolean | undefined;
}

type MakeIdempotencyKey = <E extends Env = AnyEnv>(options?: IdempotencyKeyOptions) => Sender<E>;

const HEADER = "Idempotency-Key";

/**
 * The value of the header: a string of structured fields (RFC 8941), or the same without quotes, as many clients send
 * it.
 */
function parse(value: string): string | undefined {
  const [, quoted] = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  // Bare, it must not hold what would make it several, or a quoted one with something wrong.
  return /^[!#-+\--:<-[\]-~]+$/.test(value) ? value : undefined;
}

/**
 * The header `Idempotency-Key`, as the IETF's draft has it: 400 when it is missing or malformed, 409 while the first
 * request with it runs, 422 when it comes again with another method, path, query or body. GET, HEAD and OPTIONS are
 * never deduplicated, other methods than POST and PATCH when they have the header. Remembered for 24 hours by
 * default.
 *
 * Clients choose these keys, so `dedupe` wants a `scope` with it: or one client could be given what another was
 * answered.
 *
 * @throws TypeError when `required` is no boolean.
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
