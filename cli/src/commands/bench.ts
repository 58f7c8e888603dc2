import { type Arguments, type Command, EXIT, textOf, UsageError } from "../command.ts";
import { type Figures, measure, type Progress } from "../operations/measure.ts";
import { showProgress } from "../progress.ts";
import { harmless, jsonLine, table } from "../text.ts";

const MOST = 10_000;
/** Redis commands of an acquire with its release, and of a change of hands with its polls; see docs/costs.md. */
const PER_CYCLE = 8;
const PER_HAND_OVER = 30;
/** Upstash's pay-as-you-go price, in dollars for 100 000 commands. */
const DOLLARS = 0.2;

function countOf(args: Arguments, flag: string, usual: number): number {
  const text = textOf(args, flag) ?? String(usual);
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST) throw new UsageError(`--${flag} must be 1 to ${MOST}`);
  return count;
}

const inMs = (ms: number): string => `${ms.toFixed(1)} ms`;
const WORDS: Readonly<Record<Figures["what"], string>> = {
  cycle: "acquire and release",
  "hand-over": "hand-over of a lock",
  "fair hand-over": "hand-over of a fair lock",
};

const rowOf = ({ what, count, p50, p99, requests, commands }: Figures): string[] => [
  WORDS[what],
  String(count),
  inMs(p50),
  inMs(p99),
  requests.toFixed(1),
  commands === undefined ? "unknown" : commands.toFixed(1),
];

export const bench: Command = {
  name: "bench",
  summary: "measure a server: a cycle of acquire and release, and a contended hand-over",
  more: `It prints its cost before it begins. A hand-over lasts from the start of a release until the waiter has the lease. The
server counts the commands of all its clients, so the counts are exact only if nobody else uses it.`,
  options: {
    cycles: { type: "string", value: "N", help: "the number of cycles; default 100" },
    "hand-overs": { type: "string", value: "N", help: "the number of hand-overs of each lock; default 20" },
  },
  async run({ target, out, err, signal }, args) {
    if (args.operands.length > 0) throw new UsageError("bench takes no NAME");
    const [cycles, handOvers] = [countOf(args, "cycles", 100), countOf(args, "hand-overs", 20)];
    const found = await target();
    const isJson = args.values["json"] === true;
    const commands = cycles * PER_CYCLE + 2 * handOvers * PER_HAND_OVER;
    err.line(
      `${harmless(found.address)}: about ${2 * cycles + 8 * handOvers} requests and ${commands} Redis commands, ` +
        `on Upstash $${((commands / 100_000) * DOLLARS).toFixed(4)}; Ctrl-C stops it`,
    );
    const onFigures = isJson ? (figures: Figures) => out.line(jsonLine(figures)) : undefined;
    let progress: Progress = { what: "cycle", count: cycles, done: 0 };
    const onProgress = (next: Progress): void => {
      progress = next;
    };
    const stop = showProgress(err, () => `${WORDS[progress.what]}: ${progress.done} of ${progress.count}`);
    const all = await measure(found, { cycles, handOvers, signal, onFigures, onProgress }).finally(stop);
    if (isJson) return EXIT.done;
    const head = ["WHAT", "COUNT", "P50", "P99", "REQUESTS EACH", "COMMANDS EACH"].map((cell) =>
      out.paint("bold", cell),
    );
    for (const line of table([head, ...all.map(rowOf)])) out.line(line);
    return EXIT.done;
  },
};
