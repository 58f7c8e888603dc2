import type { Bytes } from "../shared/bytes.ts";
import { toFunction } from "../shared/checks.ts";

/** The used part of an event: of an HTTP API of API Gateway (payload 2.0), or of a function URL. */
export interface LambdaEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: string[] | undefined;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } };
}

/** The answer that Lambda takes. */
export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: string;
  isBase64Encoded: boolean;
}

const bytesOf = (base64: string): Bytes => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** @throws TypeError for an event of another format. */
function toRequest(event: LambdaEvent): Request {
  const { rawPath, rawQueryString, headers, cookies = [], body, isBase64Encoded, requestContext } = event;
  const { method } = requestContext?.http ?? {};
  if (!method || rawPath === undefined)
    throw new TypeError("the event is not of an HTTP API with payload 2.0, nor of a function URL");
  const url = new URL(`https://${requestContext.domainName}${rawPath}${rawQueryString && `?${rawQueryString}`}`);
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given.set(name, value);
  if (cookies.length > 0) given.set("cookie", cookies.join("; "));
  const content = body !== undefined && isBase64Encoded ? bytesOf(body) : body;
  return new Request(url, {
    method,
    headers: given,
    ...(content !== undefined && !/^(GET|HEAD)$/.test(method) && { body: content }),
  });
}

/** Text goes as it is, all else in base64. */
function encoded(bytes: Bytes): Pick<LambdaResult, "body" | "isBase64Encoded"> {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), isBase64Encoded: false };
  } catch {
    const text = bytes.reduce((all, byte) => all + String.fromCharCode(byte), "");
    return { body: btoa(text), isBase64Encoded: true };
  }
}

/**
 * Makes a handler of AWS Lambda from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronGuard` return: for an HTTP API of API Gateway (payload 2.0) and for a function URL. The function is called with
 * the request, then Lambda's own event and context. A response is sent whole, when its body has ended.
 *
 * The handler throws what the function throws, and a TypeError for an event of another format.
 *
 * @example
 * ```ts
 * import { dedupe, idempotencyKey } from "leasehold/http";
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? "nobody";
 * const pay = dedupe({ locks, key: idempotencyKey(), scope }, async (request, { lease }) => {
 *   await record(lease.token);
 *   return Response.json(await request.json(), { status: 201 });
 * });
 * const handler = toLambda(pay);
 * ```
 *
 * @throws TypeError when the handler is not a function.
 */
export function toLambda<Event extends LambdaEvent, Context>(
  handler: (request: Request, event: Event, context: Context) => Response | Promise<Response>,
): (event: Event, context: Context) => Promise<LambdaResult> {
  toFunction(handler, "handler");
  return async (event, context) => {
    const response = await handler(toRequest(event), event, context);
    const { status, headers } = response;
    return {
      statusCode: status,
      headers: Object.fromEntries([...headers].filter(([name]) => name !== "set-cookie")),
      cookies: headers.getSetCookie(),
      ...encoded(new Uint8Array(await response.arrayBuffer())),
    };
  };
}
