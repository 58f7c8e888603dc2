/**
 * One turn of an agent at a time for each conversation: a new message ends the running turn, waits for it, is kept for
 * the next one, or is refused.
 *
 * @module leasehold/agent
 */

export type { Collected, CollectTurn } from "./collect.ts";
export type { CollectedMessage } from "./inbox.ts";
export type { AgentTurn } from "./one-turn.ts";
export type { CollectOptions, OnBusy, TurnOptions } from "./options.ts";
export type { Step, StepContext } from "./step.ts";
export { turn } from "./turn.ts";
