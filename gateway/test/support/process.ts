import { type ChildProcess, spawn } from "node:child_process";

const SOURCES = new URL("../../../tools/sources.ts", import.meta.url).href;
const CLI = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "PORT" && !name.startsWith("LEASEHOLD_")),
);

/** A process of the command line. */
export interface Run {
  readonly child: ChildProcess;
  /** Everything printed to standard output and error until the process ended. */
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
  /** The first line of standard output, or what went wrong instead. */
  readonly firstLine: Promise<string>;
}

export function start(args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, ["--import", SOURCES, CLI, ...args], { env: { ...cleanEnv, ...env } });
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.includes("\n")) resolve(out.slice(0, out.indexOf("\n")));
    });
    child.on("close", () => resolve(`ended early: ${err}`));
  });
  return { child, ended, firstLine };
}

/** Where the gateway says that it listens. */
export const urlIn = (line: string): string => /http:\/\/\S+/.exec(line)?.[0] ?? `no URL in: ${line}`;
