import fc from "fast-check";
import { expect, it } from "vitest";
import { type Operation, tell } from "../../verification/histories/history.ts";
import { judge, WORKLOADS, type Workload } from "../../verification/histories/workloads.ts";
import { isDisagreement } from "../../verification/oracle/compare.ts";
import { rule } from "../../verification/oracle/judge.ts";
import { generate } from "./generated.ts";

const SITE = { isStrict: true, keepsData: true };

/** A change of one operation, which makes a good history a doubtful one. */
const change = fc.record({
  at: fc.nat({ max: 999 }),
  what: fc.constantFrom("status", "token", "earlier", "later", "gone", "owner"),
  status: fc.constantFrom("ok" as const, "refused" as const, "lost" as const, "unknown" as const),
  by: fc.integer({ min: 1, max: 30 }),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(operation: Operation, { what, status, by }: Change): readonly Operation[] {
  const { action, call, ret, token } = operation;
  const isStart = action === "acquire" || action === "begin";
  switch (what) {
    case "status": {
      const isPossible = status === "lost" ? !isStart && action !== "write" : status !== "refused" || isStart;
      const isSame = (status === "ok" && isStart) || action === "result" || !isPossible;
      if (isSame) return [operation];
      // Only a grant shows a token and the number of an attempt.
      const shown = isStart ? { token: 0, attempt: 0 } : {};
      return [{ ...operation, status, ret: status === "unknown" ? Infinity : Math.min(ret, call + by), ...shown }];
    }
    case "token":
      return isStart && token > 0 ? [{ ...operation, token: Math.max(1, token - by) }] : [operation];
    case "earlier":
      return [{ ...operation, call: call - by, ret: ret - by }];
    case "later":
      return [{ ...operation, ret: ret + by }];
    case "gone":
      return isStart ? [operation] : [];
    default:
      return [{ ...operation, reentryKey: operation.reentryKey && "b" }];
  }
}

/**
 * What sessions can record: one does one thing at a time, and does something with a hold once it was granted.
 */
function recordable(history: readonly Operation[]): readonly Operation[] {
  const inOrder = [...history].sort((a, b) => a.call - b.call);
  const sequential = inOrder.map((operation, index) => {
    const next = inOrder.slice(index + 1).find(({ client }) => client === operation.client);
    return operation.ret === Infinity || !next ? operation : { ...operation, ret: Math.min(operation.ret, next.call) };
  });
  const granted = sequential.filter(({ id, hold, status }) => id === hold && status === "ok");
  const since = new Map(granted.map(({ id, ret }) => [id, ret]));
  return sequential.filter(({ id, hold, call }) => id === hold || call >= (since.get(hold) ?? Infinity));
}

// A second run would try other histories, and hide what the first one found.
it("both judges agree about histories that were changed at random", { timeout: 3_600_000, retry: 0 }, () => {
  const counts = { agreed: 0, unexplained: 0, undecided: 0 };
  const kinds = fc.constantFrom(...Object.keys(WORKLOADS));
  const runs = Number(process.env["COMPARED_RUNS"] ?? 500);
  fc.assert(
    fc.property(kinds, fc.nat({ max: 9999 }), fc.array(change, { maxLength: 3 }), (kind, seed, changes) => {
      const workload = WORKLOADS[kind] as Workload;
      const doubtful = changes.reduce<readonly Operation[]>(
        (operations, each) => {
          const index = each.at % Math.max(operations.length, 1);
          return operations.flatMap((operation, place) => (place === index ? changed(operation, each) : [operation]));
        },
        generate(workload, seed, 12),
      );
      const history = recordable(doubtful);
      const [first, second] = [judge(workload, history, SITE), rule(workload, history, SITE)];
      const inOrder = [...history].sort((a, b) => a.call - b.call).map(tell);
      expect(
        isDisagreement(first.verdict, second.verdict),
        [first.verdict, second.verdict, ...inOrder].join("\n"),
      ).toBe(false);
      if (second.verdict === "undecided" || first.verdict === "undecided") counts.undecided++;
      else counts.agreed++;
      if (second.verdict === "unexplained") counts.unexplained++;
    }),
    { numRuns: runs },
  );
  // About one history in eight is bad after its changes.
  expect(counts.unexplained).toBeGreaterThan(runs / 20);
  expect(counts.undecided).toBeLessThan(runs / 20);
});
