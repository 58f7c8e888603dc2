/**
 * `npm run demo`: real webhooks, each sent in three copies at the same time to two workerd instances, are processed
 * once; a cron runs once. Redis is a private server if one is installed, otherwise (or with `--memory`) one in memory;
 * with `--redis URL` it is yours.
 */
import { parseArgs } from "node:util";
import { chooseRedis, REDIS_FLAGS } from "../tools/redis-choice.ts";
import { createProgress, tableOf } from "./report.ts";
import { runScenario, type Scenario } from "./scenario.ts";
import { linesOf } from "./story.ts";
import { faultsOf } from "./verdict.ts";

const scenario: Scenario = {
  deliveries: 300,
  copies: 3,
  instances: 2,
  inFlight: 4,
  leaseMs: 3_000,
  freezeMs: 7_000,
  cronInvocations: 40,
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: REDIS_FLAGS });
  console.log(
    `${scenario.deliveries} GitHub deliveries, ${scenario.copies} copies each at once, over ${scenario.instances} workerd instances and one D1;
a third instance freezes for ${scenario.freezeMs / 1000} s in the middle of a delivery, under a lease of ${scenario.leaseMs / 1000} s.
Then ${scenario.cronInvocations} invocations of one occurrence of a cron at once.\n`,
  );
  const redis = await chooseRedis(values);
  console.log(redis.line);
  const progress = createProgress(process.stdout);
  const outcome = await runScenario(scenario, redis, progress.say).finally(progress.end);
  console.log(`\n${linesOf(outcome.story)}\n\n${tableOf(outcome)}\n`);

  const faults = faultsOf(outcome);
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  if (faults.length === 0) {
    console.log("Every delivery was processed exactly once, and the handler that froze past its lease was refused.");
    console.log("Every occurrence of the cron ran exactly once.\n");
    console.log("Next: `npm run playground` lets you freeze a holder yourself, in a page;");
    console.log("      `npx leasehold-cli ui` shows who holds what on your own Redis.");
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
