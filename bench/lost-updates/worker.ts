/** A process that appends to a list under a lock, and sometimes stops itself until another process wakes it. */
import { setTimeout as pause } from "node:timers/promises";
import { type Appender, type Held, LIBRARIES } from "./libraries.ts";
import type { Append, Freeze, FromWorker, Job } from "./messages.ts";

/** The work between reading and writing. */
const WORK_MS = 5;

const tell = (message: FromWorker): Promise<void> =>
  new Promise((told) => {
    process.send?.(message, () => told());
  });

/** Stops the whole process, like a suspended container or a long pause: no code runs and no timer fires. */
async function freeze(ms: number): Promise<void> {
  await tell({ type: "frozen" });
  const end = performance.now() + ms;
  do process.kill(process.pid, "SIGSTOP");
  while (performance.now() < end);
  tell({ type: "woken" });
}

/** Reads the list, works, and writes it with one more element. False if that was refused. */
async function append(held: Held, id: number, frozen: Freeze | undefined, freezeMs: number): Promise<boolean> {
  const list = await held.read();
  if (list === null) return false;
  if (frozen === "before the check") await freeze(freezeMs);
  await pause(WORK_MS);
  if (!(await held.isOurs())) return false;
  if (frozen === "after the check") await freeze(freezeMs);
  return held.write(JSON.stringify([...JSON.parse(list), id]));
}

/** Repeats an append until it is written; returns the number of refusals. */
async function appendOnce(appender: Appender, { id, freeze: planned }: Append, freezeMs: number): Promise<number> {
  let frozen = planned;
  for (let refused = 0; ; ) {
    const held = await appender.acquire().catch(() => null);
    if (!held) {
      await pause(appender.retryMs());
      continue;
    }
    const isWritten = await append(held, id, frozen, freezeMs);
    frozen = undefined;
    if (isWritten) await tell({ type: "appended", id });
    await held.release().catch(() => {});
    if (isWritten) return refused;
    refused++;
  }
}

process.on("message", async ({ library, lossy, direct, name, leaseMs, freezeMs, appends }: Job) => {
  const open = LIBRARIES[library];
  if (!open) throw new Error(`there is no library "${library}"`);
  const appender = open(lossy, direct, name, leaseMs);
  let refused = 0;
  for (const one of appends) refused += await appendOnce(appender, one, freezeMs);
  appender.close();
  await tell({ type: "done", refused });
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on("SIGINT", () => {});
await tell({ type: "ready" });
