import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** The processor time that a process has used, in seconds, without that of other processes. */
export function cpuSeconds(pid: number): number {
  // The name, in brackets, may have spaces; the times in user and kernel mode are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The memory that a process has in use, in MiB. */
export function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
