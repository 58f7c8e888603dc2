/**
 * The test files of `npm test`: every kind, every mechanism once, and the examples of the documents, in some minutes on
 * two cores. `npm run test:full` runs the others: faults in every place, crowds, other runtimes, packed packages, and
 * other slow tests.
 */
const THOROUGH: readonly RegExp[] = [
  /^test\/platforms\/(runtime|package|cluster)\//,
  /^test\/hosts\/(runtimes|workerd|next)\.test/,
  /^test\/(bench|failover|histories|mutation|spec|playground|site|soak)\//,
  /^test\/sim\/(sim|object|day)\.test/,
  /^test\/contract\/(held|held-others)\.test/,
  /^gateway\/test\/holding\/(servers|gone|faults|crowd)\.test/,
  /^test\/kinds\/.*(faults|models?|chaos|clocks|failures|dead|addresses|copies|replicas)[\w-]*\.test/,
  /^test\/faults\/(outage|closed-ids|bounded|upstash|silence|memory|held)\.test/,
  /^test\/engine\/(ticket|refused|first-line)\.test/,
  /^test\/redis\/redacted\.test/,
  /^test\/protocol\/(tokens|exclusion|model)\.test/,
  /^test\/cron\/(faults|verdicts|time-zones|one-lease)\.test/,
  /^nest\/test\/(page|types)\.test/,
  /^test\/workers\/webhook-dedupe\/(freeze|refuse)\.test/,
  /^test\/fence\/(s3|redis-network|postgres|workers|once\/(killed|sqlite|postgres|workers|mysql|libsql|dynamodb))\.test/,
  /^test\/hono\/(replay|faults|workerd|dedupe)\.test/,
  /^test\/dedupe\/(senders|stories|unavailable)\.test/,
  /^test\/(http\/(platforms|frameworks)|node\/request-line|tcp\/outage|documents\/migrating\/.*)\.test/,
  /^cli\/test\/(package|warnings|ui\/page|mcp\/(agents|page|servers)|command\/(doctor|doctor-failover|doctor-proxy|tcp|release))\.test/,
  /^engine\/test\/(differential|lua|limits|attacks)\.test/,
  /^durable-object\/test\/(differential|faults|shutdown|worker-contract)\.test/,
  /^testing\/test\/(contract|faults|runtimes\/.*|document)\.test/,
  /^gateway\/test\/(cluster|sentinel|upstash|shared|cli|memory-server|redis|metrics)\//,
  /^gateway\/test\/(http\/(limits|drain|raw)|streams\/limits|rest\/fuzz|package|deploy|tenants|stalls|memory|oldest-node)\.test/,
];

export interface ByExtent {
  readonly quick: readonly string[];
  readonly thorough: readonly string[];
}

export function byExtent(files: readonly string[]): ByExtent {
  const isThorough = (file: string): boolean => THOROUGH.some((pattern) => pattern.test(file));
  return { quick: files.filter((file) => !isThorough(file)), thorough: files.filter(isThorough) };
}
