/** Runs the command `leasehold` in this process, on streams that may look like a terminal: for tests and documents. */
import { PassThrough, Readable, Writable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { runCommand } from "../cli/src/run.ts";

/** How a run of the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Env = Readonly<Record<string, string>>;

/** Differences from a run whose output goes into pipes. */
export interface Setting {
  readonly env?: Env;
  /** The user's input, at once or when it comes. Without it there is no terminal to ask at. */
  readonly typed?: string | ReadableStream<string>;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with everything that was printed so far, after each piece. */
  readonly onOutput?: (out: string) => void;
  /** The same for what is printed to standard error. */
  readonly onErrors?: (err: string) => void;
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
