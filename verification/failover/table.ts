/** The table of docs/guarantees.md. */
import type { Played } from "./run.ts";
import type { SetUp } from "./set-ups.ts";

/** The result of one instance of a set-up. */
export interface Row {
  /** The name of the set-up. */
  readonly setUp: string;
  readonly commit: string;
  /** As `2026-11-29`. */
  readonly date: string;
  readonly played: Played;
}

const COUNTS = ["lostEarly", "twoHolders", "tokensFell", "onceAgain", "starved"] as const;
const FAULTS = ["kill", "freeze", "partition"] as const;

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Adds up counts by name. */
function totals<K extends string>(
  names: readonly K[],
  list: readonly Readonly<Record<K, number>>[],
): Record<K, number> {
  const entries = names.map((name) => [name, total(list.map((each) => each[name]))] as const);
  return Object.fromEntries(entries) as Record<K, number>;
}

/** Adds up the runs of one set-up. */
export function sumOf(rows: readonly Row[], setUp: string): Played {
  const list = rows.filter((row) => row.setUp === setUp).map(({ played }) => played);
  const codes = [...new Set(list.flatMap(({ rejected }) => Object.keys(rejected)))];
  return {
    server: list.find(({ server }) => server !== "")?.server ?? "",
    faults: totals(
      FAULTS,
      list.map(({ faults }) => faults),
    ),
    ...totals(["tenures", "runs"], list),
    verdict: totals(
      COUNTS,
      list.map(({ verdict }) => verdict),
    ),
    findings: list.flatMap(({ findings }) => findings),
    nextMs: list.flatMap(({ nextMs }) => nextMs),
    rejected: Object.fromEntries(codes.map((code) => [code, total(list.map(({ rejected }) => rejected[code] ?? 0))])),
  };
}

/** Whether a set-up that must be at 0 is not, or a set-up was not tested at all. */
export const isBroken = ({ isDurable }: Pick<SetUp, "isDurable">, { verdict, tenures }: Played): boolean =>
  tenures === 0 || (isDurable && COUNTS.some((count) => verdict[count] > 0));

export const faultsOf = ({ faults }: Played): number => total(FAULTS.map((fault) => faults[fault]));

const seconds = (ms: number): string => (ms / 1000).toFixed(ms < 10_000 ? 2 : 1);

function timesOf(nextMs: readonly number[]): string {
  const sorted = [...nextMs].sort((a, b) => a - b);
  const [median, max] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return median === undefined || max === undefined ? "–" : `${seconds(median)}, ${seconds(max)}`;
}

function lineOf({ title, isDurable, hasOnce }: SetUp, played: Played): string {
  const { verdict, nextMs, server } = played;
  const counts = COUNTS.map((count) => (count === "onceAgain" && !hasOnce ? "–" : String(verdict[count])));
  const name = isDurable ? `**${title}**` : title;
  return `| ${[name, server, faultsOf(played), ...counts, timesOf(nextMs)].join(" | ")} |`;
}

/** Upstash cannot be killed from here. Its row is what its documentation says. */
const UPSTASH =
  "| Upstash, not run: from [its documents](https://upstash.com/docs/redis/features/consistency) | – | – | possible: " +
  "replication is asynchronous | possible | – | possible | – | – |";

const HEAD = [
  "| Set-up | Server | Faults | Lost early | Two holders | Tokens fell | `once` again | Starved | Next grant: median, max (s) |",
  "|---|---|--:|--:|--:|--:|--:|--:|--:|",
];

export function tableOf(setUps: Readonly<Record<string, SetUp>>, rows: readonly Row[]): string {
  const lines = Object.entries(setUps)
    .filter(([name]) => rows.some((row) => row.setUp === name))
    .map(([name, setUp]) => lineOf(setUp, sumOf(rows, name)));
  return [...HEAD, ...lines, UPSTASH].join("\n");
}
