import type { Listed } from "../../../src/list/index.ts";
import { LeaseholdError } from "../../../src/shared/errors.ts";
import { sleep } from "../../../src/shared/timers.ts";
import { type Change, changeLine, changesBetween, keyOf, type Snapshot } from "../changes.ts";
import { type Arguments, type Command, type Context, choiceOf, EXIT, textOf, UsageError } from "../command.ts";
import { toDurationMs } from "../duration.ts";
import { timeOf, titleOf } from "../entry.ts";
import { clockOffset } from "../operations/ask.ts";
import { inspectName, listNames } from "../operations/inspect-name.ts";
import type { Target } from "../operations/target.ts";
import { makeWaitingReader } from "../operations/waiting.ts";
import { inOrder, ORDERS } from "../order.ts";
import { enterScreen, layOut } from "../screen.ts";
import { duration, harmless, jsonLine } from "../text.ts";
import { inspectLines, isUnknown } from "./inspect.ts";
import { listLines } from "./ls.ts";

const CLOCK_EVERY_MS = 60_000;
const KEPT_CHANGES = 100;
const MIN_EVERY_MS = 100;

/** The result of reading the server once. */
interface Look {
  readonly snapshot: Snapshot;
  /** As lines for people, at a given server time. */
  body(now: number): readonly string[];
}

/** Makes the function that reads one name, or all held names. */
function lookAt({ out, signal }: Context, args: Arguments, { connection }: Target): () => Promise<Look> {
  const [name] = args.operands;
  const group = textOf(args, "group");
  const waiting = makeWaitingReader(connection);
  if (name !== undefined)
    return async () => {
      const entry = await inspectName(connection, waiting, { name, group }, signal);
      const snapshot = new Map<string, Listed>(isUnknown(entry) ? [] : [[keyOf(entry), entry]]);
      const unknown = `nothing is known about ${titleOf(entry)}`;
      return { snapshot, body: (now) => (isUnknown(entry) ? [unknown] : inspectLines(entry, now, out)) };
    };
  const order = choiceOf(args, "sort", ORDERS) ?? "waiters";
  return async () => {
    const found = new Map<string, Listed>();
    // An unreadable record may be held.
    for await (const entry of listNames(connection, waiting, { prefix: textOf(args, "prefix"), group, signal }))
      if (args.values["all"] || entry.held || entry.unreadable !== undefined) found.set(keyOf(entry), entry);
    const entries = inOrder(found.values(), order);
    return {
      snapshot: new Map(entries.map((entry) => [keyOf(entry), entry])),
      body: (now) => (entries.length > 0 ? listLines(entries, now, out) : ["nothing is held"]),
    };
  };
}

/** The output of changes and states: its own screen, or line by line. */
interface Show {
  /** The names found by the first read. */
  first(changes: readonly Change[]): void;
  state(look: Look | undefined, now: number, trouble: string | undefined): void;
  changes(changes: readonly Change[]): void;
  end(): void;
}

function onScreen({ out }: Context, title: string): Show {
  const screen = enterScreen(out);
  let last: readonly Change[] = [];
  return {
    first() {},
    changes(changes) {
      last = [...[...changes].reverse(), ...last].slice(0, KEPT_CHANGES);
    },
    state: (look, now, trouble) =>
      screen.draw(layOut({ title, now, trouble, body: look?.body(now) ?? [], changes: last }, out)),
    end: screen.leave,
  };
}

function lineByLine({ out, err }: Context, isJson: boolean): Show {
  let before: string | undefined;
  const print = (changes: readonly Change[]): void => {
    for (const change of changes)
      out.line(isJson ? jsonLine(change) : [timeOf(change.at), ...changeLine(change)].join("  "));
  };
  return {
    first: print,
    changes: print,
    state(_, now, trouble) {
      if (trouble !== undefined && before === undefined) err.line(`${timeOf(now)}  ${trouble}`);
      if (trouble === undefined && before !== undefined) err.line(`${timeOf(now)}  the server answers again`);
      before = trouble;
    },
    end() {},
  };
}

/** The result of the first read: its holds are not new. Free names are not reported, unless they are unreadable. */
const asFound = (found: Change): readonly Change[] =>
  found.change === "taken" ? [{ ...found, change: "held" }] : found.change === "unreadable" ? [found] : [];

/** Reads repeatedly, until the signal aborts or the time is up. */
async function follow(context: Context, args: Arguments, target: Target, show: Show, everyMs: number): Promise<void> {
  const { signal, scrub } = context;
  const look = lookAt(context, args, target);
  const limitMs = toDurationMs(textOf(args, "for") ?? "365d", "--for");
  const began = performance.now();
  let last: Look | undefined;
  let [offsetMs, offsetAt, goneAt] = [0, Number.NEGATIVE_INFINITY, 0];
  do {
    const at = performance.now();
    let trouble: string | undefined;
    try {
      if (at - offsetAt > CLOCK_EVERY_MS) {
        offsetMs = (await clockOffset(target.connection, signal)).offsetMs;
        offsetAt = at;
      }
      const next = await look();
      const now = Math.round(Date.now() + offsetMs);
      const changes = changesBetween(last?.snapshot ?? new Map(), next.snapshot, now);
      if (last) show.changes(changes);
      else show.first(changes.flatMap(asFound));
      last = next;
      goneAt = 0;
    } catch (error) {
      signal.throwIfAborted();
      // A server that never answered is an error; one that stops answering is what a watcher reports.
      if (!last || !(error instanceof LeaseholdError)) throw error;
      goneAt ||= at;
      trouble = `no answer for ${duration(performance.now() - goneAt)}: ${harmless(scrub(error.message))}`;
    }
    show.state(last, Date.now() + offsetMs, trouble);
    if (performance.now() - began + everyMs > limitMs) break;
    await sleep(Math.max(everyMs - (performance.now() - at), 0), signal);
  } while (!signal.aborted);
}

export const watch: Command = {
  name: "watch",
  operands: "[NAME]",
  summary: "show holders, time left and waiters, and report changes",
  more: `On a terminal, it redraws until Ctrl-C, which restores the terminal. Elsewhere, it prints one line for each change. A
poll takes one request for one name or two for a page of names, and one more if the server knows who waits. Holds that
begin and end between two polls are missed. If the server stops answering, the command reports that and continues to poll.`,
  options: {
    prefix: { type: "string", value: "TEXT", help: "only names that begin with this text" },
    group: { type: "string", value: "TEXT", help: "only names in this group; the group of NAME" },
    all: { type: "boolean", help: "also names that nobody holds" },
    sort: {
      type: "string",
      value: "ORDER",
      choices: ORDERS,
      help: "waiters (most first, then the longest held), age or name; default waiters",
    },
    every: { type: "string", value: "TIME", help: "the time between two polls; default 1s" },
    for: { type: "string", value: "TIME", help: "stop after this time; default never" },
  },
  async run(context, args) {
    const { out, signal } = context;
    if (args.operands.length > 1) throw new UsageError("give one NAME, or none");
    const everyMs = toDurationMs(textOf(args, "every") ?? "1s", "--every", MIN_EVERY_MS);
    const target = await context.target();
    const isJson = args.values["json"] === true;
    const title = `leasehold watch  ${harmless(target.address)}  every ${duration(everyMs)}`;
    const show = out.isTerminal && !isJson ? onScreen(context, title) : lineByLine(context, isJson);
    try {
      await follow(context, args, target, show, everyMs);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      show.end();
    }
    return EXIT.done;
  },
};
