/** `leasehold-engine`: a Redis in memory without a protocol. It takes the words of a command and returns a reply. */
export type { Budget, Limits } from "./budget.ts";
export { type Channels, createChannels } from "./redis/channels.ts";
export {
  type CommandInfo,
  createEngine,
  type Engine,
  type EngineOptions,
  type ExtraCommand,
} from "./redis/engine.ts";
export { glob } from "./redis/glob.ts";
export { type Changes, createJournal, type Head, type Journal, type KeyChange } from "./redis/journal.ts";
export type { Keyspace } from "./redis/keyspace.ts";
export { ErrorReply, type Reply, Status } from "./redis/reply.ts";
export { createKnownScripts, createScriptCache, type Dialect, type ScriptCache } from "./redis/scripts.ts";
export { sha1 } from "./redis/sha1.ts";
export type { MemberValue, StoredKey } from "./redis/values.ts";
