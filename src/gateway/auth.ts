import { hash, timingSafeEqual } from "node:crypto";
import { queryPairs } from "./target.ts";

const BEARER = /^bearer +(.+)$/i;

const digest = (token: string): Buffer => hash("sha256", token, "buffer");

function presented(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  if (header !== null) return BEARER.exec(header)?.[1];
  return queryPairs(request.url)
    .find(([key]) => key === "_token")?.[1]
    ?.toString();
}

/**
 * A check of the bearer token, or of `?_token=` where there is no `Authorization` header. Digests are compared and not the
 * tokens, since `timingSafeEqual` wants equal lengths and a check of the length first would tell it.
 */
export function authorizer(token: string): (request: Request) => boolean {
  const expected = digest(token);
  return (request) => {
    const given = presented(request);
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}
