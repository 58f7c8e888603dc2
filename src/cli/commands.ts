import type { Command } from "./command.ts";
import { ls } from "./commands/ls.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [ls];
