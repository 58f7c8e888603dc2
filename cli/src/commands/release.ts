import { createInterface } from "node:readline";
import type { Inspected, Listed } from "../../../src/list/index.ts";
import {
  type Arguments,
  type Command,
  type Context,
  EXIT,
  onlyName,
  textOf,
  textWidth,
  UsageError,
} from "../command.ts";
import { titleOf } from "../entry.ts";
import { clockOffset } from "../operations/ask.ts";
import { inspectName } from "../operations/inspect-name.ts";
import { releaseName, type Scope } from "../operations/release-name.ts";
import { makeWaitingReader } from "../operations/waiting.ts";
import { jsonLine, wrapped } from "../text.ts";
import { inspectLines } from "./inspect.ts";

/** Asks on the terminal, and returns whether the answer was yes. @throws UsageError without a terminal. */
async function confirm({ input, err, signal }: Context, question: string): Promise<boolean> {
  if (!input.isTTY) throw new UsageError("there is no terminal to confirm it on: add --yes");
  signal.throwIfAborted();
  err.raw(`${question} [y/N] `);
  const lines = createInterface({ input });
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", (line) => resolve(/^y(es)?$/i.test(line.trim())));
      lines.once("close", () => resolve(false));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  } finally {
    lines.close();
  }
}

/** The kinds without holders, and what to do instead of a release. */
const NOT_HELD: Partial<Record<Listed["kind"], string>> = {
  latch: "a latch is counted down, not held; --forget deletes it, and its waiters get `state_lost`",
  counter: "nobody holds the permits of a counter; --forget deletes its number of permits",
  fence: "a fence is not a lock: it must keep the highest token that it has seen",
};

/** Says why there is nothing to release; undefined if there is. */
function refusalOf({ kind, held, state, unreadable }: Inspected, scope: Scope): string | undefined {
  if (unreadable !== undefined) return `${unreadable}; if nothing uses it, delete its key in Redis`;
  if (kind === "fence") return NOT_HELD[kind];
  if (kind === "none") return "nobody holds it";
  if (scope === "forget" || held) return undefined;
  return NOT_HELD[kind] ?? `nobody holds it (${state}); --forget deletes what is remembered`;
}

/** Says what is released. */
function consequenceOf({ kind }: Inspected, scope: Scope, token: number): string {
  if (scope === "forget") return "This ends the hold and deletes everything but the token.";
  if (kind === "semaphore")
    return scope === "one"
      ? `This releases the permits of token ${token}.`
      : `This releases every permit in use, up to token ${token}.`;
  if (kind === "once") return "This ends the attempt; the next delivery starts at once.";
  return `This ends the tenure of token ${token}.`;
}

/** The fencing token in the flag. @throws UsageError for an invalid one. */
function fencingTokenOf(args: Arguments): number | undefined {
  const text = textOf(args, "fencing-token");
  if (text !== undefined && !/^\d{1,16}$/.test(text)) throw new UsageError("--fencing-token must be a number");
  return text === undefined ? undefined : Number(text);
}

interface Taken {
  readonly status: "released" | "passed" | "idle" | "refused" | "kept";
  /** The token of the released tenure. */
  readonly token: number;
  readonly why?: string;
}

function report({ out, err }: Context, args: Arguments, entry: Inspected, taken: Taken): number {
  const isDone = taken.status === "released";
  const { name, group, kind } = entry;
  if (args.values["json"])
    out.line(jsonLine({ name, ...(group !== undefined && { group }), kind, released: isDone, ...taken }));
  else if (isDone) out.line(`released ${titleOf(entry)}`);
  else err.line(`not released ${titleOf(entry)}: ${taken.why}`);
  return isDone ? EXIT.done : EXIT.refused;
}

async function run(context: Context, args: Arguments): Promise<number> {
  const { err, signal } = context;
  const [name, group, wantedToken] = [onlyName(args), textOf(args, "group"), fencingTokenOf(args)];
  const { connection } = await context.target();
  const isSure = args.values["yes"] === true;
  if (!isSure && !context.input.isTTY) throw new UsageError("there is no terminal to confirm it on: add --yes");
  const entry = await inspectName(connection, makeWaitingReader(connection), { name, group }, signal);
  const scope: Scope = args.values["forget"] ? "forget" : wantedToken === undefined ? "all" : "one";
  const token = wantedToken ?? entry.token;
  const refusal = refusalOf(entry, scope);
  if (refusal !== undefined) return report(context, args, entry, { status: "refused", token, why: refusal });
  if (!isSure) {
    const { offsetMs } = await clockOffset(connection, signal);
    for (const line of inspectLines(entry, Date.now() + offsetMs, err)) err.line(line);
    const consequence = `${consequenceOf(entry, scope, token)} It does not stop the holder: only a fence refuses the holder's writes.`;
    for (const line of wrapped(consequence, textWidth(err))) err.line(line);
    if (!(await confirm(context, "Release it?")))
      return report(context, args, entry, { status: "kept", token, why: "you answered no" });
  }
  const { status, token: last } = { token: 0, ...(await releaseName(connection, entry, token, scope)) };
  const why =
    status === "passed" ? `token ${token} no longer holds it; the latest token is ${last}` : "nobody holds it now";
  return report(context, args, entry, status === "released" ? { status, token } : { status, token, why });
}

export const release: Command = {
  name: "release",
  operands: "NAME",
  summary: "end the hold of a name, after showing it to you",
  more: `It shows the holder and asks. Then it ends that tenure and no other, in one step on the server. If the holder has
changed meanwhile, nothing changes, and the exit code is 1. It ends the hold of a lock or a fair lock, both sides of a
read-write lock, the running attempt of a \`once\`, or all permits in use of a semaphore (with --fencing-token, those of one
acquisition). Queues, numbers of permits and counted attempts stay.`,
  options: {
    group: { type: "string", value: "TEXT", help: "the group of the name, if it has one" },
    "fencing-token": { type: "string", value: "N", help: "release only the tenure with this token" },
    yes: { type: "boolean", help: "do not ask" },
    forget: {
      type: "boolean",
      help: "also delete the remembered result, number of permits or latch; the token stays",
    },
  },
  run,
};
