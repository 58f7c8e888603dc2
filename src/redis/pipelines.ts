import { bytesOf } from "../shared/bytes.ts";
import { type Answer, answered, type Command, type Outcome, type Port } from "./port.ts";

/** The maximum commands and body bytes of one pipeline: a server may reject more, and more would block it for long. */
export const MOST_TOGETHER = 1000;
export const MOST_BYTES_TOGETHER = 500_000;

/** A command that is sent together with others. */
export interface Parcel {
  readonly command: Command;
  /** Commands after the last one of the pipeline. They are the same for all commands of a pipeline. */
  readonly behind: readonly Command[];
  /** The hash of the script in an `EVAL`, as its sender used it before. */
  readonly sha: string | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
}

/** A command in a pipeline, which may be a shorter form of the parcel's own. */
interface Packed {
  readonly parcel: Parcel;
  readonly command: Command;
}

/** The size of a command in the body of a request, in bytes. */
const sizeOf = (command: Command): number => bytesOf(JSON.stringify(command)).length + ",".length;

/**
 * Splits a list of commands into pipelines, in order. Each pipeline contains a script's text once: the first `EVAL`
 * loads it, and the others use its hash.
 */
function pipelinesOf(parcels: readonly Parcel[]): readonly (readonly Packed[])[] {
  const pipelines: Packed[][] = [];
  let current: Packed[] = [];
  let known = new Set<string>();
  let bytes = 0;
  const shorten = ({ command, sha }: Parcel): Command =>
    command[0] === "EVAL" && sha !== undefined && known.has(sha) ? ["EVALSHA", sha, ...command.slice(2)] : command;
  for (const parcel of parcels) {
    let command = shorten(parcel);
    let size = sizeOf(command);
    if (current.length === MOST_TOGETHER || (current.length > 0 && bytes + size > MOST_BYTES_TOGETHER)) {
      pipelines.push(current);
      [current, known, bytes] = [[], new Set(), 0];
      command = parcel.command;
      size = sizeOf(command);
    }
    if (command[0] === "EVAL" && parcel.sha !== undefined) known.add(parcel.sha);
    current.push({ parcel, command });
    bytes += size;
  }
  if (current.length > 0) pipelines.push(current);
  return pipelines;
}

/** Sends commands in one pipeline, until the last of their senders has given up. */
async function send(port: Port, pipeline: readonly Packed[]): Promise<void> {
  const all = new AbortController();
  let left = pipeline.length;
  const gaveUp = (): void => {
    if (--left === 0) all.abort();
  };
  for (const { parcel } of pipeline) parcel.signal.addEventListener("abort", gaveUp);
  const [first = [], ...others] = pipeline.map(({ command }) => command);
  const behind = pipeline[0]?.parcel.behind ?? [];
  const outcome = await port(first, all.signal, [...others, ...behind]);
  for (const { parcel } of pipeline) parcel.signal.removeEventListener("abort", gaveUp);
  const answers = outcome.type === "not sent" ? [] : (outcome.answers ?? []);
  // Without one answer per command, no command counts as answered.
  if (answers.length < pipeline.length + behind.length) {
    const whole = outcome.type === "answered" ? answered([]) : outcome;
    for (const { parcel } of pipeline) parcel.resolve(whole);
    return;
  }
  const answersBehind = answers.slice(pipeline.length);
  const unknown: Parcel[] = [];
  for (const [n, { parcel, command }] of pipeline.entries()) {
    const answer = answers[n] as Answer;
    // If a command's script is unknown to the next one, each must send its own text.
    if (command !== parcel.command && /^NOSCRIPT/.test(answer.error ?? "")) unknown.push({ ...parcel, sha: undefined });
    else parcel.resolve(answered([answer, ...answersBehind]));
  }
  sendAll(port, unknown);
}

/** Sends commands in one pipeline, or in several if they are many or large. */
export function sendAll(port: Port, parcels: readonly Parcel[]): void {
  for (const pipeline of pipelinesOf(parcels)) send(port, pipeline);
}
