/** Writes what was run as a page of Markdown. */
import type { Round } from "./run.ts";

/** The record of a round. */
export interface Entry extends Omit<Round, "bad" | "errors"> {
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

const INTRODUCTION = `# Histories of real clients on real servers

\`npm run histories\` lets clients in processes of their own use locks on real servers while faults befall them. It records what each operation was
asked, when, and what came of it, and then searches for an explanation: an order of all operations on a name in which each takes effect once, between
its call and its answer, and gives the answer that it gave. If there is none, the history is printed.

- **Clients**: Node, Deno and workerd with \`fetch\`, Node with \`@upstash/redis\`, all through the gateway, and Node with ioredis over TCP. Each uses
  all names, three sessions a name; half of those behind the gateway go through a proxy.
- **Faults**: clients, gateway and servers are frozen (\`SIGSTOP\`) and killed; the proxy cuts requests before and after they ran, delays them, asks
  again and repeats them; memory is full for a while; slots move from node to node; Sentinels fail over; a server's clock is set forward and back by
  up to an hour (libfaketime).
- **Outcomes**: done, refused, lost, failed, or unknown. What is unknown may have happened at any later time, or never.
- **The checker** is the search of Wing and Gong with Lowe's memory of what led nowhere, as Porcupine does it. npm has no such package. It
  also places each operation in time, since a lease ends by itself: a hold ends at its release, or when its time by the server's clock is over at the
  earliest. Its tests compare it with a search by brute force.

Where a lease may end early, by a step of the clock or by a failover that loses writes, the tokens are judged instead: they only rise, and a resource
that checks them accepts none lower than one before. That is so in the rows marked "tokens".`;

const ENDING = `## Judged by hand

One history under a clock that was set is not explained: its last token is 642 ms lower than the one before. The clock went ahead by more than
\`retention\` (60 s by default), where the record of the name expired, and came back to before its last token: a case that
[guarantees](guarantees.md#not-guaranteed) names. A run of these steps on a server shows the same. The clients of the histories have kept records for
three hours since then, so that no step outlasts them, and every token has to rise.

## What it does not show

- Valkey: Debian 12 has none. A machine with \`valkey-server\` and without \`redis-server\` runs it.
- A history that can be explained is no proof: a fault that no operation noticed is not seen.
- Drift of the servers' clocks against that of the recorder up to 0.1 % of a lease and a millisecond is let pass.

The models are mutex, owner-aware, reentrant, fenced, reentrant fenced, read-write, semaphore and once, in \`verification/histories/models/\`, each with good and bad
histories in \`test/histories/\`. \`npm run histories -- --help\` has the options; \`--log FILE --write\` writes this page.`;

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

export function summary(entries: readonly Entry[]): string {
  const [own, others] = [false, true].map((are) => entries.filter((entry) => entry.others === are)) as [
    Entry[],
    Entry[],
  ];
  const commits = [...new Set(own.map(({ commit }) => commit))].join(", ");
  const [first = "", last = ""] = [own.at(0)?.at.slice(0, 10), own.at(-1)?.at.slice(0, 10)];
  const parts = [
    INTRODUCTION,
    `## What was run\n\n${whole(sum(own, ({ operations }) => operations))} operations, on ${commits.includes(",") ? "commits" : "commit"} ${commits}, ${
      first === last ? `on ${first}` : `from ${first} to ${last}`
    }:\n\n${table(own)}`,
    `| kind | operations |\n|---|---|\n${list(together(own.map(({ perWorkload }) => perWorkload)))}`,
    `| client | operations |\n|---|---|\n${list(together(own.map(({ perRuntime }) => perRuntime)))}`,
    `| fault | times |\n|---|---|\n${list(together(own.map(({ nemeses }) => nemeses)))}`,
    others.length > 0 &&
      `## That it bites\n\nThe same clients and faults, with \`SET NX PX\` and \`DEL\`, and with \`@upstash/lock\` 0.2.1. Of undecided
names the search was ended early:\n\n${table(others)}`,
    ENDING,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
