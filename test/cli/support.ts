import { spawn } from "node:child_process";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { pathToFileURL } from "node:url";
import { runCommand } from "../../src/cli/run.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { ROOT } from "../support/command.ts";
import { freshName } from "../support/names.ts";

/** How a run of the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Env = Readonly<Record<string, string>>;

/** What is different from a run whose output goes into pipes. */
export interface Setting {
  readonly env?: Env;
  /** What the user types, at once or when it comes. Without it there is no terminal to ask at. */
  readonly typed?: string | ReadableStream<string>;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with everything that was printed so far, after each piece. */
  readonly onOutput?: (out: string) => void;
}

/** Keeps what is written, as a stream that may look like a terminal. */
function paper(isTerminal: boolean, columns: number, onOutput?: (text: string) => void) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      onOutput?.(text);
      done();
    },
  });
  return {
    stream: Object.assign(
      stream,
      isTerminal ? { isTTY: true, columns, rows: 30 } : {},
    ) as unknown as NodeJS.WriteStream,
    text: () => text,
  };
}

/** Runs the command in this process. Its environment has only what is given. */
export async function command(
  args: readonly string[],
  { env = {}, typed, isTerminal = false, columns = 100, signal, onOutput }: Setting = {},
): Promise<Ended> {
  const output = paper(isTerminal, columns, onOutput);
  const errors = paper(isTerminal, columns);
  const input = Object.assign(new PassThrough(), typed === undefined ? {} : { isTTY: true });
  if (typed instanceof ReadableStream) Readable.fromWeb(typed as WebStream).pipe(input);
  else input.end(typed);
  const code = await runCommand(args, {
    input: input as unknown as NodeJS.ReadStream,
    output: output.stream,
    errors: errors.stream,
    env,
    signal: signal ?? new AbortController().signal,
  });
  return { code, out: output.text(), err: errors.text() };
}

/** The command line of the program, from the sources. */
export const PROGRAM: readonly string[] = [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  "--import",
  pathToFileURL(join(ROOT, "tools/sources.ts")).href,
  join(ROOT, "src/cli/main.ts"),
];

/** Runs the program in a process of its own. */
export function program(args: readonly string[], env: Env = {}): Promise<Ended> {
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
