import { BadRequest } from "./rest-error.ts";

/** How a server represents the words of commands. */
export interface WordForm<W> {
  readonly ofText: (text: string) => W;
  /** From bytes that are not UTF-8, one character for each. */
  readonly ofBytes: (bytes: string) => W;
}

/** The shape of a request: one command in the body, several, a transaction, one in the path, or a stream. */
export type Route = "command" | "pipeline" | "transaction" | "stream" | "path";

/** The routes of paths with one segment; a trailing slash changes nothing. */
const ALONE: ReadonlyMap<string, Route> = new Map([
  ["", "command"],
  ["pipeline", "pipeline"],
  ["multi-exec", "transaction"],
]);

/** The commands after which a server keeps sending. */
const STREAMS = /^(p?subscribe|monitor)$/i;

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

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
  return (isAlone && ALONE.get(name)) || (STREAMS.test(name) ? "stream" : "path");
}

const encoder = new TextEncoder();

/**
 * Decodes percent escapes. Bytes that are not UTF-8 are kept, so that the path form is as binary-safe as the body. A
 * `%` without two digits is literal, as in URLs.
 */
function decode<W>(text: string, form: WordForm<W>): W {
  if (!text.includes("%")) return form.ofText(text);
  try {
    return form.ofText(decodeURIComponent(text));
  } catch {
    const bytes = Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
    return form.ofBytes(
      bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
}

/** The decoded parameters of the query in order: `EX=100` is a pair, `NX` only a name. */
function queryPairs<W>(target: string, form: WordForm<W>): W[][] {
  const mark = target.indexOf("?");
  if (mark === -1) return [];
  const query = target.slice(mark + 1);
  const parts = query.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const text = part.replaceAll("+", " ");
    const equals = text.indexOf("=");
    if (equals === -1) return [decode(text, form)];
    return [decode(text.slice(0, equals), form), decode(text.slice(equals + 1), form)];
  });
}

/**
 * The words of the path form: path segments, then the body if there is one, then the query parameters except `_token`.
 *
 * @throws {BadRequest} without a name
 */
export function wordsInPath<W>(target: string, body: W | undefined, form: WordForm<W>): [name: W, ...args: W[]] {
  const [, name = "", ...args] = pathOf(target).split("/");
  if (name === "") throw new BadRequest("empty command");
  const pairs = queryPairs(target, form).filter(([key]) => key !== "_token");
  const decodedArgs = args.map((arg) => decode(arg, form));
  return [decode(name, form), ...decodedArgs, ...(body === undefined ? [] : [body]), ...pairs.flat()];
}

const PLAIN: WordForm<string> = { ofText: (text) => text, ofBytes: (bytes) => bytes };
const BEARER = /^bearer +(.+)$/i;

/** The bearer token of a request, or its `?_token=` if there is no `Authorization` header. */
export function tokenOf(request: {
  readonly header: (name: string) => string | null | undefined;
  readonly target: string;
}): string | undefined {
  const header = request.header("authorization") ?? undefined;
  if (header !== undefined) return BEARER.exec(header)?.[1];
  return queryPairs(request.target, PLAIN).find(([key]) => key === "_token")?.[1];
}
