import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Arguments, type Context, type Flag, textOf } from "./command.ts";

/** The flag of the commands that read or keep claims. */
export const STATE_FLAG: Readonly<Record<string, Flag>> = {
  state: {
    type: "string",
    value: "FOLDER",
    help: "where claims are kept; default leasehold in $XDG_STATE_HOME or ~/.local/state",
  },
};

/** The folder of the claims. */
export function stateFolderOf(args: Arguments, env: Context["env"]): string {
  const given = textOf(args, "state");
  if (given !== undefined) return resolve(given);
  return join(env["XDG_STATE_HOME"] || join(env["HOME"] || homedir(), ".local/state"), "leasehold");
}
