import { readdirSync } from "node:fs";
import type { Script } from "../../src/redis/script.ts";

const dir = new URL("../../src/redis/scripts/", import.meta.url);

async function load(): Promise<Record<string, Script<never, unknown>>> {
  const all: Record<string, Script<never, unknown>> = {};
  for (const file of readdirSync(dir)) {
    const module = (await import(new URL(file, dir).href)) as Record<string, Script<never, unknown>>;
    for (const script of Object.values(module)) all[file.replace(".gen.ts", "")] = script;
  }
  return all;
}

/** Every committed script of the SDK by name. */
export const scripts: Record<string, Script<never, unknown>> = await load();
