import { parseArgs } from "node:util";
import { nearest } from "../../gateway/src/shared/nearest-name.ts";
import { type Arguments, type Command, type Flag, UsageError } from "./command.ts";
import { harmless } from "./text.ts";

type Flags = Readonly<Record<string, Flag>>;

const optionsOf = (flags: Flags) =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { type, short }]) => [name, { type, ...(short !== undefined && { short }) }]),
  );

/** Reads the known flags from arguments, and skips everything else. */
export function readLoosely(args: readonly string[], flags: Flags): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: optionsOf(flags),
    allowPositionals: true,
    strict: false,
  });
  return { values: values as Arguments["values"], operands: positionals };
}

/** Rejects unknown and repeated flags. Errors never contain a value, since it may be a secret. */
function checkFlags(args: readonly string[], flags: Flags): void {
  const options = optionsOf(flags);
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  const met = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(flags, token.name)) {
      const like = nearest(token.name, Object.keys(flags));
      const hint = like === undefined ? "" : `: did you mean --${like}?`;
      throw new UsageError(`no option ${harmless(token.rawName)}${hint}`);
    }
    if (met.has(token.name) && flags[token.name]?.type === "string")
      throw new UsageError(`--${token.name} is given twice`);
    met.add(token.name);
  }
}

/** Reads the arguments of a command. @throws UsageError for arguments that it does not accept. */
export function readArguments(args: readonly string[], flags: Flags): Arguments {
  checkFlags(args, flags);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: optionsOf(flags), allowPositionals: true });
    return { values: values as Arguments["values"], operands: positionals };
  } catch (error) {
    // Only the first sentence; the rest explains how to escape a dash.
    throw new UsageError(error instanceof Error ? error.message.replace(/\.\s.*$/s, "") : "bad options");
  }
}

/** Finds a command by its name. @throws UsageError that suggests the nearest one. */
export function findCommand(word: string, commands: readonly Command[]): Command {
  const command = commands.find(({ name }) => name === word);
  if (command) return command;
  const like = nearest(
    word,
    commands.map(({ name }) => name),
  );
  throw new UsageError(`no command ${harmless(word)}${like === undefined ? "" : `: did you mean ${like}?`}`);
}
