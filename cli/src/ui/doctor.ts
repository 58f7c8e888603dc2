import type { Finding } from "../operations/doctor/finding.ts";
import type { Examination } from "./wire.ts";

/** Examines the server, and reports each finding as soon as it is known. */
export type Diagnose = (options: {
  readonly signal: AbortSignal;
  readonly onFinding: (finding: Finding) => void;
}) => Promise<unknown>;

/** Runs one examination at a time, and remembers the last. */
export interface Doctor {
  readonly last: () => Examination | undefined;
  /** Begins an examination unless one is in progress. */
  begin(): void;
  close(): void;
}

export function makeDoctor(diagnose: Diagnose, onChange: (examination: Examination) => void): Doctor {
  const ended = new AbortController();
  let last: Examination | undefined;

  function set(next: Examination): void {
    last = next;
    onChange(next);
  }

  async function run(startedAt: number): Promise<void> {
    const findings: Finding[] = [];
    set({ isRunning: true, startedAt, findings: [] });
    try {
      await diagnose({
        signal: ended.signal,
        onFinding(finding) {
          findings.push(finding);
          set({ isRunning: true, startedAt, findings: [...findings] });
        },
      });
      set({ isRunning: false, startedAt, findings });
    } catch (error) {
      if (ended.signal.aborted) return;
      set({ isRunning: false, startedAt, findings, problem: error instanceof Error ? error.message : "it failed" });
    }
  }

  return {
    last: () => last,
    begin() {
      if (!last?.isRunning) void run(Date.now());
    },
    close: () => ended.abort(),
  };
}
