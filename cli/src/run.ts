import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { LeaseholdError } from "../../src/shared/errors.ts";
import { type Arguments, type Command, type Context, EXIT, type Flag, type Output, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { COMMON_FLAGS, helpOf, usageOf } from "./help.ts";
import { openTarget, TARGET_FLAGS } from "./open-target.ts";
import type { OpenTarget } from "./operations/target.ts";
import { harmless, painter, wantsColour } from "./text.ts";

/** The streams and the environment that the process gives a run. */
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

/** Splits the arguments by a set of flags. @throws UsageError that repeats no value. */
function split(args: readonly string[], flags: Readonly<Record<string, Flag>>, strict: boolean): Arguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict });
    return { values: values as Arguments["values"], operands: positionals };
  } catch (error) {
    // Only the first sentence; the rest is advice on how to escape a dash.
    throw new UsageError(error instanceof Error ? error.message.replace(/\.\s.*$/s, "") : "bad options");
  }
}

const ALL_FLAGS = { ...TARGET_FLAGS, ...COMMON_FLAGS, version: { type: "boolean", help: "" } } as const;

function versionOf(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}

/** Advice to a user about an error. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "check the token, and whether it may write",
  rate_limited: "the plan's limit is reached: wait, or raise it",
  malformed_answer: "the URL must be that of a REST endpoint",
  outcome_unknown: "`leasehold doctor` finds out why",
};

/** Says what went wrong, and gives the exit code for it. */
function complain(error: unknown, err: Output, signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  if (error instanceof LeaseholdError) {
    const advice = ADVICE[error.code];
    err.line(`leasehold: ${harmless(error.message)}${advice ? ` (${advice})` : ""}`);
    return error.code === "wrong_kind" ? EXIT.refused : EXIT.away;
  }
  const isUsage = [UsageError, TypeError, RangeError].some((kind) => error instanceof kind);
  err.line(`leasehold: ${harmless(error instanceof Error ? error.message : "failed")}`);
  if (error instanceof UsageError) err.line("`leasehold --help` has the commands and their options.");
  return isUsage ? EXIT.usage : EXIT.away;
}

/** Runs one command line and gives its exit code. It never rejects. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { input, output, errors, env, signal } = surroundings;
  let found: OpenTarget | undefined;
  const scrub = (text: string): string =>
    // The short ones would tear holes into other words.
    (found?.secrets ?? []).reduce((left, secret) => (secret.length < 4 ? left : left.replaceAll(secret, "…")), text);
  const out = outputOf(output, env, (text) => text);
  const err = outputOf(errors, env, scrub);
  try {
    const first = split(args, ALL_FLAGS, false);
    const [word = ""] = first.operands;
    if (first.values["version"] === true && word === "") out.line(versionOf());
    else if (word === "" || word === "help") {
      if (first.values["help"] !== true && word === "") throw new UsageError("no command");
      out.line(usageOf(COMMANDS));
    } else return await runOne(word);
    return EXIT.done;
  } catch (error) {
    return complain(error, err, signal);
  } finally {
    found?.close();
  }

  async function runOne(word: string): Promise<number> {
    const command: Command | undefined = COMMANDS.find(({ name }) => name === word);
    if (!command) throw new UsageError(`no such command: ${harmless(word)}`);
    const { values, operands } = split(args, { ...TARGET_FLAGS, ...COMMON_FLAGS, ...command.options }, true);
    const given = { values, operands: operands.slice(1) };
    if (values["help"] === true) {
      out.line(helpOf(command));
      return EXIT.done;
    }
    const context: Context = {
      ...{ out, err, input, env, signal, scrub },
      async target() {
        found ??= await openTarget(given, command.name, env);
        return found.target;
      },
    };
    return command.run(context, given);
  }
}
