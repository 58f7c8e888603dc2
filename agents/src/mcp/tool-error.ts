/** The answer to a call that did not run. */
export type ToolError = {
  content: { type: "text"; text: string }[];
  isError: true;
  _meta?: { [name: string]: unknown };
};

/** Why a call did not run. */
type Status = "in_progress" | "mismatch" | "no_key" | "malformed_key" | "no_result";

/** Makes the answer to a call that did not run. */
export const refusal = (status: Status, text: string, retryAfterMs?: number): ToolError => ({
  content: [{ type: "text", text }],
  isError: true,
  _meta: { "leasehold/status": status, ...(retryAfterMs !== undefined && { "leasehold/retryAfterMs": retryAfterMs }) },
});

/** Says when to repeat a call, and that another key would start a second one: models read only the text. */
export function inProgress(tool: string, retryAfterMs: number): ToolError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const text = `"${tool}" is still running for an earlier call with this idempotency key, and was not started again. Wait ${seconds} seconds. Then call "${tool}" again with exactly the same arguments and the same key to get its result. Do not change the key: that would run "${tool}" twice.`;
  return refusal("in_progress", text, retryAfterMs);
}
