import type { Flag } from "./command.ts";

/** Flags of every command, in addition to those of the server. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { type: "boolean", help: "print one JSON object per line, for programs" },
  help: { type: "boolean", short: "h", help: "show this help" },
};
/** The flag of the program alone. */
export const VERSION_FLAG: Flag = { type: "boolean", short: "v", help: "show the version" };
