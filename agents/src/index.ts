/**
 * One turn of an agent at a time for each conversation: a new message ends the running turn, waits for it, is kept for
 * the next one, or is refused.
 *
 * @module leasehold-agents
 */

export type { Collected, CollectTurn } from "./turn/collect.ts";
export type { CollectedMessage } from "./turn/inbox.ts";
export type { AgentTurn } from "./turn/one-turn.ts";
export type { CollectOptions, OnBusy, TurnOptions } from "./turn/options.ts";
export type { Step, StepContext } from "./turn/step.ts";
export { turn } from "./turn/turn.ts";
