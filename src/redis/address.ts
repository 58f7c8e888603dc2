import { kindOf, misuse, shown } from "../shared/misuse.ts";

/** A host as people write it, with or without port and path. No token looks like that. */
const HOST = /^([a-z\d-]+\.)*[a-z\d-]+(\.[a-z]{2,}|:\d+)(\/.*)?$/;

/** Says what is wrong with a URL that is not http or https, without parts that may be secret. */
function whyNoUrl(text: string, overTcp: string): string {
  const { protocol = "", host = "" } = URL.canParse(text) ? new URL(text) : {};
  if (/^rediss?:$/.test(protocol) && host)
    return `"${protocol}//${host}" is Redis's own protocol: pass the REST URL ("https://…"), or ${overTcp}`;
  if (HOST.test(text)) return `${shown(text)} has no protocol: "https://${text}" or "http://${text}"?`;
  if (/^https?:$/.test(protocol))
    return `"${protocol}//${host}" must not contain a user or password: pass the API token as token`;
  if (host) return `"${protocol}//${host}" must begin with "https://" or "http://"`;
  return 'is not a URL: it must begin with "https://" or "http://". It may be a token, so it is not shown';
}

/**
 * Checks the URL of the REST endpoint; `what` is its name in errors. `overTcp` says what to do about a `redis:` URL. An
 * error shows only the protocol and host, and nothing if the text may be a token, since the two are easily swapped.
 *
 * @throws TypeError; the message does not name the call.
 */
export function toUrl(url: string | undefined, what: string, overTcp = "pass a TCP client as redis"): string {
  if (url === undefined || url === "")
    throw misuse(TypeError, `${what} is missing: the https URL of the REST endpoint`);
  if ((url as unknown) instanceof URL)
    throw misuse(TypeError, `${what} must be a string, not a URL object: pass its href`);
  if (typeof url !== "string") throw misuse(TypeError, `${what} must be a string, not ${kindOf(url)}`);
  const href = URL.canParse(url) ? new URL(url).href : "";
  if (/^https?:\/\/[^/@]*\//.test(href)) return href;
  throw misuse(TypeError, `${what} ${whyNoUrl(url, overTcp)}`);
}

/** Checks the API token, since `fetch` would quote an invalid header value in its own error. @throws TypeError */
export function toToken(token: string | undefined, what: string): string {
  if (token === undefined || token === "") throw misuse(TypeError, `${what} is missing: the API token of the endpoint`);
  if (typeof token !== "string") throw misuse(TypeError, `${what} must be a string, not ${kindOf(token)}`);
  if (/\s/.test(token)) throw misuse(TypeError, `${what} contains spaces or line breaks: remove them`);
  if (!/^[!-~]+$/.test(token))
    throw misuse(TypeError, `${what} contains characters that an HTTP header cannot have: copy it again`);
  return token;
}
