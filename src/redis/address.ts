import { kindOf, misuse, shown } from "../shared/misuse.ts";

/** A host as people write it, with or without what follows. No token looks like that. */
const HOST = /^([a-z\d-]+\.)*[a-z\d-]+(\.[a-z]{2,}|:\d+)(\/.*)?$/;

/** A URL that is given in the place of one of http or https: what of it is no secret, and what is meant. */
function meantBy(text: string): string {
  const { protocol = "", host = "" } = URL.canParse(text) ? new URL(text) : {};
  if (/^rediss?:$/.test(protocol) && host)
    return `"${protocol}//${host}" is Redis's own protocol: give the REST URL ("https://…"), or a client over TCP as redis`;
  if (HOST.test(text)) return `${shown(text)} has no protocol: "https://${text}" or "http://${text}"?`;
  if (/^https?:$/.test(protocol)) return `"${protocol}//${host}" must be without user and password: give them as token`;
  if (host) return `"${protocol}//${host}" must begin with "https://" or "http://"`;
  return 'is not a URL: it must begin with "https://" or "http://". It may be a token, so it is not shown';
}

/**
 * Checks the URL of the REST endpoint, `what` it is called. An error shows no more of it than protocol and host, and
 * nothing where it may be a token, since the two are easily swapped.
 *
 * @throws TypeError without its place.
 */
export function toUrl(url: string | undefined, what: string): string {
  if (url === undefined || url === "")
    throw misuse(TypeError, `${what} is missing: the https URL of the REST endpoint`);
  if (typeof url !== "string") throw misuse(TypeError, `${what} must be text, not ${kindOf(url)}`);
  const href = URL.canParse(url) ? new URL(url).href : "";
  if (/^https?:\/\/[^/@]*\//.test(href)) return href;
  throw misuse(TypeError, `${what} ${meantBy(url)}`);
}

/** Checks the API token: `fetch` would quote one that no header can have in its own error. @throws TypeError */
export function toToken(token: string | undefined, what: string): string {
  if (token === undefined || token === "") throw misuse(TypeError, `${what} is missing: the API token of the endpoint`);
  if (typeof token !== "string") throw misuse(TypeError, `${what} must be text, not ${kindOf(token)}`);
  if (/\s/.test(token)) throw misuse(TypeError, `${what} has blanks or line ends in it: give it without`);
  if (!/^[!-~]+$/.test(token)) throw misuse(TypeError, `${what} has characters that no header can have`);
  return token;
}
