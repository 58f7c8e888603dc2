import { type Bytes, bytesOf } from "../shared/bytes.ts";
import { toWork } from "../shared/checks.ts";
import { decoded } from "../shared/handler-response.ts";
import {
  byteString,
  type FoundBody,
  type HostRequest,
  NO_BODY,
  textOfBytes,
  toRequest,
} from "../shared/host-request.ts";
import { kindOf } from "../shared/misuse.ts";
import { badRequest, type RequestUrl } from "../shared/request-url.ts";
import type { LambdaEvent } from "./event.ts";
import { type Format, formatOf } from "./format.ts";

/** The answer that Lambda accepts. Payload 2.0 has `cookies`; the other formats have headers with several values. */
export interface LambdaResult {
  statusCode: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}

const fromBase64 = (base64: string): Bytes => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

function bodyOf({ body, rawBody, isBase64Encoded = false }: LambdaEvent): FoundBody {
  const found = rawBody ?? body;
  if (found === undefined || found === null) return NO_BODY;
  if (found instanceof Uint8Array) return { kind: "given", bytes: found };
  if (typeof found === "string") return { kind: "given", bytes: isBase64Encoded ? fromBase64(found) : bytesOf(found) };
  const remedy = "leave the parser out for this handler, or keep the original body as event.rawBody";
  return {
    kind: "lost",
    why: `toLambda: event.body is ${kindOf(found)}, not a string: a parser replaced it, and its bytes are lost: ${remedy}`,
  };
}

/** Undoes the decoding of headers as UTF-8. */
const asSent = (values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => (value === undefined ? [] : [byteString(value)]));

/**
 * Finds the headers. A format with several values of a header has the last of them in `headers` as well, or leaves
 * `headers` out. REST APIs have null for none.
 *
 * @throws TypeError for an event without headers.
 */
function headersOf({ headers, multiValueHeaders, cookies = [] }: LambdaEvent): Pick<HostRequest, "presented" | "sent"> {
  if (headers === undefined && multiValueHeaders === undefined)
    throw new TypeError("toLambda: the event has no headers: pass the event on as Lambda made it");
  const sent = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    asSent(values ?? []).map((value): [string, string] => [name, value]),
  );
  if (!headers) return { presented: undefined, sent };
  const presented: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers)) presented[name] = asSent([value]);
  if (cookies.length > 0) presented["cookie"] = asSent([cookies.join("; ")]);
  return { presented, sent };
}

/** Text is sent unchanged, everything else in base64. */
function encodedBody(bytes: Bytes): Pick<LambdaResult, "body" | "isBase64Encoded"> {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), isBase64Encoded: false };
  } catch {
    const text = bytes.reduce((all, byte) => all + String.fromCharCode(byte), "");
    return { body: btoa(text), isBase64Encoded: true };
  }
}

/**
 * Makes the headers of an answer, in the form of the event.
 *
 * @throws TypeError for several cookies if the event's format has one value for each header.
 */
function answerHeaders({ headers }: Response, { answer }: Format): Partial<LambdaResult> {
  const lines = [...headers].map(([name, value]): [string, string] => [name, textOfBytes(value)]);
  const cookies = headers.getSetCookie().map(textOfBytes);
  const single = lines.filter(([name]) => name !== "set-cookie");
  switch (answer) {
    case "cookies":
      return { headers: Object.fromEntries(single), cookies };
    case "multiple": {
      const multiValueHeaders = Object.fromEntries(single.map(([name, value]) => [name, [value]]));
      return { multiValueHeaders: { ...multiValueHeaders, ...(cookies.length > 0 && { "set-cookie": cookies }) } };
    }
    case "single":
      if (cookies.length > 1)
        throw new TypeError(
          "toLambda: the load balancer takes one value for each header, and the response has several cookies: turn on multi-value headers in its target group",
        );
      return { headers: Object.fromEntries(lines.map(([name, value]) => [name, value])) };
  }
}

/**
 * Makes a handler of AWS Lambda from a function from request to response, such as `dedupe` of `leasehold/http` and
 * `cronRoute` return: for an HTTP API and a REST API of API Gateway (payload 2.0 and 1.0), for a function URL, and for
 * an Application Load Balancer. The function is called with the request, then Lambda's own event and context. A response
 * is sent as a whole, once its body has ended.
 *
 * The URL is the public one as far as the event has it: with the stage in its path, and with the order and the encoding
 * of the query only in payload 2.0. Lambda decodes headers as UTF-8; the request has their bytes again, as in Node.
 *
 * An invalid path, such as one with `..`, is answered with 400, and the function is not called.
 *
 * The handler throws what the function throws. It throws a TypeError for an event of another format, for one without
 * headers, and for one whose body is not whole: parsed by a middleware that keeps no `rawBody`, or of another length
 * than its `Content-Length`.
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
    const format = formatOf(event);
    const { method } = format;
    const head = headersOf(event);
    const url: RequestUrl = format.url;
    let response: Response;
    if ("refused" in url) response = badRequest(url.refused);
    else
      response = decoded(
        await handler(toRequest({ method, url: url.url, ...head, body: bodyOf(event) }), event, context),
      );
    return {
      statusCode: response.status,
      ...answerHeaders(response, format),
      ...encodedBody(new Uint8Array(await response.arrayBuffer())),
    };
  };
}
