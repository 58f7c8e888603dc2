/** The requests and replies of scripts, as sent and in the specification. */
import { type BuiltScript, buildAll } from "../../tools/lua-scripts.ts";
import { type Numbers, tailOf } from "./record.ts";

const scripts: ReadonlyMap<string, BuiltScript> = new Map(buildAll().map((script) => [script.name, script]));

/** The scripts that record.qnt describes. */
export const MODELLED: ReadonlySet<string> = new Set([
  "lock-acquire",
  "lock-close",
  "hold-extend",
  "record-force",
  "lock-commit",
  "once-begin",
  "once-complete",
  "once-close",
]);

/** An empty request. */
export const BLANK = {
  script: "",
  kind: "lock",
  id: 0,
  token: 0,
  notAfter: 0,
  clock: 0,
  duration: 0,
  retention: 0,
  due: 0,
  reentryKey: "",
  reentrant: true,
  ttl: 0,
  most: 0,
  print: "",
  result: 0,
  before: 0,
};
export type Request = typeof BLANK;

export interface Reply {
  readonly status: string;
  readonly now: number;
  readonly token: number;
  readonly remaining: number;
  readonly count: number;
  readonly reason: string;
  readonly result: number;
}

/** Fields whose names differ between the specification and the scripts. */
const NAMES: Readonly<Record<string, string>> = { lease: "duration", maxAttempts: "most", fingerprint: "print" };
const COUNTS: ReadonlySet<string> = new Set(["holds", "attempt", "attempts", "had"]);

/** An id of 36 characters for a number. */
const idOf = (number: number): string => `${number}`.padStart(36, "0");

/** The other key of a name whose script has two. */
export const besideOf = (key: string): string => `${key}%beside`;

/** A request of the specification as the command that runs it, with the arguments that only some scripts have. */
export function commandOf(
  key: string,
  request: Request,
  more: Readonly<Record<string, string>> = {},
): readonly string[] {
  const script = scripts.get(request.script);
  if (!script) throw new Error(`no script is called ${request.script}`);
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(request).map(([field, value]) => [field, `${value}`])),
    id: idOf(request.id),
    reentrant: request.reentrant ? "1" : "0",
    note: "",
    waited: "0",
    asked: "",
    // The specification has no messages.
    listens: "0",
    ownPace: "0",
    ...more,
  };
  const args = script.args.map((arg) => values[NAMES[arg] ?? arg] ?? "");
  const keys = script.keys.map((_, index) => (index === 0 ? key : besideOf(key)));
  return ["EVAL", script.lua, String(keys.length), ...keys, ...args];
}

/**
 * A script's arguments by name, as a request of the specification that ran at `now`. There, each time until which an ID
 * is remembered is a number; a script counts the retention from its own clock if it gets none.
 */
export function requestOf(
  script: string,
  args: Readonly<Record<string, string>>,
  now: number,
  ids: Numbers,
  results: Numbers,
): Request {
  const found: Record<string, string | number | boolean> = { ...BLANK, script };
  for (const [arg, text] of Object.entries(args)) {
    const field = NAMES[arg] ?? arg;
    const blank = BLANK[field as keyof Request] as string | number | boolean | undefined;
    if (field === "id") found[field] = ids.of(tailOf(text));
    else if (field === "result") found[field] = results.of(text);
    else if (field === "due" && text === "") found[field] = now + Number(args["retention"]) * 1000;
    else if (blank !== undefined)
      found[field] = typeof blank === "number" ? Number(text) : typeof blank === "boolean" ? text === "1" : text;
  }
  return found as Request;
}

/**
 * A reply as in the specification, without the averages by which waiters time their polls. A refusal without a clock
 * read has the time that its caller knew, which the specification uses for the refusal.
 */
export function replyOf(script: string, reply: readonly (string | number)[], results: Numbers): Reply {
  const [status = "", now = 0, ...values] = reply;
  const found: Record<string, string | number> = {
    ...{ status, now: Number(now), token: 0, remaining: 0, count: 0, reason: "", result: 0 },
  };
  scripts
    .get(script)
    ?.replies.get(`${status}`)
    ?.forEach(({ name }, index) => {
      const value = values[index] ?? 0;
      const field = COUNTS.has(name) ? "count" : name;
      if (field === "result") found[field] = results.of(`${value}`.slice(1));
      else if (field in found) found[field] = value;
    });
  return found as unknown as Reply;
}
