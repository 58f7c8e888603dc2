import { type Listed, type ListedKind, list } from "../../../src/list/index.ts";
import { keyOf } from "../changes.ts";
import { type Command, type Context, EXIT, type Output, textOf, UsageError } from "../command.ts";
import { detailsOf, stateOf, titleOf } from "../entry.ts";
import { clockOffset } from "../operations/ask.ts";
import { cut, duration, jsonLine, type Paint, table } from "../text.ts";

const KINDS: readonly ListedKind[] = ["lock", "fair", "rw", "once", "semaphore", "counter", "latch", "fence"];
const PROGRESS_MS = 200;

function kindOf(text: string | undefined): ListedKind | undefined {
  const kind = KINDS.find((each) => each === text);
  if (text !== undefined && kind === undefined) throw new UsageError(`--kind must be one of ${KINDS.join(", ")}`);
  return kind;
}

/** Shows on a terminal that a long scan goes on. Returns the function that removes it. */
function showProgress(err: Output, count: () => number): () => void {
  if (!err.isTerminal) return () => {};
  const began = Date.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    err.raw(`\r\u001b[Klooking: ${count()} names, ${duration(Date.now() - began)}`);
  }, PROGRESS_MS);
  return () => {
    clearInterval(timer);
    if (isShown) err.raw("\r\u001b[K");
  };
}

/** The table of `ls`, its head included; names are cut to so many columns. */
export function listLines(
  entries: readonly Listed[],
  now: number,
  paint: Paint,
  mostColumns: number = Number.POSITIVE_INFINITY,
): string[] {
  const head = ["NAME", "KIND", "STATE", "TOKEN", "MORE"].map((cell) => paint("bold", cell));
  return table([
    head,
    ...entries.map((entry) => [
      cut(titleOf(entry), mostColumns),
      entry.kind,
      stateOf(entry, now, paint),
      String(entry.token || ""),
      detailsOf(entry),
    ]),
  ]);
}

const byName = (a: Listed, b: Listed): number => (titleOf(a) < titleOf(b) ? -1 : 1);

export const ls: Command = {
  name: "ls",
  summary: "list the names that are in use or remembered",
  more: `The server goes through all its keys, a page at a time (SCAN), so nobody is blocked and the list is not of one moment. Names are
shown with their group in front. Characters that could upset a terminal are shown as \\u{...}.`,
  options: {
    prefix: { type: "string", value: "TEXT", help: "only names that begin so" },
    group: { type: "string", value: "TEXT", help: "only names in this group" },
    kind: { type: "string", value: "KIND", help: `one of ${KINDS.join(", ")}` },
    held: { type: "boolean", help: "only what somebody has right now" },
    by: { type: "string", value: "TEXT", help: "only what has this text in its label or in the name of its process" },
    free: { type: "boolean", help: "only the rest" },
  },
  async run(context: Context, given) {
    const { out, err, signal } = context;
    if (given.operands.length > 0) throw new UsageError("ls takes no NAME: see --prefix, or inspect");
    const { held, free } = given.values;
    if (held && free) throw new UsageError("give --held or --free, not both");
    const by = textOf(given, "by");
    const kind = kindOf(textOf(given, "kind"));
    const { connection } = await context.target();
    const seen = new Map<string, Listed>();
    const options = { prefix: textOf(given, "prefix"), group: textOf(given, "group"), kind, signal };
    const stop = showProgress(err, () => seen.size);
    try {
      for await (const entry of list(connection, { ...options, held: held ? true : free ? false : undefined })) {
        if (by !== undefined && !`${entry.label ?? ""}\n${entry.holder ?? ""}`.includes(by)) continue;
        const key = keyOf(entry);
        if (given.values["json"] && !seen.has(key)) out.line(jsonLine(entry));
        seen.set(key, entry);
      }
    } finally {
      stop();
    }
    if (seen.size === 0) {
      if (!given.values["json"]) err.line("nothing found");
      return EXIT.refused;
    }
    if (given.values["json"]) return EXIT.done;
    const { offsetMs } = await clockOffset(connection, signal);
    for (const line of listLines([...seen.values()].sort(byName), Date.now() + offsetMs, out.paint)) out.line(line);
    return EXIT.done;
  },
};
