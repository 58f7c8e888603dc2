import { type Action, CLOCK_STEP_SECONDS, FREEZE_SECONDS } from "./address.ts";
import type { Name } from "./history.ts";
import { newPlayer, start, type World } from "./world.ts";

/** How far the server's clock may be stepped away from the others'. */
const FARTHEST_SECONDS = 60;
const FOR_EVER = "3650d";

function freeze({ redis, clock, history, narrator, players, seconds }: World, who: Name): void {
  const one = players[who];
  const { running } = one;
  if (!running) return;
  one.isFrozen = true;
  // Set before the freeze, whose end falls due at the same time: first it wakes up, and then it does something.
  clock.timers.setTimeout(() => {
    if (one.running !== running) return;
    one.isFrozen = false;
    narrator.woke(who);
  }, FREEZE_SECONDS * 1000);
  redis.freeze(running.locks, FREEZE_SECONDS * 1000);
  history.instances[who].freezes.push({ from: seconds(), to: seconds() + FREEZE_SECONDS });
}

function kill({ redis, history, players, seconds }: World, who: Name): void {
  const { running } = players[who];
  if (!running) return;
  redis.freeze(running.locks, FOR_EVER);
  const { phases, freezes, beliefs } = history.instances[who];
  const [phase, ice, belief] = [phases.at(-1), freezes.at(-1), beliefs.at(-1)];
  if (phase) phase.to = seconds();
  if (ice?.to !== undefined) ice.to = Math.min(ice.to, seconds());
  if (belief) belief.to ??= Math.min(belief.until, seconds());
  phases.push({ what: "dead", from: seconds() });
  Object.assign(players[who], { ...newPlayer(), isDead: true });
}

function stepClock(world: World, by: number): void {
  world.ahead += by;
  world.redis.stepClock(by * 1000);
  world.history.clockSteps.push({ at: world.seconds(), by });
}

/** Whether an action would change anything. */
export function allows({ players, ahead }: World, action: Action): boolean {
  if (action === "clock-forward") return ahead < FARTHEST_SECONDS;
  if (action === "clock-back") return ahead > -FARTHEST_SECONDS;
  const [what, who] = action.split("-") as [string, Name];
  const { running, isDead, isFrozen } = players[who];
  if (what === "start") return isDead;
  if (what === "lose") return running !== undefined && !running.isLosing;
  return running !== undefined && (what === "kill" || !isFrozen);
}

export function perform(world: World, action: Action): void {
  const [what, who] = action.split("-") as [string, Name];
  if (action === "clock-forward") stepClock(world, CLOCK_STEP_SECONDS);
  else if (action === "clock-back") stepClock(world, -CLOCK_STEP_SECONDS);
  else if (what === "freeze") freeze(world, who);
  else if (what === "lose") world.players[who].running?.loseNextAnswer();
  else if (what === "kill") kill(world, who);
  else start(world, who);
}
