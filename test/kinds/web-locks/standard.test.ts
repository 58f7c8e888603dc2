import { describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { textOf } from "../../documents/markdown.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";
import { BEHAVIOURS, DIFFERENCES, type Manager } from "./standard.ts";

const polled = useStack({ warm: true });
const holding = useStack({ warm: true, holds: true });

/** Work that hangs keeps its lease for this time; a theft is noticed after a third of it. */
const LEASE = "2s";

/** A network on which a later request may arrive earlier. */
const uneven: typeof fetch = async (...args) => {
  await pause(40 * Math.random());
  return fetch(...args);
};

function ours({ url, token }: { readonly url: string; readonly token: string }, more: object = {}): Manager {
  const locks = createLocks({ url, token, lease: LEASE, requestTimeout: "4s", ...more });
  return {
    request: (...args) => (locks.request as (...given: unknown[]) => Promise<unknown>)(...args),
    query: (names) => locks.query(names as readonly string[]),
  };
}

const same = BEHAVIOURS.filter(({ differs }) => differs === undefined).map(
  (each) => [each.area, each.what, each] as const,
);
const different = BEHAVIOURS.flatMap((each) => (each.differs ? [[each.area, each.what, each] as const] : []));

/** The standard's own implementation, which newer versions of Node have. */
const { locks: native } = navigator as { readonly locks?: Manager };

describe.each([
  ["a server that is polled", polled],
  ["a server that holds requests", holding],
])("locks.request over %s is like navigator.locks.request", (_title, stack) => {
  it.each(same)("%s: %s (B29)", (_area, _what, { check }) => check(ours(stack), freshName()));
});

describe("locks.request is not like navigator.locks.request, as docs/locks.md says", () => {
  it.each(different)("%s: %s (B29)", async (_area, _what, { check }) => {
    const passed = await check(ours(polled, { fetch: uneven }), freshName()).then(
      () => true,
      () => false,
    );
    expect(passed).toBe(false);
  });

  it("counts the behaviours and names each difference (B29)", () => {
    const text = textOf("docs/locks.md").replaceAll(/\s+/g, " ");
    const counts = `Of ${BEHAVIOURS.length} behaviours that the standard's tests check, ${same.length} hold`;
    for (const sentence of [counts, ...Object.values(DIFFERENCES)])
      expect(text.includes(sentence), sentence).toBe(true);
  });
});

describe.runIf(native)("navigator.locks of this runtime", () => {
  it.each(BEHAVIOURS.map((each) => [each.area, each.what, each] as const))("%s: %s (B29)", (_area, _what, { check }) =>
    check(native as Manager, freshName()),
  );
});
