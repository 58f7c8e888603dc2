/** Reads what a server replies to one client, before the SDK does. */
import { type Connection, withMembers } from "../../src/redis/connect.ts";
import type { Command, Outcome, Port } from "../../src/redis/port.ts";
import type { Grant } from "./ledger.ts";

export interface Tap {
  /** The same connection, watched. */
  readonly connection: Connection;
  /** The newest grant of a name, or the one with this token. */
  grantOf(name: string, token?: number): Grant | undefined;
  /** When the server said that the client does not hold the name under this token any more (µs). */
  lossOf(name: string, token: number): number | undefined;
}

/** The grants and losses of a name that are remembered: a late reply may be that of an earlier one. */
const NEWEST = 4;
/** Where a command that runs a script has its first key. */
const KEY = 3;

/** The key of a name's record. */
export const keyOf = (prefix: string, group: string | undefined, name: string): string =>
  group === undefined ? `${prefix}{${name}}` : `${prefix}{${group}}/${name}`;

/** Every reply of a script begins with its status and the server's time. */
function partsOf(outcome: Outcome): readonly [status: string, at: number, ...rest: number[]] | undefined {
  if (outcome.type !== "answered" || !Array.isArray(outcome.result)) return undefined;
  const [status, at, ...rest] = outcome.result as readonly unknown[];
  return [String(status), Number(at), ...rest.map(Number)];
}

export function tap(source: Connection): Tap {
  const grants = new Map<string, readonly Grant[]>();
  const losses = new Map<string, readonly { readonly command: Command; readonly at: number }[]>();

  function read(command: Command, outcome: Outcome): void {
    const key = String(command[KEY]);
    const [status, at = 0, token = 0, remaining = 0] = partsOf(outcome) ?? [];
    if (status === "lost") losses.set(key, [{ command, at }, ...(losses.get(key) ?? [])].slice(0, NEWEST));
    if (status !== "granted") return;
    const earlier = grants.get(key) ?? [];
    // A repeated answer names the same grant.
    if (earlier.some((grant) => grant.token === token && grant.until === at + remaining)) return;
    grants.set(key, [{ token, at, until: at + remaining }, ...earlier].slice(0, NEWEST));
  }

  const port: Port = async (command, signal, behind, parkMs) => {
    const outcome = await source.port(command, signal, behind, parkMs);
    read(command, outcome);
    return outcome;
  };
  const key = (name: string): string => keyOf(source.prefix, source.group, name);
  return {
    connection: withMembers(source, {
      port: source.port.isSingle === undefined ? port : Object.assign(port, { isSingle: source.port.isSingle }),
    }),
    grantOf: (name, token) => grants.get(key(name))?.find((grant) => token === undefined || grant.token === token),
    lossOf: (name, token) => losses.get(key(name))?.find(({ command }) => command.map(String).includes(`${token}`))?.at,
  };
}
