/** A bot's process that is frozen or killed: does what its parent says, and reports what came of it. */

import { createLocks } from "../../../src/index.ts";
import { openLedger } from "../../../test/platforms/freeze/ledger.ts";
import { chatState, fencingTokenOf, type ThreadLock } from "../../src/chat/index.ts";

const [url = "", token = "", thread = "", file = ""] = process.argv.slice(2);
const state = chatState(createLocks({ url, token }));
await state.connect();
const ledger = openLedger(file);
let mine: ThreadLock | null = null;

function held(): ThreadLock {
  if (!mine) throw new Error("not locked");
  return mine;
}

const steps: Record<string, (ttlMs: number) => unknown> = {
  async lock(ttlMs) {
    mine = await state.acquireLock(thread, ttlMs);
    return ledger.raise(fencingTokenOf(held()));
  },
  extend: (ttlMs) => state.extendLock(held(), ttlMs),
  release: () => state.releaseLock(held()),
  write: () => ledger.write(fencingTokenOf(held()), "by the holder"),
  async dequeue() {
    const entry = await state.dequeue<{ readonly message: string }>(thread);
    return entry?.message;
  },
};

process.on("message", async ({ step, argument }: { step: string; argument: number }) => {
  try {
    process.send?.({ result: (await steps[step]?.(argument)) ?? null });
  } catch (error) {
    process.send?.({ result: (error as { code?: string }).code ?? `${error}` });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ result: "ready" });
