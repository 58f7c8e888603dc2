import { type ChildProcess, fork } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import type { Outcome } from "./support/attack-worker.ts";
import { ATTACKS } from "./support/attacks.ts";

/** A tenth of the default; the long form is ATTACK_STEPS=10000000. */
const MAX_STEPS = Number(process.env["ATTACK_STEPS"] ?? 1_000_000);
const MAX_BYTES = 64 * 2 ** 20;
/** The heap of the process in MB: the budget's memory, what the attack prepared, and what was not collected yet. */
const HEAP_MB = 256;
/** So many times as long as a plain loop with the same steps an attack may take. The slowest take 30 to 40 times. */
const MAX_LOOPS = 100;
/** By then, nobody counts. */
const HANGING_MS = 25_000;

let worker: ChildProcess | undefined;
afterAll(() => worker?.kill("SIGKILL"));

/** Runs an attack in the worker, which is started again after one that it did not survive. */
function outcomeOf(at: number): Promise<Outcome> {
  worker ??= fork(new URL("support/attack-worker.ts", import.meta.url), [String(MAX_STEPS), String(MAX_BYTES)], {
    execArgv: ["--no-warnings", `--max-old-space-size=${HEAP_MB}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const own = worker;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      worker = undefined;
      own.kill("SIGKILL");
      reject(new Error(why));
    };
    const timer = setTimeout(fail, HANGING_MS, "it does not end");
    const ended = (code: number | null, signal: string | null): void => {
      clearTimeout(timer);
      fail(`the process died: ${signal ?? code}`);
    };
    own.once("exit", ended);
    own.once("message", (outcome: Outcome) => {
      clearTimeout(timer);
      own.off("exit", ended);
      resolve(outcome);
    });
    own.send(at);
  });
}

it("each attack has a name of its own", () => {
  expect(new Set(ATTACKS.map(({ what }) => what)).size).toBe(ATTACKS.length);
});

it.each(ATTACKS.map(({ what, isEndless }, at) => [what, isEndless, at] as const))(
  "%s: ends with a result or an error, within its steps and its memory (B3)",
  async (what, isEndless, at) => {
    const { workedMs, loopMs, error = "" } = await outcomeOf(at);
    expect(workedMs / loopMs, what).toBeLessThan(MAX_LOOPS);
    if (isEndless) expect(error).toMatch(/^ERR the (script|command) takes too (many steps|much memory)/);
    // Nothing that ended it came from JavaScript itself.
    else expect(error).not.toMatch(/Invalid (string|array) length|Maximum call stack|heap/);
  },
);
