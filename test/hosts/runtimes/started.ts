import { type ChildProcess, spawn } from "node:child_process";
import { program, ROOT } from "../../support/command.ts";

/** The servers of a runtime, by the names of their shapes. */
export interface Started {
  readonly urls: Readonly<Record<string, string>>;
  /** Why a shape did not start. */
  readonly failed: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const COMMANDS = {
  Bun: [".bin/bun", "run"],
  Deno: [".bin/deno", "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
} as const;

function ended(started: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (started.exitCode !== null) resolve();
    started.once("exit", () => resolve());
    started.kill();
  });
}

/** Starts all shapes in one process of a runtime. */
export async function startIn(
  runtime: keyof typeof COMMANDS,
  server: { readonly url: string; readonly token: string },
): Promise<Started> {
  const [name, ...args] = COMMANDS[runtime];
  const script = [...args, "test/hosts/runtimes/serve.ts", server.url, server.token];
  const started = spawn(program(name), script, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let complaint = "";
  started.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk;
  });
  const line = await new Promise<string>((resolve, reject) => {
    started.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes("\n")) resolve(printed);
    });
    started.once("exit", (code) => reject(new Error(`${runtime} ended with ${code}: ${complaint}`)));
  });
  const { started: urls, failed } = JSON.parse(line) as { started: Started["urls"]; failed: Started["failed"] };
  return { urls, failed, stop: () => ended(started) };
}
