import { describe, expect, it } from "vitest";
import type { LeaseholdEvent } from "../../src/index.ts";
import { namesIn, textOf } from "./markdown.ts";

const page = textOf("docs/observability.md");

/** The cells of the rows of the table whose head begins so. */
function rowsOf(head: string): string[][] {
  const [, rows = ""] = new RegExp(`^\\| ${head} \\|.*\n\\|[-:| ]+\\|\n((?:\\|.*\n)*)`, "m").exec(page) ?? [];
  return rows
    .trim()
    .split("\n")
    .map((row) => row.split("|").slice(1, -1));
}

type Members = {
  readonly [Type in LeaseholdEvent["type"]]: Readonly<
    Record<Exclude<keyof Extract<LeaseholdEvent, { readonly type: Type }>, "type" | "kind" | "name">, true>
  >;
};
/** Complete, or it does not compile. */
const EVENTS: Members = {
  request: { operation: true, attempt: true, durationMs: true, status: true, why: true, server: true },
  retried: { operation: true, why: true, delayMs: true },
  not_woken: { why: true },
  unanswered: { operation: true },
  waiting: { operation: true, remainingMs: true },
  polled: { polls: true, remainingMs: true, delayMs: true },
  refused: { polls: true, remainingMs: true },
  ended: { operation: true, status: true, waitedMs: true, polls: true, waited: true },
  acquired: { token: true, waitedMs: true, polls: true },
  extended: { token: true, remainingMs: true },
  expiring: { token: true, remainingMs: true },
  lost: { token: true, reason: true, heldMs: true },
  released: { token: true, heldMs: true, spent: true },
  resumed: { token: true, trace: true },
  unprotected: { why: true },
  turn: { status: true, token: true, attempt: true, heldMs: true },
  unstored: { token: true, why: true },
  stale: { token: true, seen: true },
  answered: { sender: true, status: true, durationMs: true, cause: true },
  capped: { limit: true },
  occurred: { slot: true, status: true, durationMs: true },
};

describe("docs/observability.md", () => {
  it("has a row for every event, with its members", () => {
    const rows = rowsOf("event").map(([event = "", members = ""]) => [namesIn(event)[0], namesIn(members).sort()]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(Object.entries(EVENTS).map(([event, members]) => [event, Object.keys(members).sort()])),
    );
  });
});
