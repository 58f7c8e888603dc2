/**
 * A script that several machines start every hour: the work is done once per hour, and the others say who was first. It
 * ends with 0 when the hour is done or being done, with 1 when its own run failed; then the next start within the hour
 * tries again.
 *
 * `deno add npm:leasehold`, then, with the two variables set:
 * `deno run --allow-net --allow-env=UPSTASH_REDIS_REST_URL,UPSTASH_REDIS_REST_TOKEN deno-script.ts https://rates.example/today.json`
 */
import { fromEnv } from "leasehold";
import { runCron, slotOf } from "leasehold/cron";
import { redisFence } from "leasehold/fence";

// Another slot may be named: an hour to make up for, or the id of a run in CI.
const [source = "", slot = slotOf({ every: "1h" })] = Deno.args;

try {
  const locks = fromEnv();
  const report = await runCron({ locks, name: "rates", slot }, async ({ lease, signal }) => {
    const fence = redisFence(locks);
    // First, so that an earlier run that still continues can no longer write.
    await fence.claim(lease);
    const response = await fetch(source, { signal });
    if (!response.ok) throw new Error(`the source answered ${response.status}`);
    await fence.call(lease, "SET", "rates", await response.text());
  });
  const more = "token" in report ? `in ${report.durationMs} ms, with token ${report.token}` : "";
  console.log(`${report.name} of ${report.slot}: ${report.status}`, more);
} catch (error) {
  console.error(`rates: failed: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
