/** Writes what was run as a page of Markdown. */
import type { Round } from "./run.ts";

/** The record of a round. */
export interface Entry extends Omit<Round, "judged" | "bad" | "second" | "disputed" | "errors"> {
  readonly site: string;
  readonly isStrict: boolean;
  /** Whether it was of other locks, in which faults have to be found. */
  readonly others: boolean;
  /** The last commit that changed what was tested. */
  readonly commit: string;
  readonly at: string;
  readonly violated: number;
  readonly undecided: number;
  readonly nemeses: Readonly<Record<string, number>>;
}

const METHOD = `## How it works

\`npm run histories\` runs clients in separate processes on real servers while faults occur. It records the call, the answer and their times for each operation.
Then it searches for an explanation: an order of all operations on a name in which each takes effect once, between its call and its answer, and returns what it returned.
A history without one is printed.

- **Clients:** Node, Deno and workerd with \`fetch\` and Node with \`@upstash/redis\`, through the gateway; Node with ioredis over TCP. Each uses all names, with three
  sessions per name. Half of those behind the gateway go through a proxy.
- **Faults:** clients, gateway and servers are frozen (\`SIGSTOP\`) and killed. The proxy cuts, delays, retries and duplicates requests. Memory is full for a while, slots
  move, Sentinels fail over, and a server's clock is set by up to an hour (libfaketime).
- **Outcomes:** done, refused, lost, failed, or unknown. An unknown operation may take effect at any later time, or never.
- **The checker** uses the search of Wing and Gong with Lowe's memory of dead ends, as Porcupine does. It also places operations in time: a hold ends at its release, or
  at the earliest when its time by the server's clock has passed. Tests compare it with a search by brute force.

If a lease may end early, by a clock step or by a failover that loses writes, the tokens are judged instead (rows marked "tokens"): they only rise, and a resource that
checks them accepts none lower than one before.`;

const ENDING = `## A second judge

\`npm run histories\` judges each history twice, and so does \`npm run oracle -- FILE\` for a file written by \`--export FILE\`. The second judge in
\`verification/oracle/\` shares only the record of an operation with the checker. It was written from the documents and from published work by somebody who had not read the checker:

- **Algorithm:** Lowe's just-in-time linearization, as in Knossos. It reads a history in the order of time and keeps every state that explains it so far.
- **Models:** those of Jepsen's lock workloads, which know no leases: mutex, owner-aware, reentrant and fenced mutex, semaphore, read-write lock, and a register set once.
  Each hold gets an expiry as an operation of its own, between the earliest and the latest end of its lease.
- **Disagreement** fails the run: one judge explains a history and the other cannot.
- **Planted faults:** tests plant 12 kinds of faults in good histories, such as two holders at once or a token that falls. Both judges find each.

The comparison found four faults of the checker, all fixed on 2026-11-24. Its earlier runs, the table above included, could not have found a refusal while the name was free: the
checker explained each refusal by an unseen request of the same call. It also accepted "held by another" about the caller's own hold, a number of attempts that
counted a cancelled one, and a hold that its client closed long before its end.

Neither judge knows who waits in a queue. Both accept every refusal by a fair lock, and by a read-write lock with waiters.

## Judged by hand

One history with a clock step is not explained: its last token is 642 ms lower than the one before. The clock went ahead by more than \`retention\` (60 s by default), the
name's record expired, and the clock came back to before its last token. [Guarantees](guarantees.md#not-guaranteed) name this case, and running these steps on a
server shows it. Since then, the clients of the histories keep records for three hours, so that every token has to rise.

## What it does not show

- Valkey was not run. To run it, put \`valkey-server\` first on the PATH.
- An explained history is no proof: a fault that no operation noticed stays unseen.
- Clock drift of up to 0.1 % of a lease plus a millisecond is tolerated.

The models are in \`verification/histories/models/\`, each with good and bad histories in \`test/histories/\`. \`npm run histories -- --help\` lists the options;
\`--log FILE --write\` writes this page.`;

const whole = (count: number): string => Math.round(count).toLocaleString("en-US").replaceAll(",", " ");
const sum = (entries: readonly Entry[], of: (entry: Entry) => number): number =>
  entries.reduce((total, entry) => total + of(entry), 0);

/** Adds counts by word. */
function together(counts: readonly Readonly<Record<string, number>>[]): [string, number][] {
  const all = new Map<string, number>();
  for (const each of counts)
    for (const [word, count] of Object.entries(each)) all.set(word, (all.get(word) ?? 0) + count);
  return [...all].sort(([a], [b]) => a.localeCompare(b));
}

function row(site: string, entries: readonly Entry[]): string {
  const judged = entries.every(({ isStrict }) => isStrict) ? "leases" : "tokens";
  const counts = [
    sum(entries, ({ operations }) => operations),
    sum(entries, ({ unknown }) => unknown),
    sum(entries, ({ stories }) => stories),
    sum(entries, ({ seconds }) => seconds) / 60,
    sum(entries, ({ violated }) => violated),
    sum(entries, ({ undecided }) => undecided),
  ];
  return `| ${[site, judged, ...counts.map(whole)].join(" | ")} |`;
}

const list = (counts: readonly [string, number][]): string =>
  counts.map(([word, count]) => `| ${word} | ${whole(count)} |`).join("\n");

function table(entries: readonly Entry[]): string {
  const sites = [...new Set(entries.map(({ site }) => site))];
  const rows = sites.map((site) =>
    row(
      site,
      entries.filter((entry) => entry.site === site),
    ),
  );
  return [
    "| servers | judged by | operations | unknown | names | minutes | not explained | undecided |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

const resultOf = (own: readonly Entry[]): string => `# Histories of real clients on real servers

Real clients used locks on real servers through freezes, kills, failovers and clock steps, in ${whole(sum(own, ({ operations }) => operations))} operations on ${whole(sum(own, ({ stories }) => stories))} names.
A search for an order of operations that explains each history left ${whole(sum(own, ({ violated }) => violated))} of them unexplained; it is judged by hand below.
The same run with other locks finds unexplained histories, so the check can fail.`;

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
      `## The check can fail\n\nThe same clients and faults, with \`SET NX PX\` and \`DEL\`, and with \`@upstash/lock\` 0.2.1. For undecided names, the search was
ended early:\n\n${table(others)}`,
    ENDING,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
