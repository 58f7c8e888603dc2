/** The memory and the open files of processes over time, as Linux counts them, and whether they are flat. */
import { readdirSync, readFileSync } from "node:fs";

interface Usage {
  readonly memoryBytes: number;
  /** Open file descriptors. */
  readonly files: number;
}

export interface Measure extends Usage {
  /** Since the start of the load. */
  readonly seconds: number;
}

/** The largest growth of a process that still counts as flat. */
export interface Allowance {
  /** A share of the memory before, and bytes in addition. */
  readonly share: number;
  readonly bytes: number;
  readonly files: number;
}

export interface Growth {
  readonly first: Usage;
  /** The mean of the second quarter. */
  readonly before: Usage;
  /** The mean of the last quarter. */
  readonly after: Usage;
  readonly isFlat: boolean;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch (cause) {
    throw new Error(`process ${pid} cannot be measured: it has ended, or this system has no /proc`, { cause });
  }
}

/** @throws Error if the process has ended, or if there is no /proc */
export function measure(pid: number, seconds: number): Measure {
  const [, kiB = "0"] = /VmRSS:\s+(\d+)/.exec(statusOf(pid)) ?? [];
  return { seconds, memoryBytes: Number(kiB) * 1024, files: readdirSync(`/proc/${pid}/fd`).length };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function meanOf(measures: readonly Measure[]): Usage {
  return {
    memoryBytes: mean(measures.map(({ memoryBytes }) => memoryBytes)),
    files: mean(measures.map(({ files }) => files)),
  };
}

/** Compares the last quarter with the second one. In the first quarter, caches fill and code is compiled. */
export function growthOf(measures: readonly Measure[], { share, bytes, files }: Allowance): Growth {
  const quarter = Math.floor(measures.length / 4);
  const [first] = measures;
  if (quarter === 0 || !first) throw new RangeError("growth needs at least four measures");
  const before = meanOf(measures.slice(quarter, 2 * quarter));
  const after = meanOf(measures.slice(-quarter));
  const isFlat = after.memoryBytes <= before.memoryBytes * (1 + share) + bytes && after.files <= before.files + files;
  return { first, before, after, isFlat };
}
