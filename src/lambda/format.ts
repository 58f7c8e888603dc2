import { encoded, type RequestUrl, requestUrl } from "../shared/request-url.ts";
import type { LambdaEvent } from "./event.ts";

/** What the formats of events have in common. */
export interface Format {
  readonly method: string;
  readonly url: RequestUrl;
  /** How an answer has its headers: one value each, cookies apart, or a list of values each. */
  readonly answer: "single" | "cookies" | "multiple";
}

/** A query from its parameters, each of which may occur several times. */
function queryOf(
  { queryStringParameters, multiValueQueryStringParameters }: LambdaEvent,
  encode: (text: string) => string,
): string {
  const parameters = Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {});
  const pairs = parameters.flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${encode(name)}=${encode(value)}`),
  );
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

/** The value of a header, in whatever case the client sent its name. */
function headerOf({ headers, multiValueHeaders }: LambdaEvent, name: string): string | undefined {
  for (const [key, values] of Object.entries({ ...headers, ...multiValueHeaders }))
    if (key.toLowerCase() === name) return [values].flat().at(-1);
  return undefined;
}

/** A gateway may have decoded the path, which then contains characters that end a path in a URL. */
const pathOf = (path: string): string => encoded(path, "?#\\") || "/";

/** Percent-encodes a name or value that API Gateway has decoded. A lone surrogate has no encoding. */
const component = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Of an HTTP API with payload 2.0, or of a function URL. */
function payload2(event: LambdaEvent, method: string, path: string): Format {
  const { rawQueryString = "", requestContext } = event;
  const query = rawQueryString && `?${encoded(rawQueryString, "#")}`;
  const url = requestUrl("https", requestContext.domainName ?? headerOf(event, "host") ?? "", pathOf(path), query);
  return { method, url, answer: "cookies" };
}

/** Of a REST API, or of an HTTP API with payload 1.0. Only the path of the context has the stage, as the client does. */
function payload1(event: LambdaEvent, method: string, path: string): Format {
  const { domainName, path: whole } = event.requestContext;
  const host = domainName ?? headerOf(event, "host") ?? "";
  return {
    method,
    url: requestUrl("https", host, pathOf(whole ?? path), queryOf(event, component)),
    answer: "multiple",
  };
}

/** Of an Application Load Balancer, which sets `X-Forwarded-Proto` itself and decodes nothing. */
function loadBalancer(event: LambdaEvent, method: string, path: string): Format {
  const query = queryOf(event, (text) => encoded(text, "#"));
  const protocol = headerOf(event, "x-forwarded-proto") ?? "";
  const url = requestUrl(protocol, headerOf(event, "host") ?? "", pathOf(path), query);
  return { method, url, answer: event.multiValueHeaders ? "multiple" : "single" };
}

/** Recognizes the format of an event. @throws TypeError for another one. */
export function formatOf(event: LambdaEvent): Format {
  const { requestContext, rawPath, httpMethod, path } = event;
  const method = requestContext?.http?.method;
  if (method && rawPath !== undefined) return payload2(event, method, rawPath);
  if (requestContext && httpMethod && path !== undefined)
    return requestContext.elb ? loadBalancer(event, httpMethod, path) : payload1(event, httpMethod, path);
  throw new TypeError(
    "toLambda: the event is not of API Gateway (payload 1.0 or 2.0), a function URL or an Application Load Balancer",
  );
}
