/** The shape of a request: one command in the body, several, a transaction, one in the path, or a stream. */
export type Route = "command" | "pipeline" | "transaction" | "stream" | "path";

const FIRST = /^[^/]*:\/\/[^/?]*\/?([^/?]*)/;

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ["", "command"],
  ["pipeline", "pipeline"],
  ["multi-exec", "transaction"],
  ["subscribe", "stream"],
  ["psubscribe", "stream"],
  ["monitor", "stream"],
]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The shape of a request, by the first segment of its path. */
export function routeOf(url: string): Route {
  const [, first = ""] = FIRST.exec(url) ?? [];
  return ROUTES.get(first.includes("%") ? decoded(first).toLowerCase() : first.toLowerCase()) ?? "path";
}
