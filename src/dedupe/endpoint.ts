/** Decodes equivalent spellings of a path: `/%68ook` is `/hook`, while `%2F` and `%25` stay unchanged. */
function decoded(path: string): string {
  try {
    return decodeURI(path.replaceAll("%25", "%2525")).replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
  } catch {
    return path;
  }
}

/**
 * Names the endpoint of a request, the same for all spellings of its path. The host is left out, since a server with
 * several names, or one that accepts any, is one endpoint.
 */
export function endpointOf({ url }: Request, withQuery: boolean): string {
  const { pathname, search } = new URL(url);
  const path = decoded(pathname).replace(/(?<=.)\/$/, "");
  return withQuery ? path + search : path;
}
