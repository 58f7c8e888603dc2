import { readdirSync } from "node:fs";
import type { Script } from "../../src/redis/script.ts";

const dir = new URL("../../src/redis/scripts/", import.meta.url);

interface Embedded extends Script<never, unknown> {
  readonly sha: readonly [plain: string, flagged: string];
}

async function load(): Promise<Record<string, Embedded>> {
  const all: Record<string, Embedded> = {};
  for (const file of readdirSync(dir)) {
    const { sha, ...rest } = (await import(new URL(file, dir).href)) as Record<string, Script<never, unknown>> &
      Pick<Embedded, "sha">;
    for (const script of Object.values(rest)) all[file.replace(".gen.ts", "")] = { ...script, sha };
  }
  return all;
}

/** Every committed script of the SDK by name. */
export const scripts: Record<string, Embedded> = await load();
