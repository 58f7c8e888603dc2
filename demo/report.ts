/** Progress while the demo runs, and the table at its end. */
import type { OnProgress, Outcome } from "./scenario.ts";

const EVERY_MS = 1000;

export interface Progress {
  readonly say: OnProgress;
  /** Ends the line that is being rewritten. */
  end(): void;
}

/** On a terminal one line, rewritten; elsewhere a plain line at most every second. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let last = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let open = false;
  return {
    say(text) {
      if (stream.isTTY) {
        stream.write(`\r\x1b[K${text}`);
        open = true;
        return;
      }
      last = text;
      if (performance.now() - lastAt < EVERY_MS) return;
      lastAt = performance.now();
      last = "";
      stream.write(`${text}\n`);
    },
    end() {
      if (open) stream.write("\n");
      else if (last !== "") stream.write(`${last}\n`);
    },
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function tableOf(outcome: Outcome): string {
  const { deliveries, answers, rows, redisRequests, tookMs, cron } = outcome;
  const runsOf = (at: 0 | 1): number => cron.runs.filter(({ slot }) => slot === cron.slots[at]).length;
  const counted = (status: string): number => answers.filter((answer) => answer.status === status).length;
  const added = answers.filter(({ status }) => status === "processed").map(({ dedupeMs }) => dedupeMs ?? Number.NaN);
  const written = rows.filter(({ writes }) => writes > 0).length;
  const lines: [string, string | number][] = [
    ["deliveries", deliveries.length],
    ["requests", answers.length],
    ["processed", `${counted("processed")} (rows in D1: ${written})`],
    ["answered as in progress", counted("running")],
    ["answered as done", counted("duplicate")],
    ["stale writes refused", counted("stale")],
    ["requests to Redis per delivery", (redisRequests / deliveries.length).toFixed(2)],
    ["added latency, median (1)", `${percentile(added, 0.5)} ms`],
    ["added latency, p99 (1)", `${percentile(added, 0.99)} ms`],
    ["time", `${(tookMs / 1000).toFixed(1)} s`],
    [`cron: ${cron.invocations} invocations at once`, `${runsOf(0)} run`],
    [
      "cron: the next occurrence",
      `${runsOf(1)} run, ${cron.last?.outcome ?? "not recorded"} in ${cron.last?.durationMs ?? "?"} ms`,
    ],
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  const body = lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join("\n");
  return `${body}

  (1) Of a delivery that is processed: what the Worker waits for the two requests to Redis, begin and complete,
      by its own clock (whole ms), with Redis, gateway, sender and all workerd processes busy on this machine.`;
}
