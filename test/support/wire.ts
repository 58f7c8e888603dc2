import { scripts } from "./scripts.ts";

/** The command in the body of a request, or the first of a pipeline. */
export interface Parsed {
  /** `EVALSHA`, `EVAL`, … */
  readonly verb: string;
  /** The script's name in `lua/`; empty for what is none of ours. */
  readonly script: string;
  /** The names of all scripts of the request: one, or those of a batch. */
  readonly scripts: readonly string[];
  /** The script's ARGV. */
  readonly args: readonly string[];
}

/** Names of the committed scripts, by text and by SHA-1 of both dialects. */
const names = new Map<string, string>();
for (const [name, { lua, sha }] of Object.entries(scripts)) {
  for (const text of [lua, `#!lua flags=allow-key-locking\n${lua}`, ...sha]) names.set(text, name);
}

export function parseRequest(body: string): Parsed {
  const [first, ...rest] = JSON.parse(body) as [unknown, ...unknown[]];
  const commands = Array.isArray(first) ? [first, ...rest] : [[first, ...rest]];
  const [verb, text, keys, ...args] = (commands[0] as unknown[]).map(String);
  return {
    verb: (verb ?? "").toUpperCase(),
    script: names.get(text ?? "") ?? "",
    scripts: commands.map((command) => names.get(String((command as unknown[])[1])) ?? ""),
    args: args.slice(Number(keys)),
  };
}

/** An answer in a word or two. */
export function statusOf(http: number, body: string, base64: boolean): string {
  const parsed = JSON.parse(body) as unknown;
  const { result, error } = (Array.isArray(parsed) ? parsed[0] : parsed) as { result?: unknown; error?: string };
  if (http !== 200 && http !== 400) return `HTTP ${http}`;
  if (error !== undefined) return `error ${error.split(" ", 1)[0]}`;
  const [status] = Array.isArray(result) ? result : [result];
  // Only texts are encoded.
  return base64 && typeof status === "string" ? atob(status) : String(status);
}
