import { createInterface } from "node:readline";
import { type Context, UsageError } from "./command.ts";

/** Asks on the terminal, and returns whether the answer was yes. @throws UsageError without a terminal. */
export async function confirm({ input, err, signal }: Context, question: string): Promise<boolean> {
  if (!input.isTTY) throw new UsageError("there is no terminal to confirm it on: add --yes");
  signal.throwIfAborted();
  err.raw(`${question} [y/N] `);
  const lines = createInterface({ input });
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", (line) => resolve(/^y(es)?$/i.test(line.trim())));
      lines.once("close", () => resolve(false));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  } finally {
    lines.close();
  }
}
