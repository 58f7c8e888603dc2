import type { Command, Flag } from "./command.ts";
import { TARGET_FLAGS } from "./open-target.ts";

/** Flags of every command besides those of the server. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { type: "boolean", help: "one JSON object a line, for programs" },
  help: { type: "boolean", help: "this text" },
};

const COLUMNS = 96;

/** Breaks a paragraph into lines. */
function wrap(text: string): string {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.join("\n");
}

const EXIT_CODES: string =
  wrap(`Exit codes: 0 done; 1 nothing was found, it was refused, or a check failed; 2 the command line is wrong; 3 the server cannot be
used (not reached, token refused, an error of Redis); 130 ended by Ctrl-C.`);

const ENVIRONMENT: string =
  wrap(`Without --url or --redis the server is the one that the environment names: UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or
KV_REST_API_URL and KV_REST_API_TOKEN. Colours: NO_COLOR=1 refuses them, FORCE_COLOR=1 demands them.`);

function flagLines(flags: Readonly<Record<string, Flag>>): string {
  return Object.entries(flags)
    .map(([name, { value, help }]) => `  ${`--${name}${value ? ` ${value}` : ""}`.padEnd(20)}${help}`)
    .join("\n");
}

/** The help of the program. */
export function usageOf(commands: readonly Command[]): string {
  const list = commands.map(
    ({ name, operands, summary }) => `  ${`${name}${operands ? ` ${operands}` : ""}`.padEnd(16)}${summary}`,
  );
  return `Usage: leasehold COMMAND [options]

Looks at the locks of a server, and steers them.

${list.join("\n")}

\`leasehold COMMAND --help\` has the options of one command. Those of all:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS, version: { type: "boolean", help: "the version" } })}

${ENVIRONMENT}

${EXIT_CODES}`;
}

/** The help of one command. */
export function helpOf({ name, operands, summary, more, options }: Command): string {
  const own = Object.keys(options).length > 0 ? `\n\nOptions:\n${flagLines(options)}` : "";
  return `Usage: leasehold ${name}${operands ? ` ${operands}` : ""} [options]

${summary.replace(/^./, (first) => first.toUpperCase())}.${more ? `\n\n${wrap(more)}` : ""}${own}

Of all commands:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS })}

${EXIT_CODES}`;
}
