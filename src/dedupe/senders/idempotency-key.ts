import { checkOptions, toFlag } from "../../shared/checks.ts";
import { isIdentity } from "../../shared/identity.ts";
import { inCall } from "../../shared/misuse.ts";
import { factory, malformed, type Sender } from "../sender.ts";

/** Options of {@link idempotencyKey}. */
export interface IdempotencyKeyOptions {
  /** Whether a POST or PATCH without the header gets 400. Default true; with false it is not deduplicated. */
  readonly required?: boolean | undefined;
}

const HEADER = "Idempotency-Key";

/** Parses the header: a string of structured fields (RFC 8941), or an unquoted one, as many clients send it. */
function parse(value: string): string | undefined {
  const [, quoted] = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  // An unquoted value must not contain a comma, a semicolon or a quote: it would be a list or a malformed string.
  return /^[!#-+\--:<-[\]-~]+$/.test(value) ? value : undefined;
}

/**
 * Identifies requests by the header `Idempotency-Key`, by the IETF's draft (draft-ietf-httpapi-idempotency-key-header):
 *
 * - 400 if the header is missing or malformed;
 * - 409 while the first request with the key runs;
 * - 422 if the key is reused with another method, path, query or body.
 *
 * POST and PATCH need the header (see `required`). Other methods are deduplicated if they have it; GET, HEAD and
 * OPTIONS never are. Answers are remembered for 24 hours by default.
 *
 * Clients choose these keys, so `dedupe` requires a `scope`. Otherwise one client could receive another's answer.
 *
 * @example
 * ```ts
 * const scope = ({ headers }: Request) => headers.get("Authorization") ?? ""; // "" is refused
 * const POST = dedupe({ locks, key: idempotencyKey(), scope }, () => Response.json({ paid: true }, { status: 201 }));
 * const answer = await POST(new Request("https://example.com/payments", { method: "POST" }));
 * console.log(answer.status); // 400: the header is missing
 * ```
 *
 * @throws TypeError if `required` is not a boolean.
 */
export const idempotencyKey: (options?: IdempotencyKeyOptions) => Sender = /* @__PURE__ */ factory((options = {}) => {
  const { required = true } = options ?? {};
  inCall("idempotencyKey", () => {
    checkOptions(options, "required");
    toFlag(required, "required");
  });
  return {
    name: "idempotency-key",
    idName: HEADER,
    ttl: "24h",
    binds: "request",
    needsScope: true,
    async id(x) {
      const { method, headers } = x.held.request;
      if (/^(GET|HEAD|OPTIONS)$/.test(method)) return null;
      const value = headers.get(HEADER);
      if (value !== null) {
        const key = parse(value);
        return isIdentity(key) ? key : malformed(x, HEADER, "malformed");
      }
      return required && /^(POST|PATCH)$/.test(method) ? malformed(x, HEADER, "missing") : null;
    },
  };
});
