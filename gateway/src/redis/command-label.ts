import { createHash } from "node:crypto";
import type { Command } from "./backend.ts";
import { factsOf } from "./commands.ts";
import { OWN_SCRIPTS } from "./own-scripts.gen.ts";

/** The labels of one script by those of the commands that run it, made once, since every request asks. */
type Labels = Readonly<Record<string, string>>;

const labelsOf = (name: string): Labels =>
  Object.fromEntries(["eval", "eval_ro", "evalsha", "evalsha_ro"].map((label) => [label, `${label} ${name}`]));

const LABELS: ReadonlyMap<string, Labels> = new Map(
  OWN_SCRIPTS.flatMap(([name, , ...shas]) => {
    const labels = labelsOf(name);
    return shas.map((sha) => [sha, labels] as const);
  }),
);
/** The lengths of their texts, so that no other text is hashed. An empty line may stand in front. */
const LENGTHS: ReadonlySet<number> = new Set(OWN_SCRIPTS.flatMap(([, bytes]) => [bytes, bytes + 1]));

function labelsFor(script: "text" | "sha1", given: string | Buffer): Labels | undefined {
  if (script === "text") {
    if (!LENGTHS.has(given.length)) return undefined;
    return LABELS.get(createHash("sha1").update(given).digest("hex"));
  }
  const sha = given.toString();
  return LABELS.get(sha) ?? LABELS.get(sha.toLowerCase());
}

/**
 * The name of a command for people: that of Redis in lower case, with the name of the script if it is one of
 * leasehold's, as in `evalsha lock-acquire`. The names are a closed set.
 */
export function labelOf(command: Command): string {
  const { label, script } = factsOf(command);
  const given = command[1];
  if (script === undefined || script === "subcommand" || given === undefined) return label;
  return labelsFor(script, given)?.[label] ?? label;
}

/** Whether a command runs one of leasehold's scripts. */
export const isOwnScript = (command: Command): boolean => labelOf(command) !== factsOf(command).label;
