import { type Plan, planOf, without } from "./plan.ts";
import { type Result, run } from "./run.ts";
import type { Break } from "./scripts.ts";

/** A shortened plan that breaks the same rule. */
export interface Story {
  readonly result: Result;
  /** The ids of the faults, workers and requests left out. */
  readonly left: readonly string[];
  readonly rounds: number;
}

/**
 * Leaves out faults of servers and hosts, workers, rounds and faults of requests while the rule remains broken.
 *
 * @param changed the change to the seed's plan
 */
export async function shrink(
  result: Result,
  breaks: readonly Break[] = [],
  changed: (plan: Plan) => Plan = (plan) => plan,
): Promise<Story> {
  const [violation] = result.violations;
  if (!violation) throw new Error("there is nothing to shrink");
  const { kind, seed } = result.plan;
  let story: Story = { result, left: [], rounds: result.plan.rounds };

  async function attempt(left: readonly string[], rounds: number): Promise<boolean> {
    const plan: Plan = without(changed(planOf(kind, seed, rounds)), left);
    if (plan.workers.length === 0) return false;
    const next = await run(plan, { breaks, endsEarly: true });
    if (!next.violations.some(({ rule }) => rule === violation?.rule)) return false;
    story = { result: next, left, rounds };
    return true;
  }

  /** First halves, then smaller pieces, then single parts. */
  async function leaveOut(ids: readonly string[]): Promise<void> {
    for (let size = Math.ceil(ids.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < ids.length; at += size) {
        const piece = ids.slice(at, at + size).filter((id) => !story.left.includes(id));
        if (piece.length > 0) await attempt([...story.left, ...piece], story.rounds);
      }
  }

  for (const { id } of [...result.plan.faults, ...result.plan.partitions])
    await attempt([...story.left, id], story.rounds);
  for (const id of result.plan.workers) await attempt([...story.left, id], story.rounds);
  for (let rounds = story.rounds >> 1; rounds >= 1; rounds >>= 1) if (!(await attempt(story.left, rounds))) break;
  await leaveOut(story.result.faulty);
  return story;
}
