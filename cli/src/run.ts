import { readFileSync } from "node:fs";
import { LeaseholdError } from "../../src/shared/errors.ts";
import { findCommand, readArguments, readLoosely } from "./arguments.ts";
import { type Command, type Context, EXIT, type Flag, type Output, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { COMMON_FLAGS, VERSION_FLAG } from "./flags.ts";
import { helpOf, usageOf } from "./help.ts";
import { openTarget, TARGET_FLAGS } from "./open-target.ts";
import type { OpenTarget } from "./operations/target.ts";
import { harmless, painter, wantsColour } from "./text.ts";

/** The streams and the environment of a run. */
export interface Surroundings {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

function outputOf(stream: NodeJS.WriteStream, env: Surroundings["env"], scrub: (text: string) => string): Output {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    paint: painter(wantsColour(env, isTerminal)),
    line: (text) => void stream.write(`${scrub(text)}\n`),
    raw: (text) => void stream.write(scrub(text)),
  };
}

const SHARED_FLAGS: Readonly<Record<string, Flag>> = { ...TARGET_FLAGS, ...COMMON_FLAGS };

/** The flags of all commands: the word after one of them is its value, not the command. */
const ALL_FLAGS: Readonly<Record<string, Flag>> = Object.assign(
  {},
  ...COMMANDS.map(({ options }) => options),
  SHARED_FLAGS,
  { version: VERSION_FLAG },
);

function versionOf(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}

/** Advice to a user about an error, in addition to that of its message. */
const ADVICE: Readonly<Record<string, string>> = {
  rate_limited: "the plan's limit is reached: wait, or raise it",
  malformed_answer: "the URL must be that of a REST endpoint",
  outcome_unknown: "`leasehold doctor` finds out why",
  unreachable: "`leasehold doctor` finds out why",
};

const READ_ONLY = "to read a name, a command runs a script, so none works with a read-only token";

const adviceOn = ({ code, message }: LeaseholdError): string | undefined =>
  code === "unauthorized" && /\bNOPERM\b.*\bcommand\b/.test(message) ? READ_ONLY : ADVICE[code];

/** The parsed part of the failed command line. */
interface Failed {
  readonly signal: AbortSignal;
  /** The command, once it is known. */
  readonly command: string | undefined;
  /** The prefix of the keys, which errors of a list contain. */
  readonly prefix: string | undefined;
}

/** Prints what went wrong, and returns the exit code. */
function complain(error: unknown, err: Output, { signal, command, prefix }: Failed): number {
  if (signal.aborted) return EXIT.interrupted;
  if (error instanceof LeaseholdError) {
    const advice = adviceOn(error);
    const message = error.message.replace(`no answer about "${prefix}": `, "").replace(` for "${prefix}": `, ": ");
    err.line(`leasehold: ${harmless(message)}${advice ? ` (${advice})` : ""}`);
    return error.code === "wrong_kind" ? EXIT.refused : EXIT.away;
  }
  const isUsage = [UsageError, TypeError, RangeError].some((kind) => error instanceof kind);
  err.line(`leasehold: ${harmless(error instanceof Error ? error.message : "failed")}`);
  if (error instanceof UsageError) {
    const help = command === undefined ? "leasehold --help" : `leasehold ${command} --help`;
    err.line(`\`${help}\` has the ${command === undefined ? "commands and their " : ""}options.`);
  }
  return isUsage ? EXIT.usage : EXIT.away;
}

/** Runs one command line and returns its exit code. It never rejects. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { input, output, errors, env, signal } = surroundings;
  let found: OpenTarget | undefined;
  let running: string | undefined;
  const scrub = (text: string): string =>
    // Short ones would remove parts of other words.
    (found?.secrets ?? []).reduce((left, secret) => (secret.length < 4 ? left : left.replaceAll(secret, "…")), text);
  const out = outputOf(output, env, (text) => text);
  const err = outputOf(errors, env, scrub);
  try {
    const { values, operands } = readLoosely(args, ALL_FLAGS);
    const [word, ...others] = operands;
    if (values["version"] === true) out.line(versionOf());
    else if (word === undefined && values["help"] !== true) throw new UsageError("no command");
    else if (word === undefined || (word === "help" && others.length === 0)) out.line(usageOf(COMMANDS));
    else if (word === "help") out.line(helpOf(findCommand(`${others[0]}`, COMMANDS)));
    else return await runOne(findCommand(word, COMMANDS));
    return EXIT.done;
  } catch (error) {
    return complain(error, err, { signal, command: running, prefix: found?.target.connection.prefix });
  } finally {
    found?.close();
  }

  async function runOne(command: Command): Promise<number> {
    running = command.name;
    const { values, operands } = readArguments(args, { ...SHARED_FLAGS, ...command.options });
    const parsed = { values, operands: operands.slice(1) };
    if (values["help"] === true) {
      out.line(helpOf(command));
      return EXIT.done;
    }
    const context: Context = {
      ...{ out, err, input, env, signal, scrub, version: versionOf, commands: COMMANDS },
      async target() {
        found ??= await openTarget(parsed, env);
        return found.target;
      },
    };
    return command.run(context, parsed);
  }
}
