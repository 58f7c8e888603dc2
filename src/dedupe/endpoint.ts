/** Decodes what one path may be written as: `/%68ook` is `/hook`, while `%2F` and `%25` stay what they are. */
function decoded(path: string): string {
  try {
    return decodeURI(path.replaceAll("%25", "%2525")).replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
  } catch {
    return path;
  }
}

/**
 * Names the endpoint that a request came to, one name for all spellings of its path. The host is left out: a server
 * that has several names, or believes any, is one endpoint.
 */
export function endpointOf({ url }: Request, withQuery: boolean): string {
  const { pathname, search } = new URL(url);
  const path = decoded(pathname).replace(/(?<=.)\/$/, "");
  return withQuery ? path + search : path;
}
