import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const SANE = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own id of a request (`X-Request-Id`) where it can go into a header and a log as it is, a new one otherwise. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && SANE.test(given) ? given : randomUUID();
}
