import { median } from "../../bench/stats.ts";
import { table } from "../../bench/tables.ts";
import type { Case } from "./cases.ts";
import type { MemoryFigures } from "./memory.ts";

/** The rate of commands, not of requests. */
export interface Figures {
  readonly perSecond: number;
  /** The rate by the processor time of the measured server: the rate it would reach with a core for itself. */
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMiB: number;
}

/** The figures of each round, at the same index for all subjects. */
export interface CaseResult {
  readonly one: Case;
  readonly ours: Figures[];
  readonly webdis: Figures[];
  readonly raw: Figures[];
}

const whole = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(0));
const fine = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(2));

type Get = (figures: Figures) => number;

/** The median of the rounds' own ratios, since a round has the same neighbours for both. */
const ratio = (ours: readonly Figures[], theirs: readonly Figures[], get: Get): string => {
  const ratios = ours.flatMap((it, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [get(it) / get(other)];
  });
  return ratios.length === 0 || ratios.some(Number.isNaN) ? "–" : `${fine(median(ratios))} ×`;
};

const HEAD = ["commands/s", "commands per CPU second", "p50 ms", "p99 ms", "memory, MiB"];

export function speedTable(results: readonly CaseResult[]): string {
  const rows = results.flatMap(({ one, ours, webdis, raw }) => {
    const row = (label: string, list: readonly Figures[]): string[] => {
      const of = (get: Get): number => (list.length === 0 ? Number.NaN : median(list.map(get)));
      return [
        `${one.name}: ${label}`,
        ...[whole(of((it) => it.perSecond)), whole(of((it) => it.perCpuSecond))],
        ...[fine(of((it) => it.p50Ms)), fine(of((it) => it.p99Ms)), whole(of((it) => it.residentMiB))],
      ];
    };
    const versus = (label: string, theirs: readonly Figures[]): string[] => [
      `${one.name}: gateway ÷ ${label}`,
      ...[ratio(ours, theirs, (it) => it.perSecond), ratio(ours, theirs, (it) => it.perCpuSecond)],
      ...[ratio(ours, theirs, (it) => it.p50Ms), ratio(ours, theirs, (it) => it.p99Ms), ""],
    ];
    return [
      row("gateway", ours),
      row("webdis", webdis),
      row("RESP", raw),
      versus("webdis", webdis),
      versus("RESP", raw),
    ];
  });
  return table(["64 connections", ...HEAD], rows);
}

export function memoryTable(memory: readonly MemoryFigures[]): string {
  const rows = memory.map((it) => [String(it.requests), fine(it.heapMiB), whole(it.residentMiB)]);
  return table(["requests, all kinds by turns", "heap after a collection, MiB", "resident, MiB"], rows);
}
