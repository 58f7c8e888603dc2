import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first. A slow file that begins last would keep one core busy and the others idle. */
const LONGEST = [
  "package/peers",
  "bench/bench",
  "runtime/runtime",
  "lease/zoo",
  "sim/sim",
  "sim/sentences",
  "tcp/wake-ups",
  "lua/failing-commands",
  "contract/contract",
  "lease/keep-alive",
  "holding/attacks",
  "test/contract",
  "documents/recipes",
  "semaphore/semaphore",
  "errors/failures",
  "read-write-lock/read-write-lock",
  "fair-lock/fair-lock",
  "tools/upstash",
  "turn/newest-wins",
  "documents/migrating-load",
  "turn/collect",
  "documents/examples",
  "multi-lock/multi-lock",
  "protocol/tokens",
  "faults/outage",
  "faults/long-outage",
  "faults/real-outage",
  "nest/test/jumps",
  "hosts/node",
  "mcp/conformance",
  "mcp/tools",
  "quorum-lock/failures",
  "model/model",
  "redis/answer-order",
  "quorum-lock/faults",
  "faults/closed-ids",
  "shared/budget",
  "protocol/exclusion",
  "faults/upstash",
];

/** Runs the slowest files first, even if this machine has not run them before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
