import { type Connection, connect, type Locks } from "../../src/index.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

/** The names that an example in a doc comment may use without making them: those of the README's examples and more. */
export interface Given extends Surroundings {
  readonly connection: Connection;
  readonly locks: Locks;
  /** To three servers. */
  readonly connections: readonly Connection[];
}

export const GIVEN: readonly (keyof Given)[] = [
  ...(["connection", "connections", "locks", "url", "token", "env", "ctx", "deliveryId", "body"] as const),
  ...(["charge", "record", "respond", "settle", "build"] as const),
];

export async function given(urls: readonly [string, string, string], token: string, redisUrl: string): Promise<Given> {
  const [url, ...others] = urls;
  const { globals } = await surroundings(url, token, others, redisUrl);
  const connections = urls.map((each) => connect({ url: each, token }));
  return { ...globals, connection: globals.locks.connection, connections };
}
