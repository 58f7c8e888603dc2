import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pause } from "../../support/stack.ts";

/** A process of its own, which can be stopped at any moment and woken again. */
export interface Frozen extends AsyncDisposable {
  /** Runs a step of its script; what it gave, or the code of what it threw. */
  ask(step: string, argument?: number): Promise<unknown>;
  /** SIGSTOP; resolves when the process is stopped. */
  freeze(): Promise<void>;
  /** Resolves when the process has stopped itself. */
  stopped(): Promise<void>;
  /** SIGCONT. */
  wake(): void;
}

export const startHolder = (...args: readonly string[]): Promise<Frozen> =>
  startFrozen(fileURLToPath(new URL("./holder.ts", import.meta.url)), ...args);

/** Starts a script that answers each `{ step, argument }` with a `{ result }`, and first says that it is there. */
export async function startFrozen(script: string, ...args: readonly string[]): Promise<Frozen> {
  const child = fork(script, args, { execArgv: ["--no-warnings"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const answer = async (): Promise<unknown> => {
    const [message] = (await once(child, "message")) as [{ result: unknown }];
    return message.result;
  };
  await answer();
  const stopped = async (): Promise<void> => {
    // The state follows the name, which is in parentheses.
    while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) await pause(5);
  };
  return {
    async ask(step, argument = 0) {
      const answered = answer();
      child.send({ step, argument });
      return answered;
    },
    stopped,
    async freeze() {
      child.kill("SIGSTOP");
      await stopped();
    },
    wake: () => void child.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      if (child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
