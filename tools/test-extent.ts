/**
 * Which command runs a test file. `npm test` runs the quick ones: every kind, every mechanism once, and the examples of
 * the documents, in some minutes on two cores. `npm run test:full` runs the thorough ones: faults in every place, crowds,
 * other runtimes and frameworks, and other slow tests.
 */
const THOROUGH: readonly RegExp[] = [
  /^test\/platforms\/(runtime|cluster)\//,
  /^test\/hosts\/(node|runtimes|workerd|next)\.test/,
  /^test\/(playground|site)\//,
  /^test\/contract\/(held|held-others)\.test/,
  /^gateway\/test\/holding\/(servers|gone|faults|crowd|failovers|attacks)\.test/,
  /^test\/kinds\/.*(faults|models?|chaos|clocks|failures|dead|addresses|copies|replicas)[\w-]*\.test/,
  /^test\/faults\/(outage|long-outage|real-outage|closed-ids|bounded|upstash|silence|memory|held|refused-retries)\.test/,
  /^test\/(lua\/failing-commands|releases\/scripts|list\/unreadable|redis\/no-store)\.test/,
  /^test\/engine\/(ticket|refused|first-line)\.test/,
  /^test\/(redis\/redacted|lease\/zoo|queue\/faults|shared\/many-waits|documents\/shutdown)\.test/,
  /^test\/protocol\/(tokens|exclusion|model)\.test/,
  /^test\/cron\/(faults|verdicts|time-zones|one-lease|freeze)\.test/,
  /^nest\/test\/(page|types|jumps)\.test/,
  /^test\/workers\/webhook-dedupe\/(demo|freeze|refuse)\.test/,
  /^test\/fence\/(s3|redis-network|postgres|workers|tables|counts)\.test/,
  /^test\/fence\/once\/(killed|sqlite|postgres|workers|mysql|libsql|dynamodb|libraries)\.test/,
  /^test\/hono\/(replay|faults|workerd|dedupe)\.test/,
  /^test\/dedupe\/(senders|stories|unavailable)\.test/,
  /^test\/(http\/(platforms|frameworks)|node\/request-line|tcp\/outage|documents\/migrating\/.*)\.test/,
  /^cli\/test\/(warnings|ui\/page|mcp\/(agents|page|servers|tools)|command\/(doctor|doctor-failover|doctor-proxy|tcp|release))\.test/,
  /^agents\/test\/(mcp\/conformance|turn\/faults)\.test/,
  /^engine\/test\/(differential|lua|limits|attacks|kept|nesting|holding\/attacks)\.test/,
  /^durable-object\/test\/(differential|faults|kill|row-costs|shutdown|worker-contract|scripts|dead-waiters)\.test/,
  /^testing\/test\/(contract|faults|runtimes\/.*|document)\.test/,
  /^gateway\/test\/(cluster|sentinel|upstash|shared|cli|memory-server|redis|metrics)\//,
  /^gateway\/test\/(http\/(limits|drain|raw|attacks)|streams\/limits|rest\/fuzz|deploy|tenants|stalls|memory|oldest-node)\.test/,
];
/** `npm run test:packages`: what users install, with other versions of what they have, and other bundlers. */
const PACKAGES: readonly RegExp[] = [/^test\/platforms\/package\//, /^(cli|gateway)\/test\/package\.test/];
/**
 * `npm run test:instruments`: the tools under `verification/` and `bench/` themselves. Each must find what was broken on
 * purpose.
 */
const INSTRUMENTS: readonly RegExp[] = [
  /^test\/(bench|failover|histories|mutation|soak|spec)\//,
  /^test\/sim\/(?!partitions)/,
];

export type Extent = "quick" | "thorough" | "packages" | "instruments";

const EXTENTS: readonly (readonly [extent: Extent, patterns: readonly RegExp[]])[] = [
  ["packages", PACKAGES],
  ["instruments", INSTRUMENTS],
  ["thorough", THOROUGH],
];

export const extentOf = (file: string): Extent =>
  EXTENTS.find(([, patterns]) => patterns.some((pattern) => pattern.test(file)))?.[0] ?? "quick";
