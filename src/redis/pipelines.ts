import { bytesOf } from "../shared/bytes.ts";
import type { Command, Outcome } from "./port.ts";

/** The maximum commands and body bytes of one pipeline: a server may reject more, and more would block it for long. */
export const MAX_COMMANDS = 1000;
export const MAX_BYTES = 500_000;

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
export interface Packed {
  readonly parcel: Parcel;
  readonly command: Command;
}

/** The size of a command in the body of a request, in bytes. */
const sizeOf = (command: Command): number => bytesOf(JSON.stringify(command)).length + ",".length;

/**
 * Splits a list of commands into pipelines, in order. Each pipeline contains a script's text once: the first `EVAL`
 * loads it, and the others use its hash.
 */
export function pipelinesOf(parcels: readonly Parcel[]): readonly (readonly Packed[])[] {
  const pipelines: Packed[][] = [];
  let current: Packed[] = [];
  let known = new Set<string>();
  let bytes = 0;
  const shorten = ({ command, sha }: Parcel): Command =>
    command[0] === "EVAL" && sha !== undefined && known.has(sha) ? ["EVALSHA", sha, ...command.slice(2)] : command;
  for (const parcel of parcels) {
    let command = shorten(parcel);
    let size = sizeOf(command);
    if (current.length === MAX_COMMANDS || (current.length > 0 && bytes + size > MAX_BYTES)) {
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
