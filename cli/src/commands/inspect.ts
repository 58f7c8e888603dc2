import type { Inspected } from "../../../src/list/index.ts";
import { type Command, EXIT, type Output, onlyName, textOf, textWidth } from "../command.ts";
import { detailsOf, holderRows, stateOf, timeOf, titleOf, waiterRows } from "../entry.ts";
import { clockOffset } from "../operations/ask.ts";
import { inspectName } from "../operations/inspect-name.ts";
import { makeWaitingReader } from "../operations/waiting.ts";
import { jsonLine, wrappedTable } from "../text.ts";

/** Whether the server knows nothing about a name. */
export const isUnknown = ({ kind, token, fence, unreadableFence }: Inspected): boolean =>
  kind === "none" && token === 0 && fence === undefined && unreadableFence === undefined;

const INDENT = "    ";

/** Everything known about a name, as lines for people, wrapped to the width of a terminal. */
export function inspectLines(entry: Inspected, now: number, out: Output): string[] {
  const { kind, token, held, since, until, rememberedUntil, fence, unreadableFence } = entry;
  const { paint } = out;
  const more = detailsOf(entry);
  const facts: [string, string][] = [["state", stateOf(entry, now, paint)]];
  // An unreadable record may have one.
  if (token > 0) facts.push(["token", kind === "latch" ? `${token} (its generation)` : String(token)]);
  if (since !== undefined) facts.push(["since", timeOf(since)]);
  if (until !== undefined) facts.push([held ? "until" : "remembered", timeOf(until)]);
  if (held && rememberedUntil !== undefined) facts.push(["remembered", timeOf(rememberedUntil)]);
  if (fence !== undefined) facts.push(["fence", `has seen token ${fence}`]);
  if (unreadableFence !== undefined) facts.push(["fence", `unreadable: ${unreadableFence}`]);
  if (more !== "") facts.push(["more", more]);
  // A single hold of a lock is the state itself. Those of permits and readers have labels of their own.
  const isMany = kind === "semaphore" || entry.state === "read" || entry.holders.length > 1;
  const width = textWidth(out);
  const indented = (rows: readonly (readonly string[])[]): string[] =>
    wrappedTable(rows, width - INDENT.length).map((line) => INDENT + line);
  const holders = isMany ? indented(holderRows(entry.holders, now)) : [];
  const waiting = indented(waiterRows(entry.waiting ?? [], now));
  return [
    `${paint("bold", titleOf(entry))}  ${kind === "none" ? "nobody holds it; only its last token is remembered" : kind}`,
    ...wrappedTable(
      facts.map(([what, text]) => [`  ${paint("dim", what)}`, text]),
      width,
    ),
    ...(holders.length > 0 ? [`  ${paint("dim", "holders")}`, ...holders] : []),
    ...(waiting.length > 0 ? [`  ${paint("dim", "waiting")}`, ...waiting] : []),
  ];
}

export const inspect: Command = {
  name: "inspect",
  operands: "NAME",
  summary: "show everything known about one name",
  options: { group: { type: "string", value: "TEXT", help: "the group of the name, if it has one" } },
  async run({ target, out, err, signal }, args) {
    const name = onlyName(args);
    const { connection } = await target();
    const named = { name, group: textOf(args, "group") };
    const entry = await inspectName(connection, makeWaitingReader(connection), named, signal);
    if (args.values["json"]) out.line(jsonLine(entry));
    else if (isUnknown(entry)) err.line(`nothing is known about ${titleOf(entry)}`);
    else {
      const { offsetMs } = await clockOffset(connection, signal);
      for (const line of inspectLines(entry, Date.now() + offsetMs, out)) out.line(line);
    }
    return isUnknown(entry) ? EXIT.refused : EXIT.done;
  },
};
