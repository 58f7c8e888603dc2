import type { HttpResponse } from "../http/message.ts";
import { keyCountOf, labelOf } from "../redis/commands.ts";
import type { Sending } from "../rest/app.ts";
import type { Log } from "../shared/log.ts";
import { createSampler } from "../shared/log-sampler.ts";
import type { Trace } from "./stages.ts";

/** The maximum number of a pipeline's command names in one line. */
const MAX_NAMES = 5;

/** The lines of the log for requests. */
export interface RequestLog {
  /** Writes the line for a request that has ended. */
  ended(id: string, trace: Trace, response: HttpResponse): void;
  /** Writes the counts of omitted lines. */
  flush(): void;
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/** The commands in names and numbers. */
interface Described {
  /** The name of the command, or of the type of a request with several. */
  readonly command?: string;
  readonly more: object;
}

/** Describes commands without their keys and arguments. */
function described({ commands = [], sentAt, answeredAt, heldMs = 0 }: Sending, route = ""): Described {
  const [first] = commands;
  if (first === undefined) return { more: {} };
  const labels = new Set<string>();
  let keys = 0;
  let args = 0;
  for (const command of commands) {
    if (labels.size < MAX_NAMES) labels.add(labelOf(command));
    keys += keyCountOf(command) ?? 0;
    args += command.length - 1;
  }
  const redisMs =
    sentAt !== undefined && answeredAt !== undefined ? { redisMs: rounded(answeredAt - sentAt - heldMs) } : {};
  const numbers = { ...(keys > 0 ? { keys } : {}), args, ...redisMs };
  if (commands.length === 1) return { command: labelOf(first), more: numbers };
  return { command: route, more: { commands: commands.length, names: [...labels], ...numbers } };
}

/** @param slowMs how long a request may take before it is logged at `warn`; 0 is off */
export function createRequestLog(log: Log, slowMs: number): RequestLog {
  const sampler = createSampler(log);
  return {
    ended(id, { shown, sending, startedAt, tookMs = performance.now() - startedAt }, { status }) {
      const ms = rounded(tookMs);
      const { heldMs = 0 } = sending;
      const held = heldMs > 0 ? { heldMs: rounded(heldMs) } : {};
      if (status > 500) {
        const { database, reason, ...rest } = shown;
        const { command, more } = described(sending, shown.route);
        const named = command === undefined ? {} : { command };
        sampler.warn({ database, status, reason }, { id, ...rest, ...named, ...more, ...held, ms }, "request");
      } else if (slowMs > 0 && ms - heldMs >= slowMs && status < 500) {
        const { database, ...rest } = shown;
        const { command, more } = described(sending, shown.route);
        const alike = { database, ...(command === undefined ? {} : { command }), overMs: slowMs };
        sampler.warn(alike, { id, ...rest, status, ...more, ...held, ms }, "slow request");
      } else {
        log[status < 500 ? "debug" : "error"]({ id, ...shown, status, ...held, ms }, "request");
      }
    },
    flush: sampler.flush,
  };
}
