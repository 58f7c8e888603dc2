import { readdirSync, readFileSync } from "node:fs";

/** The processor time and the memory of a process, as Linux counts them. */
export interface Usage {
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** The process of workerd that this one has started. */
export function findWorkerd(): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = "", rest = ""] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (name === "workerd" && rest.split(" ")[1] === String(process.pid)) return Number(pid);
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error("workerd does not run");
}

/** @throws Error where there is no /proc */
export function usageOf(pid: number): Usage {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  const [, kiB = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { cpuMs: ns / 1e6, residentBytes: Number(kiB) * 1024 };
}
