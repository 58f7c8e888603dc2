import type { Command } from "./command.ts";
import { bench } from "./commands/bench.ts";
import { check } from "./commands/check.ts";
import { completion } from "./commands/completion.ts";
import { doctor } from "./commands/doctor.ts";
import { fence } from "./commands/fence.ts";
import { inspect } from "./commands/inspect.ts";
import { ls } from "./commands/ls.ts";
import { mcp } from "./commands/mcp.ts";
import { release } from "./commands/release.ts";
import { ui } from "./commands/ui.ts";
import { watch } from "./commands/watch.ts";

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[ls, inspect, watch, release, ui, doctor, bench],
  ...[mcp, check, fence, completion],
];
