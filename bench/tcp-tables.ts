import type { CycleFigures } from "./cycle.ts";
import { ms, plain, ratio, table } from "./tables.ts";
import { leaseholdOverIoredis, redisSemaphore, redlock, redlockUniversal, verrou } from "./tcp-subjects.ts";

interface Row<Figures> {
  readonly name: string;
  readonly format: (value: number) => string;
  readonly get: (figures: Figures) => number;
}

const OTHERS = [redlock, redisSemaphore, redlockUniversal, verrou].map(({ label }) => label);
const RATIOS = OTHERS.map((label) => `leasehold ÷ ${label}`);

/** The cells of a row: all values, and leasehold's as a multiple of each of the others. */
function cells(labels: readonly string[], values: readonly number[], format: (value: number) => string): string[] {
  const of = (label: string): number => values[labels.indexOf(label)] ?? Number.NaN;
  return [...values.map(format), ...OTHERS.map((label) => ratio(of(leaseholdOverIoredis.label), of(label)))];
}

const CYCLE_ROWS: readonly Row<CycleFigures>[] = [
  { name: "time, median", format: ms, get: (cycle) => cycle.medianMs },
  { name: "time, p95", format: ms, get: (cycle) => cycle.p95Ms },
  { name: "Redis commands", format: plain, get: (cycle) => cycle.traffic.commands },
];

export function tcpCycleTable(cycle: readonly CycleFigures[]): string {
  const labels = cycle.map(({ label }) => label);
  const rows = CYCLE_ROWS.map(({ name, format, get }) => [name, ...cells(labels, cycle.map(get), format)]);
  return table(["acquire + release over TCP", ...labels, ...RATIOS], rows);
}
