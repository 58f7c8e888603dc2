import { describe, expect, it } from "vitest";
import { StaleTokenError } from "../../src/fence/index.ts";
import { LeaseholdError, type LeaseholdErrorCode, type LossReason } from "../../src/index.ts";
import { namesIn, tablesOf, textOf } from "./markdown.ts";

const page = textOf("docs/errors.md");

/** The compiler sees to it that each has all of them. */
const CODES: Readonly<Record<LeaseholdErrorCode, true>> = {
  lock_timeout: true,
  lease_lost: true,
  outcome_unknown: true,
  unreachable: true,
  unauthorized: true,
  rate_limited: true,
  redis_error: true,
  malformed_answer: true,
  wrong_kind: true,
  not_reentrant: true,
  too_many_holds: true,
  too_many_messages: true,
  upgrade_refused: true,
  not_replicated: true,
  no_quorum: true,
  no_result: true,
  state_lost: true,
};
const REASONS: Readonly<Record<LossReason, true>> = {
  expired: true,
  taken: true,
  released: true,
  forced: true,
  spent: true,
  gone: true,
};
describe("docs/errors.md", () => {
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^`(\w+)`/.exec(section)?.[1], section.split(/^## /m)[0]]),
  );

  it("has a section for every code, and for no other", () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(CODES).sort());
  });

  it("names the cause of every code, what the code does not mean, and what to do", () => {
    for (const section of sections.values())
      for (const part of ["**Cause:**", "**It does not mean**", "**Do:**"]) expect(section).toContain(part);
  });

  it("has the place that the help of each error leads to", () => {
    const stale = new StaleTokenError({ name: "a", token: 1 });
    const codes = Object.keys(CODES) as LeaseholdErrorCode[];
    const errors = [...codes.map((code) => new LeaseholdError(code, "")), stale];
    for (const { code, help } of errors) {
      expect(help).toBe(`https://leasehold.github.io/leasehold/errors#${code}`);
      expect(page).toContain(`<a id="${code}"></a>`);
    }
  });

  it("names every reason of a lost lease, and every field of an error", () => {
    for (const reason of Object.keys(REASONS)) expect(sections.get("lease_lost")).toContain(`\`${reason}\``);
    const fields = tablesOf(page)[0]?.rows.flatMap(namesIn) ?? [];
    const error = new LeaseholdError("lease_lost", "", {
      cause: 1,
      kind: "",
      lockName: "",
      label: "",
      holder: "",
      waiters: 1,
      available: 1,
      waitedMs: 1,
      names: [],
      reason: "gone",
      remainingMs: 1,
      retryAfterMs: 1,
      operation: "",
    });
    const own = Object.keys(error).filter((name) => !/^(code|name|message|stack)$/.test(name));
    expect([...new Set(fields)].sort()).toEqual(own.sort());
  });
});
