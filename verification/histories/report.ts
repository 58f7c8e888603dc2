/** Writes the report of a run as a Markdown page. */
import type { Round } from "./run.ts";

/** The record of a round in the log. */
export interface Entry extends Omit<Round, "bad" | "errors" | "heard"> {
  /** The number of messages that woke waiters; older logs lack it. */
  readonly heard?: number;
  readonly site: string;
  /** The server, with its version. */
  readonly server: string;
  readonly isStrict: boolean;
  /** Whether it ran other locks, whose faults must be found. */
  readonly others: boolean;
  /** The last commit that changed the code under test. */
  readonly commit: string;
  readonly at: string;
  readonly violated: number;
  readonly undecided: number;
  readonly nemeses: Readonly<Record<string, number>>;
}

/** A healthy site answers more even on a busy machine, an overloaded one about a third. */
const MIN_ANSWERED = 0.8;

/** Rounded down, so that only a share of 1 is shown as 100 %. */
export const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

const METHOD = `## How it works

\`npm run histories\` runs clients in separate processes on real servers while faults occur. For each operation it records the call, the answer and their times.
Then it searches for an order of all operations on a name in which each takes effect once, between its call and its answer, and returns what it returned. It
prints each history that has no such order.

- **Clients:** two releases of Node, Deno, Bun and workerd with \`fetch\`, and Node with \`@upstash/redis\`, through the gateway or to the Durable Objects; Node
  with ioredis over TCP. Where messages wake waiters, ioredis and node-redis, of whose callers most wait. Each uses all names, with three sessions per name. Half of those that use HTTP connect through a proxy.
- **Faults:** clients, gateways, servers and the objects' process are frozen (\`SIGSTOP\`) and killed. The proxy cuts, delays, retries and duplicates requests.
  Subscriptions are cut, memory is full for a while, slots move, Sentinels fail over, a server's clock is set by up to an hour (libfaketime), and another version of the objects' code is
  deployed.
- **Outcomes:** done, refused, lost, failed, or unknown. An unknown operation may take effect at any later time, or never.
- **Answered** is what was done, refused or lost; the other operations are unknown or failed with an error. Histories without answers prove nothing, so the run
  fails if fewer than ${percent(MIN_ANSWERED)} of the operations at a site were answered.
- **Load:** a request that waits for longer than its time limit is answered in vain, and retried. With too many names, servers do nothing else and never recover. So
  the number of names is halved when one goes unanswered, and grows by one with each that is answered. While nothing is answered, sessions pause for longer. An acquire
  that does not wait must be answered within its lease, so leases are 1 to 4 s on Durable Objects, and 0.2 to 1 s elsewhere.
- **The checker** uses the search of Wing and Gong with Lowe's memoization of visited states, as Porcupine does. It also uses the time of each operation: a hold
  ends at its release, or at the earliest when its lease has expired by the server's clock. Tests compare the checker with a brute-force search, and plant 21 kinds of
  faults in good histories, such as two holders at once or a token that falls. It does not know who waits in a queue, so it accepts every refusal by a fair lock,
  and by a read-write lock with waiters.

A clock step, or a failover that loses writes, can end a lease early. There, tokens are checked instead of leases: they only rise, and a resource that checks
them accepts none lower than an earlier one. The column "checked" says which.`;

const ENDING = `## What it does not show

- A linearizable history is no proof: a fault that no operation noticed stays unseen.
- The checker tolerates clock drift of up to 0.1 % of a lease plus a millisecond.

The models are in \`verification/histories/models/\`, each with good and bad histories in \`test/histories/\`. \`npm run histories -- --help\` lists the options;
\`--log FILE --write\` writes this page. The first \`redis-server\` or \`valkey-server\` on the PATH is used. On Debian, this runs the histories on Valkey:

    PATH="$(npm run servers --silent -- valkey-server sid):$PATH" npm run histories -- --sites single,gateways,cluster,sentinel`;

const whole = (count: number): string => Math.round(count).toLocaleString("en-US").replaceAll(",", " ");
const sum = <E>(entries: readonly E[], of: (entry: E) => number): number =>
  entries.reduce((total, entry) => total + of(entry), 0);

type Counts = Pick<Entry, "site" | "server" | "operations" | "unanswered">;

/** The share of operations that were done, refused or lost; the others are unknown, or failed with an error. */
export function shareAnswered(entries: readonly Counts[]): number {
  const operations = sum(entries, (entry) => entry.operations);
  return operations === 0 ? 0 : (operations - sum(entries, (entry) => entry.unanswered)) / operations;
}

