import type { Crowd, CrowdFigures } from "./contention.ts";
import type { CycleFigures } from "./cycle.ts";
import type { FaultFigures } from "./faults.ts";
import { compare, median } from "./stats.ts";
import { leasehold, leaseholdOverUpstash, twoFetches, upstashLock } from "./subjects.ts";
import type { TenureFigures, Tenures } from "./tenures.ts";

export interface CrowdResult {
  readonly crowd: Crowd;
  /** By subject, one of each run. */
  readonly figures: readonly { readonly head: string; readonly runs: readonly CrowdFigures[] }[];
}

export interface TenureResult {
  readonly tenures: Tenures;
  /** By subject, one of each run. */
  readonly figures: readonly { readonly head: string; readonly runs: readonly TenureFigures[] }[];
}

/** Two hold times are equal if they differ by less than the reads can resolve, or by less than jitter causes. */
const isSame = (one: number, other: number): boolean =>
  Math.abs(one - other) < Math.max(25, 0.1 * Math.max(one, other));

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const plain = (value: number): string => String(Number(value.toFixed(value < 100 ? 2 : 0)));
export const ratio = (ours: number, theirs: number): string => (theirs > 0 ? `${(ours / theirs).toFixed(2)} ×` : "–");

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n");
}

/** Whether leasehold's figure is smaller, with the number of paired runs that say so, if there are several. */
function better(ours: readonly number[], theirs: readonly number[]): string {
  const { verdict, betterIn, runs } = compare(ours, theirs);
  return runs > 1 ? `${verdict} (${betterIn} of ${runs})` : verdict;
}

interface Row<Figures> {
  readonly name: string;
  readonly format: (value: number) => string;
  readonly get: (figures: Figures) => number;
}

const CYCLE_ROWS: readonly Row<CycleFigures>[] = [
  { name: "time, median", format: ms, get: (cycle) => cycle.medianMs },
  { name: "time, p95", format: ms, get: (cycle) => cycle.p95Ms },
  { name: "requests", format: plain, get: (cycle) => cycle.traffic.requests },
  { name: "Redis commands", format: plain, get: (cycle) => cycle.traffic.commands },
  { name: "bytes sent", format: plain, get: (cycle) => cycle.traffic.bytesSent },
  { name: "bytes received", format: plain, get: (cycle) => cycle.traffic.bytesReceived },
];

export function cycleTable(cycle: readonly CycleFigures[]): string {
  const of = (label: string): CycleFigures | undefined => cycle.find((figures) => figures.label === label);
  const [ours, theirs, raw] = [of(leasehold.label), of(upstashLock.label), of(twoFetches.label)];
  if (!ours || !theirs || !raw) return "";
  const head = [
    ...cycle.map(({ label }) => label),
    `leasehold ÷ ${theirs.label}`,
    "better?",
    `leasehold ÷ ${raw.label}`,
  ];
  const rows = CYCLE_ROWS.map(({ name, format, get }, index) => {
    const values = cycle.map((figures) => format(get(figures)));
    const verdict =
      index === 0 ? better(ours.blockMediansMs, theirs.blockMediansMs) : better([get(ours)], [get(theirs)]);
    return [name, ...values, ratio(get(ours), get(theirs)), verdict, ratio(get(ours), get(raw))];
  });
  const more = cycle.map((figures) => ms(figures.medianMs - raw.medianMs));
  rows.splice(1, 0, [
    "more than two raw fetches, median",
    ...more,
    ratio(ours.medianMs - raw.medianMs, theirs.medianMs - raw.medianMs),
    "",
    "",
  ]);
  return table(["acquire + release", ...head], rows);
}

const CROWD_ROWS: readonly Row<CrowdFigures>[] = [
  { name: "idle gap between holders, median", format: ms, get: (crowd) => crowd.gapMedianMs },
  { name: "idle gap between holders, p95", format: ms, get: (crowd) => crowd.gapP95Ms },
  { name: "longest wait", format: ms, get: (crowd) => crowd.longestWaitMs },
  { name: "requests per acquisition", format: plain, get: (crowd) => crowd.requestsPerAcquisition },
  { name: "Redis commands per acquisition", format: plain, get: (crowd) => crowd.commandsPerAcquisition },
];

export function crowdTable(crowds: readonly CrowdResult[]): string {
  const heads = crowds[0]?.figures.map(({ head }) => head) ?? [];
  const rows = crowds.flatMap(({ crowd, figures }) =>
    CROWD_ROWS.map(({ name, format, get }) => {
      const values = figures.map(({ runs }) => median(runs.map(get)));
      // Over TCP, nothing passes the gateway, which counts the requests.
      return [
        `${crowd.contenders} × ${crowd.workMs} ms: ${name}`,
        ...values.map((value) => (value ? format(value) : "–")),
      ];
    }),
  );
  return table(["contention", ...heads], rows);
}

const TENURE_ROWS: readonly Row<TenureFigures>[] = [
  { name: "timed out", format: plain, get: (round) => round.timedOut },
  { name: "name free while somebody waits", format: ms, get: (round) => round.idleMs },
  { name: "gap after the long tenure", format: ms, get: (round) => round.firstGapMs },
  { name: "requests of all callers", format: plain, get: (round) => round.requests },
  { name: "Redis commands of all callers", format: plain, get: (round) => round.commands },
];

export function tenureTable(results: readonly TenureResult[]): string {
  const heads = results[0]?.figures.map(({ head }) => head) ?? [];
  const rows = results.flatMap(({ tenures, figures }) =>
    TENURE_ROWS.map(({ name, format, get }) => [
      `${tenures.name}: ${name}`,
      // Over TCP, nothing passes the gateway, which counts the requests.
      ...figures.map(({ head, runs }) =>
        name.startsWith("requests") && head.includes("TCP") ? "–" : format(median(runs.map(get))),
      ),
    ]),
  );
  return table(["one long tenure", ...heads], rows);
}

export function faultTable(faults: readonly FaultFigures[]): string {
  const of = (label: string): readonly FaultFigures[] => faults.filter((figures) => figures.label === label);
  const [others, foreign] = [of(upstashLock.label), of(leaseholdOverUpstash.label)];
  const rows = of(leasehold.label).map((ours, index) => {
    const [theirs, over] = [others[index], foreign[index]];
    if (!theirs || !over) return [];
    const cell = ({ told, toldAfterMs }: FaultFigures): string => `${told}, ${toldAfterMs.toFixed(0)} ms`;
    return [
      `${ours.struck}: ${ours.fault}`,
      cell(ours),
      cell(theirs),
      `${ours.blockedMs.toFixed(0)} ms`,
      `${over.blockedMs.toFixed(0)} ms`,
      `${theirs.blockedMs.toFixed(0)} ms`,
      isSame(ours.blockedMs, theirs.blockedMs) ? "same" : ours.blockedMs < theirs.blockedMs ? "yes" : "no",
    ];
  });
  const blocked = (label: string): string => `${label}: name held for`;
  const told = (label: string): string => `${label}: the caller`;
  const { label } = leasehold;
  const head = [told(label), told(upstashLock.label)];
  const held = [blocked(label), blocked(leaseholdOverUpstash.label), blocked(upstashLock.label)];
  return table(["fault in the request to …", ...head, ...held, "better?"], rows);
}
