import { type Command, EXIT, type Output, textWidth, UsageError } from "../command.ts";
import { examine } from "../operations/doctor/examine.ts";
import type { Finding, Verdict } from "../operations/doctor/finding.ts";
import { harmless, jsonLine, type Style, wrapped } from "../text.ts";

const STYLES: Readonly<Record<Verdict, Style>> = { ok: "green", warn: "yellow", fail: "red", skip: "dim" };
const CHECK_WIDTH = 14;
/** The width of the columns before the text of a finding. */
const INDENT = 6 + CHECK_WIDTH;

/** One finding as lines for people, wrapped to the width of a terminal. */
function linesOf({ check, verdict, says, advice }: Finding, out: Output): string[] {
  const { paint } = out;
  const width = textWidth(out);
  const [first = "", ...rest] = wrapped(harmless(says), width, INDENT);
  const head = `${paint(STYLES[verdict], verdict.padEnd(4))}  ${check.padEnd(CHECK_WIDTH)}`;
  const more = advice === undefined ? [] : wrapped(`→ ${harmless(advice)}`, width, INDENT + 2);
  return [head + first, ...rest, ...more.map((line, n) => (n === 0 ? " ".repeat(INDENT) + line : line))];
}

/** The overall verdict. */
function verdictOf(findings: readonly Finding[], isReached: boolean): Finding {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  const [failed, warned, unknown] = [count("fail"), count("warn"), count("skip")];
  const more = [warned > 0 ? `${warned} warned` : "", unknown > 0 ? `${unknown} skipped` : ""].filter((part) => part);
  const rest = more.length > 0 ? ` (${more.join(", ")})` : "";
  if (!isReached) return { check: "verdict", verdict: "fail", says: "unreachable; nothing else was checked" };
  if (failed > 0) return { check: "verdict", verdict: "fail", says: `not fit for locks: ${failed} failed${rest}` };
  return { check: "verdict", verdict: warned > 0 ? "warn" : "ok", says: `fit for locks${rest}` };
}

export const doctor: Command = {
  name: "doctor",
  summary: "check a server: the connection, its settings, and whether the lock protocol works on it",
  more: `It sends about 130 requests. Its names have their own prefix (leasehold-doctor:) and are deleted at the end. Each check
prints a line: ok, warn, fail, or skip if the server does not report what the check needs. The exit code is 0 without a
fail, 1 with one, and 3 if the server is unreachable.`,
  options: {
    flush: { type: "boolean", help: "also empty the server's script cache; other clients may notice" },
  },
  async run({ target, out, signal, scrub }, args) {
    if (args.operands.length > 0) throw new UsageError("doctor takes no NAME");
    const isJson = args.values["json"] === true;
    const found = await target();
    const show = (finding: Finding): void => {
      for (const line of isJson ? [jsonLine(finding)] : linesOf(finding, out)) out.line(line);
    };
    if (!isJson) out.line(`${out.paint("bold", "leasehold doctor")}  ${harmless(found.address)}`);
    const flush = args.values["flush"] === true;
    const { findings, isReached } = await examine(found, { signal, scrub, flush, onFinding: show });
    const verdict = verdictOf(findings, isReached);
    show(verdict);
    if (!isReached) return EXIT.away;
    return verdict.verdict === "fail" ? EXIT.refused : EXIT.done;
  },
};
