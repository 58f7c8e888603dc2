import { toBytes } from "./bytes.ts";

/** A request of the REST protocol that cannot be run. */
export class BadRequest extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A raw request. */
export interface Incoming {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly header: (name: string) => string | null | undefined;
  /** JSON as text; in the path form, one character for each byte. */
  readonly body: string;
}

export type Commands = readonly (readonly string[])[];

/** A valid request. */
export interface Understood {
  readonly shape: "command" | "pipeline" | "transaction";
  readonly commands: Commands;
}

const refuse = (message: string): never => {
  throw new BadRequest(`ERR ${message}`);
};

function word(value: unknown): string {
  if (typeof value === "string") return toBytes(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return refuse("command arguments must be strings, numbers, booleans or null");
}

function command(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) return refuse(`failed to parse ${what}: a command is a JSON array`);
  return value.length === 0 ? refuse("empty command") : value.map(word);
}

function json(body: string, what: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return refuse(`failed to parse ${what}: the body is not valid JSON`);
  }
}

function commands(body: string, what: string): string[][] {
  const list = json(body, what);
  if (!Array.isArray(list)) return refuse(`failed to parse ${what}: the body is not a JSON array of commands`);
  return list.length === 0 ? refuse(`empty ${what}`) : list.map((item) => command(item, what));
}

/** Percent-decoding to bytes. A `%` that does not begin an escape is literal. */
const decode = (text: string): string =>
  toBytes(text).replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** The query's parameters in order: `EX=100` is a pair, `NX` is a single word. */
export function queryOf(target: string): string[][] {
  const mark = target.indexOf("?");
  if (mark === -1) return [];
  const parts = target
    .slice(mark + 1)
    .replace(/#.*/s, "")
    .split("&")
    .filter((part) => part !== "");
  return parts.map((part) => {
    const [, name = "", , value] = /^([^=]*)(=(.*))?$/s.exec(part.replaceAll("+", " ")) ?? [];
    return value === undefined ? [decode(name)] : [decode(name), decode(value)];
  });
}

const STREAMS = /^(p?subscribe|monitor)$/i;

/**
 * Reads a request.
 *
 * @throws BadRequest
 */
export function understand({ target, body }: Incoming): Understood {
  const path = target.replace(/[?#].*$/s, "").replace(/(.)\/$/, "$1");
  if (path === "/" || path === "") return { shape: "command", commands: [command(json(body, "command"), "command")] };
  if (path === "/pipeline") return { shape: "pipeline", commands: commands(body, "pipeline request") };
  if (path === "/multi-exec") return { shape: "transaction", commands: commands(body, "transaction") };
  const [, name = "", ...args] = target
    .replace(/[?#].*$/s, "")
    .split("/")
    .map(decode);
  if (STREAMS.test(name)) refuse("this Redis in memory has no streams of events");
  if (name === "") refuse("empty command");
  const pairs = queryOf(target).filter(([key]) => key !== "_token");
  return { shape: "command", commands: [[name, ...args, ...(body === "" ? [] : [body]), ...pairs.flat()]] };
}
