import { GatewayError } from "./errors.ts";

const JSON_TYPE = "application/json";

/** A response with a body that is JSON text already. */
export function respond(status: number, json: string): Response {
  return new Response(json, { status, headers: { "content-type": JSON_TYPE } });
}

/** The response to anything thrown. What is not ours is a bare 500: its message could hold a command or a secret. */
export function fail(error: unknown): Response {
  if (!(error instanceof GatewayError)) return respond(500, '{"error":"internal error"}');
  const headers = { ...error.headers, "content-type": JSON_TYPE };
  return new Response(`{"error":${JSON.stringify(error.message)}}`, { status: error.status, headers });
}
