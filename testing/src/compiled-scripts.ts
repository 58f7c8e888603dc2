import { createKnownScripts, createScriptCache, type Dialect, type ScriptCache } from "leasehold-engine";

/** The compiled scripts of all servers in memory, by dialect: most tests run the same ones. */
const compiled = new Map<Dialect, ScriptCache>();

/** The scripts of one new server, which knows none. Compiled ones are shared by all servers of a dialect. */
export function scriptsOfServer(dialect: Dialect): ScriptCache {
  const shared = compiled.get(dialect) ?? createScriptCache(dialect);
  compiled.set(dialect, shared);
  return createKnownScripts(shared);
}
