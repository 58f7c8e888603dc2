import type { Target } from "../redis/target.ts";

/** The maximum number of names whose last token a connection remembers; it keeps the latest ones. */
const MOST_TOKENS = 2000;

/** Remembers the token of a tenure that was granted over this connection. */
export function noteToken({ connection, keys: [key = ""] }: Target, token: number): void {
  const { tokens } = connection.state;
  // Moves the name to the end: the least recently acquired one is forgotten first.
  tokens.delete(key);
  tokens.set(key, token);
  const [oldest] = tokens.keys();
  if (tokens.size > MOST_TOKENS) tokens.delete(oldest as string);
}

/** Whether a tenure was granted over this connection, as far as it remembers. */
export const isOwnToken = ({ connection, keys: [key = ""] }: Target, token: number): boolean =>
  connection.state.tokens.get(key) === token;
