/**
 * Tools of the Model Context Protocol whose calls can be repeated: a call with the same key runs once.
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
