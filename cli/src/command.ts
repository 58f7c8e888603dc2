import type { Target } from "./operations/target.ts";
import type { Paint } from "./text.ts";

/** The exit codes of every command. */
export const EXIT = {
  done: 0,
  /** Nothing was found, the server's state did not allow it, or a check failed. */
  refused: 1,
  /** The command line is wrong; nothing was sent. */
  usage: 2,
  /** The server cannot be used: it is unreachable, rejected the token, or returned an error. */
  away: 3,
  /** Ended by Ctrl-C or SIGTERM. */
  interrupted: 130,
} as const;

/** A mistake in the command line. Its text never contains a value, which could be a secret. */
export class UsageError extends Error {}

/** A flag of a command. */
export interface Flag {
  readonly type: "string" | "boolean";
  /** Its one-letter form, without the dash. */
  readonly short?: string;
  /** The allowed values, if there are few. */
  readonly choices?: readonly string[];
  /** The placeholder of the value in the help text, such as `NAME`. */
  readonly value?: string;
  readonly help: string;
}

export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** The arguments that are not flags, without the name of the command. */
  readonly operands: readonly string[];
}

/** A stream for people or programs to read. */
export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
  /** Writes one line. */
  line(text: string): void;
  /** Writes text unchanged. */
  raw(text: string): void;
}

/** The width to which text is wrapped: that of a terminal. Elsewhere, nothing is wrapped. */
export const textWidth = ({ isTerminal, columns }: Output): number => (isTerminal ? columns : Number.POSITIVE_INFINITY);

/** The environment of a command. */
export interface Context {
  readonly out: Output;
  readonly err: Output;
  readonly input: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Reads the version of the program. */
  version(): string;
  /** Every command of the program. */
  readonly commands: readonly Command[];
  /** Finds the server in the flags and the environment. @throws UsageError if there is none. */
  target(): Promise<Target>;
  /** Removes the secrets of the target from a text. */
  scrub(text: string): string;
}

/** One command: a module in commands/, and a line in commands.ts. */
export interface Command {
  readonly name: string;
  /** The operands in the usage line, such as `NAME`. */
  readonly operands?: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly more?: string;
  readonly options: Readonly<Record<string, Flag>>;
  /** Runs it and returns its exit code. */
  run(context: Context, args: Arguments): Promise<number>;
}

/** The text of a flag with a value; undefined if it is missing or empty. */
export function textOf({ values }: Arguments, flag: string): string | undefined {
  const value = values[flag];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value of a flag with few allowed values; undefined if it is missing. @throws UsageError for any other value. */
export function choiceOf<Choice extends string>(
  args: Arguments,
  flag: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOf(args, flag);
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined)
    throw new UsageError(`--${flag} must be one of ${choices.join(", ")}`);
  return choice;
}

/** The only operand. @throws UsageError if there is none, or more than one. */
export function onlyName({ operands }: Arguments): string {
  const [name, ...others] = operands;
  if (name === undefined || others.length > 0) throw new UsageError("give one NAME");
  return name;
}
