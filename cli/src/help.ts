import type { Command, Flag } from "./command.ts";
import { COMMON_FLAGS, VERSION_FLAG } from "./flags.ts";
import { TARGET_FLAGS } from "./open-target.ts";
import { wrapped } from "./text.ts";

const COLUMNS = 80;
/** The position of the second column of a list. */
const INDENT = 23;

/** A paragraph of the help. */
const wrap = (text: string, indent = 0): string => wrapped(text, COLUMNS, indent).join("\n");

/** One line of a list, or several if the text is long. */
const listLine = (what: string, text: string): string => `  ${what}`.padEnd(INDENT) + wrap(text, INDENT);

const EXIT_CODES: string =
  wrap(`Exit codes: 0 success; 1 not found, refused, or a check failed; 2 the command line is wrong; 3 the server is unusable
(unreachable, token refused, or a Redis error); 130 stopped by Ctrl-C.`);

const ENVIRONMENT: string =
  wrap(`Without --url or --redis, the environment names the server: UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or
KV_REST_API_URL and KV_REST_API_TOKEN. NO_COLOR=1 turns colours off, FORCE_COLOR=1 turns them on.`);

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

Shows and manages the locks of a server.

${list.join("\n")}

\`leasehold help COMMAND\` shows the options of one command.

Options of all commands:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS, version: VERSION_FLAG })}

${ENVIRONMENT}

${EXIT_CODES}`;
}

/** The help of one command. */
export function helpOf({ name, operands, summary, more, options }: Command): string {
  const own = Object.keys(options).length > 0 ? `\n\nOptions:\n${flagLines(options)}` : "";
  return `Usage: leasehold ${name}${operands ? ` ${operands}` : ""} [options]

${wrap(`${summary.replace(/^./, (first) => first.toUpperCase())}.`)}${more ? `\n\n${wrap(more)}` : ""}${own}

Options of all commands:
${flagLines({ ...TARGET_FLAGS, ...COMMON_FLAGS })}

${EXIT_CODES}`;
}
