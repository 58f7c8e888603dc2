import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** An HTTP request that is repeated. */
export interface Ask {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST; without one it is a GET. */
  readonly body?: string;
  /** The number of requests written before the first answer is read (HTTP pipelining). */
  readonly atOnce?: number;
  /**
   * The mean pause of a connection after an answer, in ms. With one, all servers get the same load, which saturates
   * none of them.
   */
  readonly pauseMs?: number;
}

export interface Measured {
  readonly requests: number;
  /** The requests that failed or had another status than 2xx and 3xx. */
  readonly wrong: number;
  /** The number of failures of each kind. */
  readonly kinds: string;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const REPORT = `
done = function(summary, latency)
  local bad = summary.errors
  io.write(string.format("\\nREPORT %d %d %d %d %d\\nconnect %d, read %d, write %d, status %d, timeout %d", summary.requests, summary.duration,
    bad.connect + bad.read + bad.write + bad.status + bad.timeout, latency:percentile(50), latency:percentile(99),
    bad.connect, bad.read, bad.write, bad.status, bad.timeout))
end`;

/** A text in Lua's long brackets, at a level that no body here has. */
const quoted = (text: string): string => `[==[${text}]==]`;

function scriptOf({ headers = {}, body, atOnce = 1, pauseMs }: Ask): string {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[ ${quoted(name)} ] = ${quoted(value)}`);
  if (body !== undefined) lines.push('wrk.method = "POST"', `wrk.body = ${quoted(body)}`);
  if (atOnce > 1) {
    lines.push(
      "local all",
      `init = function() local one = {} for at = 1, ${atOnce} do one[at] = wrk.format() end all = table.concat(one) end`,
      "request = function() return all end",
    );
  }
  if (pauseMs !== undefined) lines.push(`delay = function() return math.random(1, ${2 * pauseMs - 1}) end`);
  return [...lines, REPORT].join("\n");
}

/** How far the settable clock is ahead of the monotonic one. */
const clockAhead = (): number => Date.now() - performance.now();
/** More than the adjustment of a clock in a few seconds, in ms. */
const SET_MS = 10;

/**
 * Runs wrk with one thread, started by `prefix`. wrk uses the settable clock: when that is set back, or forward by more
 * than its timeout, it counts a timeout for each request in flight.
 */
export async function wrk(
  ask: Ask,
  connections: number,
  seconds: number,
  prefix: readonly string[],
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-wrk-"));
  try {
    const script = join(folder, "ask.lua");
    writeFileSync(script, scriptOf(ask));
    const given = ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, ask.url];
    const [program = "wrk", ...args] = [...prefix, ...given];
    const before = clockAhead();
    const { stdout } = await run(program, args);
    const setBy = clockAhead() - before;
    const [, requests, us, wrong, p50, p99] = /^REPORT (\d+) (\d+) (\d+) (\d+) (\d+)/m.exec(stdout)?.map(Number) ?? [];
    if (requests === undefined || us === undefined || wrong === undefined || p50 === undefined || p99 === undefined)
      throw new Error("wrk has not reported");
    const kinds = stdout.split("\n").at(-1) ?? "";
    const clock = Math.abs(setBy) > SET_MS ? `, the clock was set by ${setBy.toFixed(0)} ms meanwhile` : "";
    return { requests, wrong, kinds: kinds + clock, seconds: us / 1e6, p50Ms: p50 / 1e3, p99Ms: p99 / 1e3 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs redis-benchmark, which speaks RESP without HTTP. A request is `pipeline` commands. */
export async function raw(
  port: number,
  command: readonly string[],
  pipeline: number,
  connections: number,
  commands: number,
  prefix: readonly string[],
): Promise<Measured> {
  const given = ["redis-benchmark", "-p", String(port), "-c", String(connections), "-n", String(commands)];
  const [program = "redis-benchmark", ...args] = [...prefix, ...given, "-P", String(pipeline), "--csv", ...command];
  const { stdout } = await run(program, args);
  // "test","rps","avg","min","p50","p95","p99","max"; the name may hold commas.
  const figures = stdout
    .trim()
    .split("\n")
    .at(-1)
    ?.match(/"[\d.]+"/g)
    ?.slice(-7)
    .map((text) => Number(text.slice(1, -1)));
  const [rate, , , p50Ms, , p99Ms] = figures ?? [];
  if (rate === undefined || p50Ms === undefined || p99Ms === undefined)
    throw new Error("redis-benchmark has not reported");
  return { requests: commands / pipeline, wrong: 0, kinds: "", seconds: commands / rate, p50Ms, p99Ms };
}
