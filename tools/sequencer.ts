import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first. A slow file that begins last would keep one core busy and the others idle. */
const LONGEST = [
  "platforms/runtime/runtime",
  "contract/contract",
  "protocol/tokens",
  "faults/outage",
  "quorum-lock/failures",
  "quorum-lock/model/model",
  "multi-lock/faults",
  "fair-lock/fair-lock",
  "redis/answer-order",
  "quorum-lock/faults",
  "faults/closed-ids",
  "read-write-lock/faults",
  "read-write-lock/read-write-lock",
  "kinds/replicas",
  "cluster/cluster",
  "semaphore/faults",
  "quorum-lock/chaos",
  "protocol/exclusion",
  "bench/bench",
  "shared/budget",
  "semaphore/semaphore",
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
