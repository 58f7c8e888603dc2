import { type ChildProcess, fork } from "node:child_process";

/** The workloads of the simulation import packages that need not be built. */
const SOURCES: string = new URL("../../tools/sources.ts", import.meta.url).href;

/** The message by which a process reports that it goes on: it then has the whole time again. */
export const ALIVE = "alive";

/** A process that answers requests. One that takes too long is ended and replaced. */
export function createChild<Question extends object, Answer>(
  file: string,
  late: Answer,
  env: Readonly<Record<string, string>> = {},
) {
  let child: ChildProcess | undefined;
  const start = (): ChildProcess => {
    // The output of a changed SDK is ignored.
    const started = fork(file, {
      env: { ...process.env, ...env },
      execArgv: ["--max-semi-space-size=64", "--import", SOURCES],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("exit", () => {
      if (child === started) child = undefined;
    });
    return started;
  };
  return {
    /** @param mostMs the time to the answer, or to the next report that the process goes on */
    ask(question: Question, mostMs: number): Promise<Answer> {
      child ??= start();
      const asked = child;
      return new Promise((resolve) => {
        const done = (answer: Answer): void => {
          clearTimeout(timer);
          asked.removeAllListeners("message");
          asked.off("exit", died);
          resolve(answer);
        };
        const died = (): void => done(late);
        const timer = setTimeout(() => {
          child = undefined;
          asked.kill("SIGKILL");
          done(late);
        }, mostMs);
        asked.on("message", (message) => {
          if (message === ALIVE) timer.refresh();
          else done(message as Answer);
        });
        asked.once("exit", died);
        asked.send(question);
      });
    },
    stop(): void {
      child?.kill();
    },
  };
}
