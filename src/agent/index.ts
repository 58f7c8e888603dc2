/**
 * One turn of an agent at a time for each conversation: the newest message ends the turn that runs, waits for it, or is
 * refused.
 *
 * @module leasehold/agent
 */

export { type AgentTurn, type OnBusy, type StepContext, type TurnOptions, turn } from "./turn.ts";