/** What a round found, in one line. */
export function roundLine(entry: Counts & Pick<Entry, "stories" | "seconds" | "violated" | "undecided">): string {
  const { site, operations, stories, seconds, violated, undecided } = entry;
  return (
    `${site}: ${operations} operations (${percent(shareAnswered([entry]))} answered), ${stories} names, ` +
    `${seconds.toFixed(0)} s; ${violated} not linearizable, ${undecided} undecided`
  );
}

/** The entries of each site and version of its server. */
function bySite<E extends Counts>(entries: readonly E[]): readonly (readonly [E, ...E[]])[] {
  const groups = new Map<string, [E, ...E[]]>();
  for (const entry of entries) {
    const key = `${entry.site} ${entry.server}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

/** A line for each site where too few operations were answered. */
export const tooFewAnswered = (entries: readonly Counts[]): readonly string[] =>
  bySite(entries).flatMap((group) => {
    const share = shareAnswered(group);
    if (share >= MIN_ANSWERED) return [];
    const [{ site, server }] = group;
    return [
      `${site}, ${server}: only ${percent(share)} of the operations were answered, too few to prove anything ` +
        `(at least ${percent(MIN_ANSWERED)})`,
    ];
  });

/** Adds counts by word. */
function together(counts: readonly Readonly<Record<string, number>>[]): [string, number][] {
  const all = new Map<string, number>();
  for (const each of counts)
    for (const [word, count] of Object.entries(each)) all.set(word, (all.get(word) ?? 0) + count);
  return [...all].sort(([a], [b]) => a.localeCompare(b));
}

function row(site: string, server: string, entries: readonly Entry[]): string {
  const judged = entries.every(({ isStrict }) => isStrict) ? "leases" : "tokens";
  const counts = [
    sum(entries, ({ operations }) => operations),
    sum(entries, ({ stories }) => stories),
    sum(entries, ({ seconds }) => seconds) / 60,
    sum(entries, ({ violated }) => violated),
    sum(entries, ({ undecided }) => undecided),
  ].map(whole);
  const [operations, names, minutes, violated, undecided] = counts;
  const answered = percent(shareAnswered(entries));
  return `| ${[site, server, judged, operations, answered, names, minutes, violated, undecided].join(" | ")} |`;
}

const list = (counts: readonly [string, number][]): string =>
  counts.map(([word, count]) => `| ${word} | ${whole(count)} |`).join("\n");

function table(entries: readonly Entry[]): string {
  const rows = bySite(entries).map((group) => row(group[0].site, group[0].server, group));
  return [
    "| servers | version | checked | operations | answered | names | minutes | not linearizable | undecided |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** What the checker says of all histories together. */
function acceptanceOf(own: readonly Entry[]): string {
  const rejected = sum(own, ({ violated }) => violated);
  return rejected === 0 ? "No history is rejected." : `The histories of ${whole(rejected)} names are rejected.`;
}

const resultOf = (own: readonly Entry[]): string => `# Histories of real clients on real servers

Real clients used locks on real servers through freezes, kills, failovers and clock steps: ${whole(sum(own, ({ operations }) => operations))} operations on ${whole(sum(own, ({ stories }) => stories))} names.
${acceptanceOf(own)}
The same run with other locks finds histories that do not pass, so the check can fail.`;

export function summary(entries: readonly Entry[]): string {
  const [own, others] = [false, true].map((are) => entries.filter((entry) => entry.others === are)) as [
    Entry[],
    Entry[],
  ];
  const commits = [...new Set(own.map(({ commit }) => commit))].join(", ");
  const [first = "", last = ""] = [own.at(0)?.at.slice(0, 10), own.at(-1)?.at.slice(0, 10)];
  const parts = [
    resultOf(own),
    METHOD,
    `## What was run\n\n${whole(sum(own, ({ operations }) => operations))} operations, on ${commits.includes(",") ? "commits" : "commit"} ${commits}, ${
      first === last ? `on ${first}` : `from ${first} to ${last}`
    }:\n\n${table(own)}`,
    `| kind | operations |\n|---|---|\n${list(together(own.map(({ perWorkload }) => perWorkload)))}`,
    `| client | operations |\n|---|---|\n${list(together(own.map(({ perRuntime }) => perRuntime)))}`,
    `| fault | times |\n|---|---|\n${list(together(own.map(({ nemeses }) => nemeses)))}`,
    others.length > 0 &&
      `## The check can fail\n\nThe same clients and faults, with \`SET NX PX\` and \`DEL\`, with \`@upstash/lock\` 0.2.1, and with clients of ours that take each slot for a job of its own, or each
delivery for a message of its own. The search was stopped early for undecided names:\n\n${table(others)}`,
    ENDING,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
