/** Progress while the demo runs, and the table at its end. */
import type { OnProgress, Outcome } from "./scenario.ts";

export interface Progress {
  readonly say: OnProgress;
  /** Ends the line being rewritten. */
  end(): void;
}

/** One line: on a terminal it is rewritten, otherwise it is written once, at the end. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let last = "";
  let open = false;
  return {
    say(text) {
      if (stream.isTTY) {
        stream.write(`\r\x1b[K${text}`);
        open = true;
        return;
      }
      last = text;
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
  const { deliveries, answers, pingMs, rows, redisRequests, tookMs, cron } = outcome;
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
    ["one command to Redis, idle, median", `${pingMs.toFixed(1)} ms`],
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
      by its own clock (whole ms), while Redis, gateway, sender and all workerd processes share this machine. In
      production it is twice the round trip to your Redis.`;
}
