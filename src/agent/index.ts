/**
 * One turn of an agent at a time for each conversation: a new message ends the running turn, waits for it, or is
 * refused.
 *
 * @module leasehold/agent
 */

export type { Step, StepContext } from "./step.ts";
export { type AgentTurn, type OnBusy, type TurnOptions, turn } from "./turn.ts";
