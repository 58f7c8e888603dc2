import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLocks, type Locks } from "../../../src/index.ts";
import { ROOT } from "../../../test/support/command.ts";
import { freshName, pause } from "../../../test/support/names.ts";
import { command, type Ended, type Env } from "../../../tools/run-command.ts";

/** The command line of the program, from the sources. */
export const PROGRAM: readonly string[] = [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  "--import",
  pathToFileURL(join(ROOT, "tools/sources.ts")).href,
  join(ROOT, "cli/src/main.ts"),
];

/** Runs the program in a process of its own, whose output somebody reads or not. */
export function program(args: readonly string[], env: Env = {}, isRead = true): Promise<Ended> {
  const [file = "", ...rest] = PROGRAM;
  const child = spawn(file, [...rest, ...args], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.err += chunk;
  });
  child.stdin.end();
  if (!isRead) child.stdout.destroy();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}

/** Locks under a prefix of their own, and the command for them. */
export function setUp(front: { readonly url: string; readonly token: string }): {
  readonly locks: Locks;
  readonly env: Env;
  /** The flag for the prefix. */
  readonly flags: readonly string[];
  run(...args: string[]): Promise<Ended>;
} {
  const prefix = `${freshName("cli")}:`;
  const env = { UPSTASH_REDIS_REST_URL: front.url, UPSTASH_REDIS_REST_TOKEN: front.token };
  const flags = ["--key-prefix", prefix];
  return {
    locks: createLocks({ url: front.url, token: front.token, prefix }),
    ...{ env, flags },
    run: (...args) => command([...args, ...flags], { env }),
  };
}

/** Waits until something is so. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await pause(20);
}
