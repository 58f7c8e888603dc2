/** An agent in a process of its own, which is frozen or killed: does what its parent says, and reports what came of it. */
import { setTimeout as pause } from "node:timers/promises";
import { createLocks } from "../../../src/index.ts";
import { openLedger } from "../../../test/platforms/freeze/ledger.ts";
import { type AgentTurn, turn } from "../../src/index.ts";
import { untilOver } from "./stage.ts";

const [url = "", token = "", name = "", file = ""] = process.argv.slice(2);
const locks = createLocks({ url, token });
const ledger = openLedger(file);
let mine: AgentTurn | undefined;
let runs = 0;
let ended: Promise<unknown> = Promise.resolve();
let endCollect = (): void => {};

function current(): AgentTurn {
  if (!mine) throw new Error("no turn has begun");
  return mine;
}

const steps: Record<string, () => unknown> = {
  /** Begins a turn that claims the ledger, and runs until it is over. */
  begin: () =>
    new Promise((resolve) => {
      const options = { onBusy: "supersede", id: "message 1", lease: "3s" } as const;
      ended = turn(locks, name, options, async (begun) => {
        mine = begun;
        ledger.raise(begun.token);
        resolve(begun.token);
        await untilOver(begun);
      }).catch(({ code }) => code);
    }),
  tool: () =>
    current().step("tool", ({ token }) => {
      runs++;
      return ledger.write(token, "by the first");
    }),
  /** How often the tool was used. */
  runs: () => runs,
  another: () => current().step("another tool", ({ token }) => ledger.write(token, "by the first")),
  /** The process stops on the line before the write, right after it has learned that the turn is its own. */
  freezeInTool: () =>
    current().step("tool", ({ token }) => {
      process.kill(process.pid, "SIGSTOP");
      return ledger.write(token, "by the frozen");
    }),
  /** Once its timers have run. */
  look: async () => {
    await pause(1);
    return current().signal.aborted;
  },
  end: () => ended,
  /** Begins a turn that collects, and runs until it is told to end. */
  collect: () =>
    new Promise((resolve) => {
      const options = { onBusy: "collect", id: "1", message: "the text of 1", lease: "1s" } as const;
      ended = turn(locks, name, options, async ({ messages }) => {
        resolve(messages.map(({ id }) => id));
        await new Promise<void>((end) => {
          endCollect = end;
        });
      }).catch(({ code }) => code);
    }),
  endCollect: () => {
    endCollect();
    return ended;
  },
};

process.on("message", async ({ step }: { step: string }) => {
  try {
    process.send?.({ result: (await steps[step]?.()) ?? null });
  } catch (error) {
    process.send?.({ result: (error as { code?: string }).code ?? `${error}` });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ result: "ready" });
