/**
 * Runs one slot in a process of its own, which can be stopped at any moment. Tells when the work has begun and how it
 * ended.
 */
import { runCron } from "../../src/cron/index.ts";
import { createLocks } from "../../src/index.ts";

const [url = "", token = "", name = "", slot = "", lease = "", stopAt = ""] = process.argv.slice(2);
const tell = (message: object): void => void process.send?.(message);
const told = (): Promise<unknown> => new Promise((resolve) => process.once("message", resolve));

let stopped = false;
const locks = createLocks({
  url,
  token,
  requestTimeout: "20s",
  onEvent({ type, kind }) {
    // Between two requests: what was granted is known, and nothing else is on its way.
    if (stopped || type !== "acquired" || kind !== stopAt) return;
    stopped = true;
    process.kill(process.pid, "SIGSTOP");
  },
});
// The first request of a process takes longer than a short lease lasts when the machine is busy.
await locks.query([name]);
tell({ ready: true });
await told();
try {
  const options = { locks, lease: `${Number(lease)}ms` } as const;
  const report = await runCron({ ...options, name, slot }, async (run) => {
    tell({ began: run.token });
    await told();
    const { remaining } = run.lease;
    tell({ remaining });
  });
  tell({ report });
} catch (error) {
  const { code, reason, message } = error as { code?: string; reason?: string; message: string };
  tell({ error: { code, reason, message } });
}
process.disconnect();
