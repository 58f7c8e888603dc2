/**
 * Idempotent tools of the Model Context Protocol: calls with the same key run once.
 *
 * @module leasehold/mcp
 */

export {
  type IdempotentCall,
  type IdempotentToolOptions,
  idempotentTool,
  type KeySource,
  type ToolError,
  type ToolExtra,
} from "./idempotent-tool.ts";
