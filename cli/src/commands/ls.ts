import type { Listed, ListedKind } from "../../../src/list/index.ts";
import { keyOf } from "../changes.ts";
import { type Command, type Context, choiceOf, EXIT, type Output, textOf, UsageError } from "../command.ts";
import { detailsOf, stateOf, titleOf } from "../entry.ts";
import { clockOffset } from "../operations/ask.ts";
import { listNames } from "../operations/inspect-name.ts";
import { makeWaitingReader } from "../operations/waiting.ts";
import { inOrder, ORDERS } from "../order.ts";
import { showProgress } from "../progress.ts";
import { counted, cut, cutMiddle, jsonLine, table, widthOf } from "../text.ts";

const KINDS: readonly ListedKind[] = ["lock", "fair", "rw", "once", "semaphore", "counter", "latch", "fence"];
/** On a terminal, no name is wider, and a wider cell does not pad other rows. */
const WIDEST = 40;
const MIN_NAME_COLUMNS = 20;
/** The room for a state and its details, before long names get more than the least. */
const STATE_COLUMNS = 76;
const HEADS = ["NAME", "STATE", "MORE", "KIND", "TOKEN"] as const;
/** The least important columns are last, and are dropped first. */
const COLUMN_COUNTS = [HEADS.length, HEADS.length - 1, HEADS.length - 2];

/**
 * The table of `ls`, including its head. On a terminal, each line fits the width: without room, tokens and kinds are
 * omitted, then long names are shortened, then the ends of lines are truncated. Elsewhere, nothing is omitted, and columns
 * are as wide as their longest cell.
 */
export function listLines(entries: readonly Listed[], now: number, out: Output): string[] {
  const { paint, isTerminal, columns } = out;
  const head = HEADS.map((cell) => paint("bold", cell));
  const rows = entries.map((entry) => [
    titleOf(entry),
    stateOf(entry, now, paint),
    detailsOf(entry),
    entry.kind,
    String(entry.token || ""),
  ]);
  if (!isTerminal) return table([head, ...rows]);
  const shortest = Math.min(WIDEST, Math.max(MIN_NAME_COLUMNS, columns - STATE_COLUMNS));
  const forms = [WIDEST, shortest].flatMap((nameColumns) => {
    const cells = [head, ...rows.map(([name = "", ...others]) => [cutMiddle(name, nameColumns), ...others])];
    return COLUMN_COUNTS.map((count) =>
      table(
        cells.map((row) => row.slice(0, count)),
        WIDEST,
      ),
    );
  });
  const fits = forms.find((lines) => lines.every((line) => widthOf(line) <= columns));
  return fits ?? (forms.at(-1) as string[]).map((line) => cut(line, columns));
}

export const ls: Command = {
  name: "ls",
  summary: "list the names that are held or remembered",
  more: `The server scans all its keys, a page at a time (SCAN). This blocks nobody, but the list is not a snapshot. Names are
shown with their group first, and control characters as \\u{...}. On a terminal, tokens and kinds are left out if they do
not fit, long names are shortened in the middle, and lines are cut to the width. A pipe, --json and \`inspect\` show everything.`,
  options: {
    prefix: { type: "string", value: "TEXT", help: "only names that begin with this text" },
    group: { type: "string", value: "TEXT", help: "only names in this group" },
    kind: { type: "string", value: "KIND", choices: KINDS, help: `one of ${KINDS.join(", ")}` },
    sort: { type: "string", value: "ORDER", choices: ORDERS, help: "name, age or waiters; default name" },
    held: { type: "boolean", help: "only names that are held now" },
    by: { type: "string", value: "TEXT", help: "only names with this text in the label or the holder's name" },
    free: { type: "boolean", help: "only names that nobody holds" },
  },
  async run(context: Context, args) {
    const { out, err, signal } = context;
    if (args.operands.length > 0) throw new UsageError("ls takes no NAME: see --prefix, or inspect");
    const { held, free } = args.values;
    if (held && free) throw new UsageError("give --held or --free, not both");
    const by = textOf(args, "by");
    const kind = choiceOf(args, "kind", KINDS);
    const order = choiceOf(args, "sort", ORDERS) ?? "name";
    const { connection } = await context.target();
    const seen = new Map<string, Listed>();
    const wanted = held ? true : free ? false : undefined;
    const options = { prefix: textOf(args, "prefix"), group: textOf(args, "group"), kind, held: wanted, signal };
    const stop = showProgress(err, () => `looking: ${counted(seen.size, "name")}`);
    try {
      for await (const entry of listNames(connection, makeWaitingReader(connection), options)) {
        if (by !== undefined && !`${entry.label ?? ""}\n${entry.holder ?? ""}`.includes(by)) continue;
        const key = keyOf(entry);
        if (args.values["json"] && !seen.has(key)) out.line(jsonLine(entry));
        seen.set(key, entry);
      }
    } finally {
      stop();
    }
    if (seen.size === 0) {
      if (!args.values["json"]) err.line("nothing found");
      return EXIT.refused;
    }
    if (args.values["json"]) return EXIT.done;
    const { offsetMs } = await clockOffset(connection, signal);
    for (const line of listLines(inOrder(seen.values(), order), Date.now() + offsetMs, out)) out.line(line);
    return EXIT.done;
  },
};
