import type { Command, Flag } from "./command.ts";
import { COMMON_FLAGS, VERSION_FLAG } from "./flags.ts";
import { TARGET_FLAGS } from "./open-target.ts";
import { wrapped } from "./text.ts";

const COLUMNS = 80;
/** Where the second column of a list begins. */
const INDENT = 23;

/** A paragraph of the help. */
const wrap = (text: string, indent = 0): string => wrapped(text, COLUMNS, indent).join("\n");

/** One line of a list, or more where the text is long. */
const listLine = (what: string, text: string): string => `  ${what}`.padEnd(INDENT) + wrap(text, INDENT);

const EXIT_CODES: string =
  wrap(`Exit codes: 0 done; 1 nothing was found, it was refused, or a check failed; 2 the command line is wrong; 3 the server cannot be
used (not reached, token refused, an error of Redis); 130 ended by Ctrl-C.`);

const ENVIRONMENT: string =
  wrap(`Without --url or --redis the server is the one that the environment names: UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or
KV_REST_API_URL and KV_REST_API_TOKEN. Colours: NO_COLOR=1 refuses them, FORCE_COLOR=1 demands them.`);

function flagLines(flags: Readonly<Record<string, Flag>>): string {
  return Object.entries(flags)
    .map(([name, { short, value, help }]) => {
      const flag = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
      return listLine(flag, help);
    })
    .join("\n");
}

/** The help of the program. */
export function usageOf(commands: readonly Command[]): string {
  const list = commands.map(({ name, operands, summary }) =>
    listLine(`${name}${operands ? ` ${operands}` : ""}`, summary),
  );
  return `Usage: leasehold COMMAND [options]

Looks at the locks of a server, and steers them.

${list.join("\n")}

\`leasehold help COMMAND\` has the options of one command. Those of all:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS, version: VERSION_FLAG })}

${ENVIRONMENT}

${EXIT_CODES}`;
}

/** The help of one command. */
export function helpOf({ name, operands, summary, more, options }: Command): string {
  const own = Object.keys(options).length > 0 ? `\n\nOptions:\n${flagLines(options)}` : "";
  return `Usage: leasehold ${name}${operands ? ` ${operands}` : ""} [options]

${wrap(`${summary.replace(/^./, (first) => first.toUpperCase())}.`)}${more ? `\n\n${wrap(more)}` : ""}${own}

Of all commands:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS })}

${EXIT_CODES}`;
}
