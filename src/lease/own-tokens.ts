import type { Target } from "../redis/target.ts";

/** The maximum number of names whose last token a connection remembers. */
const MAX_TOKENS = 2000;

/** Remembers the token of a tenure that was granted over this connection. */
export function noteToken({ connection, keys: [key = ""] }: Target, token: number): void {
  const { tokens } = connection.state;
  if (tokens.size >= MAX_TOKENS) tokens.clear();
  tokens.set(key, token);
}

/** Whether a tenure was granted over this connection, as far as it remembers. */
export const isOwnToken = ({ connection, keys: [key = ""] }: Target, token: number): boolean =>
  connection.state.tokens.get(key) === token;
