/**
 * A consumer in a process of its own, which is frozen: takes the lock of a ticket over, and reports what came of it. Its
 * work counts its runs, waits for an order, and ends as that says.
 */
import { createLocks } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";

const [url = "", token = "", name = "", ticket = "", leaseMs = "", freezes = ""] = process.argv.slice(2);
let stopped = false;
const locks = createLocks({
  url,
  token,
  requestTimeout: "20s",
  onEvent({ type }) {
    // What was granted is known, the work has not begun, and nothing is on its way.
    if (freezes !== "before the work" || stopped || type !== "turn") return;
    stopped = true;
    process.kill(process.pid, "SIGSTOP");
  },
});
const options = { lease: Number(leaseMs), maxExtends: 0 } as const;

let order: (step: "complete" | "fail") => void = () => {};
const ordered = new Promise<"complete" | "fail">((resolve) => {
  order = resolve;
});
let begun: (token: number) => void = () => {};
const began = new Promise<number>((resolve) => {
  begun = resolve;
});
let extend: () => Promise<unknown> = async () => undefined;
let runs = 0;
let ended: Promise<unknown> = Promise.resolve();

const steps: Record<string, () => unknown> = {
  /** Resolves when the work has begun, with its token, or when it is over without. */
  begin() {
    ended = takeOver(locks.lock(name), ticket, options, async (lease) => {
      runs++;
      extend = () => lease.extend(Number(leaseMs)).then(() => "extended");
      begun(lease.token);
      if ((await ordered) === "fail") throw Object.assign(new Error("failed"), { code: "failed" });
      return "ours";
    }).then(
      (report) => report.status,
      ({ code }) => code,
    );
    return Promise.race([began, ended]);
  },
  extend: () => extend(),
  complete() {
    order("complete");
    return ended;
  },
  fail() {
    order("fail");
    return ended;
  },
  ended: () => ended,
  runs: () => runs,
};

process.on("message", async ({ step }: { step: string }) => {
  try {
    process.send?.({ result: (await steps[step]?.()) ?? null });
  } catch (error) {
    process.send?.({ result: (error as { code?: string }).code ?? `${error}` });
  }
});
process.on("disconnect", () => process.exit());
// The first request of a process takes longer than a short lease lasts when the machine is busy.
await locks.lock(name).inspect();
process.send?.({ result: "ready" });
