/** Runs the command `leasehold` in this process, on streams that may look like a terminal, for tests and documents. */
import { PassThrough, Readable, Writable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { runCommand } from "../cli/src/run.ts";

/** The result of a run of the command. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Env = Readonly<Record<string, string>>;

/** Differences from a run with output to pipes. */
export interface Setting {
  readonly env?: Env;
  /** The user's input, immediately or when it arrives. Without it, there is no terminal to ask. */
  readonly typed?: string | ReadableStream<string>;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with everything printed so far, after each piece. */
  readonly onOutput?: (out: string) => void;
  /** The same for standard error. */
  readonly onErrors?: (err: string) => void;
}

/** A stream that keeps its output and may look like a terminal. */
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

/** Runs the command in this process, with only the given environment. */
export async function command(
  args: readonly string[],
  { env = {}, typed, isTerminal = false, columns = 100, signal, onOutput, onErrors }: Setting = {},
): Promise<Ended> {
  const output = paper(isTerminal, columns, onOutput);
  const errors = paper(isTerminal, columns, onErrors);
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
