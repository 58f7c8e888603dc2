/**
 * The words that readers type, and the section that each of them should find first. A page's own section is that of its
 * first heading.
 */
const WORDS: Readonly<Record<string, string>> = {
  "locks#locks": "mutex distributed lock",
  "locks#semaphore": "semaphore permits pool throttle concurrency limit",
  "locks#re-entry": "reentrant recursive",
  "which-lock#which-lock-do-i-need": "choose compare",
  "nextjs#nextjs": "nextjs next route handler",
  "webhooks#webhooks-and-idempotency-key": "idempotency idempotent dedupe duplicate twice delivery exactly",
  "cron#cron-jobs": "cron twice schedule scheduled overlap job",
  "shutdown#graceful-shutdown": "sigterm shutdown kubernetes docker quit",
  "leader#leader-election": "leader singleton master",
  "one-result#one-result-for-all-callers": "stampede thundering herd",
  "single-flight#single-flight": "singleflight coalesce cache",
  "newest-wins#newest-wins-queue-reject": "debounce supersede cancel latest",
  "fencing#fencing": "fence fencing stale zombie split brain",
  "fencing#drizzle-prisma-kysely": "prisma drizzle kysely orm",
  "fencing#dynamodb": "aws conditional write transactwriteitems",
  "hand-over#bullmq": "bullmq bull",
  "observability#opentelemetry": "otel opentelemetry tracing metrics",
  "operations#a-restricted-user": "acl noperm rights",
  "errors#your-first-error": "expired error",
  "guarantees#guarantees": "exactly once guarantee",
  "tcp#redis-over-tcp": "ioredis tcp",
  "testing#tests": "jest vitest mock test",
  "migrating#from-redlock-5": "redlock",
  "migrating#from-redis-semaphore": "redis-semaphore",
  "migrating#from-upstashlock": "upstash lock",
  "scale#prices-at-upstash": "price prices cost billing",
  "rate-limits#rate-limits-and-semaphores": "rate limit ratelimit",
};

const BOOST = 8;
/** The reference has every name many times; a guide says what to do. */
const REFERENCE_BOOST = 0.4;

/** Adds the words to a page's sections in the index, where no reader sees them. */
export function withWords(page: string, html: string): string {
  return Object.entries(WORDS).reduce((text, [section, words]) => {
    const [of, anchor] = section.split("#");
    if (`${of}.md` !== page) return text;
    const heading = new RegExp(`(<h\\d id="${anchor}"[\\s\\S]*?</h\\d>)`);
    if (!heading.test(text)) throw new Error(`docs/.vitepress/search.ts: docs/${of}.md has no section #${anchor}`);
    return text.replace(heading, `$1<p>${words}</p>`);
  }, html);
}

/** The sections that a word promotes. */
const PROMOTED = Object.groupBy(
  Object.entries(WORDS).flatMap(([section, words]) => words.split(" ").map((word) => ({ word, section }))),
  ({ word }) => word,
);

/**
 * How much a match counts. VitePress sends the text of this function to the browser, so it can refer to nothing outside
 * itself: it is made from its text.
 */
export const boostDocument = new Function(
  "id",
  "term",
  `const section = id.replace(/^\\/leasehold\\//, "").replace(/\\.html/, "");
  const promoted = ${JSON.stringify(PROMOTED)}[term];
  if (promoted && promoted.some((one) => one.section === section)) return ${BOOST};
  return section.startsWith("reference/") ? ${REFERENCE_BOOST} : 1;`,
) as (id: string, term: string) => number;
