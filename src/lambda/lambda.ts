import type { Bytes } from "../shared/bytes.ts";
import { toWork } from "../shared/checks.ts";
import { badRequest, encoded, type RequestUrl, requestUrl } from "../shared/request-url.ts";

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

/** The answer that Lambda accepts. */
export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: string;
  isBase64Encoded: boolean;
}

const bytesOf = (base64: string): Bytes => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/**
 * Finds the URL of an event. An HTTP API decodes the path, which may then contain characters that end a path in a URL.
 *
 * @throws TypeError for an event of another format.
 */
function urlOf({ rawPath, rawQueryString, requestContext }: LambdaEvent): RequestUrl {
  if (!requestContext?.http?.method || rawPath === undefined)
    throw new TypeError("the event is not of an HTTP API with payload 2.0, nor of a function URL");
  const query = rawQueryString && `?${encoded(rawQueryString, "#")}`;
  return requestUrl("https", requestContext.domainName, encoded(rawPath, "?#\\") || "/", query);
}

function toRequest(event: LambdaEvent, url: URL): Request {
  const { headers, cookies = [], body, isBase64Encoded, requestContext } = event;
  const { method } = requestContext.http;
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

/** Text is sent unchanged, everything else in base64. */
function bodyOf(bytes: Bytes): Pick<LambdaResult, "body" | "isBase64Encoded"> {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), isBase64Encoded: false };
  } catch {
    const text = bytes.reduce((all, byte) => all + String.fromCharCode(byte), "");
    return { body: btoa(text), isBase64Encoded: true };
  }
}

/**
 * Makes a handler of AWS Lambda from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronRoute` return: for an HTTP API of API Gateway (payload 2.0) and for a function URL. The function is called with
 * the request, then Lambda's own event and context. A response is sent as a whole, once its body has ended.
 *
 * An invalid path, such as one with `..`, is answered with 400, and the function is not called.
 *
 * The handler throws what the function throws, and a TypeError for an event of another format.
 *
 * @example
 * ```ts
 * import { dedupe, idempotencyKey } from "leasehold/http";
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? ""; // "" is refused
 * const pay = dedupe({ locks, key: idempotencyKey(), scope }, async (request, { lease }) => {
 *   await record(lease.token);
 *   return Response.json(await request.json(), { status: 201 });
 * });
 * const handler = toLambda(pay);
 * ```
 *
 * @throws TypeError if the handler is not a function.
 */
export function toLambda<Event extends LambdaEvent, Context>(
  handler: (request: Request, event: Event, context: Context) => Response | Promise<Response>,
): (event: Event, context: Context) => Promise<LambdaResult> {
  toWork(handler, "toLambda", "toLambda(handler)", undefined, "handler");
  return async (event, context) => {
    const found = urlOf(event);
    const response =
      "refused" in found ? badRequest(found.refused) : await handler(toRequest(event, found.url), event, context);
    const { status, headers } = response;
    return {
      statusCode: status,
      headers: Object.fromEntries([...headers].filter(([name]) => name !== "set-cookie")),
      cookies: headers.getSetCookie(),
      ...bodyOf(new Uint8Array(await response.arrayBuffer())),
    };
  };
}
