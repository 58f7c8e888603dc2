/**
 * Idempotent tools of the Model Context Protocol: calls with the same key run once.
 *
 * @module leasehold-agents/mcp
 */

export type { AnyContext, ToolAuth, ToolContext, ToolExtra, ToolMeta } from "./call-context.ts";
export { type IdempotentCall, type IdempotentToolOptions, idempotentTool } from "./idempotent-tool.ts";
export type { ToolError } from "./tool-error.ts";
export type { GivenKey, KeySource } from "./tool-key.ts";
