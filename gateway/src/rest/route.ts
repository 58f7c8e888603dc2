import { pathOf } from "../http/message.ts";
import { factsOf } from "../redis/commands.ts";

/** The shape of a request: one command in the body, several, a transaction, one in the path, or a stream. */
export type Route = "command" | "pipeline" | "transaction" | "stream" | "path";

/** The routes of paths with one segment; a slash at the end changes nothing. */
const ALONE: ReadonlyMap<string, Route> = new Map([
  ["", "command"],
  ["pipeline", "pipeline"],
  ["multi-exec", "transaction"],
]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The route of a request, by its path. */
export function routeOf(target: string): Route {
  const path = pathOf(target);
  const slash = path.indexOf("/", 1);
  const first = slash === -1 ? path.slice(1) : path.slice(1, slash);
  const name = first.includes("%") ? decoded(first) : first;
  const isAlone = slash === -1 || slash === path.length - 1;
  return (isAlone && ALONE.get(name)) || (factsOf([name]).stream === undefined ? "path" : "stream");
}
