import { createHash } from "node:crypto";
import type { Command } from "./backend.ts";
import { factsOf } from "./commands.ts";
import { OWN_SCRIPTS } from "./own-scripts.gen.ts";

const NAMES: ReadonlyMap<string, string> = new Map(
  OWN_SCRIPTS.flatMap(([name, , ...shas]) => shas.map((sha) => [sha, name] as const)),
);
/** The lengths of their texts, so that no other text is hashed. An empty line may stand in front. */
const LENGTHS: ReadonlySet<number> = new Set(OWN_SCRIPTS.flatMap(([, bytes]) => [bytes, bytes + 1]));

function nameOf(script: "text" | "sha1", given: string | Buffer): string | undefined {
  if (script === "sha1") return NAMES.get(given.toString().toLowerCase());
  if (!LENGTHS.has(given.length)) return undefined;
  return NAMES.get(createHash("sha1").update(given).digest("hex"));
}

/**
 * The name of a command for people: that of Redis in lower case, with the name of the script if it is one of
 * leasehold's, as in `evalsha lock-acquire`. The names are a closed set.
 */
export function labelOf(command: Command): string {
  const { label, script } = factsOf(command);
  const [, given] = command;
  if (script === undefined || script === "subcommand" || given === undefined) return label;
  const name = nameOf(script, given);
  return name === undefined ? label : `${label} ${name}`;
}
