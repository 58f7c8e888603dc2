/** The test files that a developer would run after a change to a folder: the closest ones. */
import { globSync } from "node:fs";
import { join } from "node:path";

const ROOT: string = join(import.meta.dirname, "../..");

/**
 * Prefixes of test file names by source: the tests of the same subject that take seconds. The first matching row is
 * used.
 */
const NEAR: readonly (readonly [sources: RegExp, tests: string])[] = [
  [
    /^src\/(queue|lease\/(ticket|resume))/,
    "test/(queue|lease/(answers|ticket)|options/(misuse|uses)|kinds/two-ways|errors)",
  ],
  [
    /^src\/redis/,
    "test/(redis/(?!no-store)|errors|list|options/misuse|lease/(extend-all|held|retry-after)|tcp/wake-ups)",
  ],
  [
    /^src\/lease/,
    "(test/(errors|lease|list|options/(misuse|order|uses)|kinds/(replicas|two-ways|wrong-kind)|tcp/wake-ups)|agents/test/turn/(newest-wins|turn)\\.)",
  ],
  [
    /^src\/kinds/,
    "test/(errors|list|lease/(evicted|held)|options/(misuse|order|uses)|contract/contract|kinds/(groups|replicas|two-ways|wrong-kind|[a-z-]+/([a-z-]*lock|commit|counter|failures|forced|frozen|latch|never|semaphore|servers|single-flight|spend|unstored|waiting)\\.))",
  ],
  [/^src\/http/, "test/(errors|http|options/misuse|dedupe/(?!unavail|stories))"],
  [/^src\/dedupe/, "test/(errors|lease/events|options/misuse|dedupe|http/requests|hono/(?!bun|types|workerd))"],
  [/^src\/cron/, "test/(errors|lease/events|cron/(?!deno|edge|workers))"],
  [/^src\/fence/, "test/(errors|lease/events|fence)"],
  [/^src\/tcp/, "test/(tcp/(?!earlier)|options/misuse)"],
  [/^engine\/src\/holding/, "(engine/test/holding|gateway/test/holding/(turns|waiters)|durable-object/test/waiting)"],
  [
    /^gateway\/src\/redis/,
    "gateway/test/(redis/(?!faults|standstill)|cluster|sentinel|streams|upstash|access/read-only|databases|rest/fuzz|metrics/scripts|shared/(log|request-log))",
  ],
  [/^engine\/src\/rest/, "(engine/test/rest|gateway/test/(rest|access/read-only))"],
  [
    /^gateway\/src\/rest/,
    "gateway/test/(rest|upstash|access/read-only|holding/(turns|waiters)|http/refused-codings|metrics/scripts|server|shared/budget)",
  ],
  [/^gateway\/src\/access/, "gateway/test/(access|holding/waiters)"],
  [/^gateway\/src\/holding/, "gateway/test/holding/(?!crowd|gone)"],
  [
    /^durable-object/,
    "durable-object/test/(?!differential|shutdown|names|faults|worker|kill|agents|chat|versions|size|family|contract)",
  ],
];

const ALL: readonly string[] = globSync("{test,*/test}/**/*.test.ts", { cwd: ROOT })
  .filter((file) => !file.includes("node_modules") && !file.includes("/."))
  .sort();

/** The test files close to a source. */
export function nearTests(source: string): readonly string[] {
  const [, beginning] = NEAR.find(([pattern]) => pattern.test(source)) ?? [];
  return beginning === undefined ? [] : ALL.filter((file) => new RegExp(`^${beginning}`).test(file));
}
