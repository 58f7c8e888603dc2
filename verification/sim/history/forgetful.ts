import type { World } from "../world.ts";
import type { Violation } from "./facts.ts";
import type { History } from "./index.ts";
import type { Sentence } from "./sentences.ts";

/** A history that keeps only what was reported: for runs whose memory is measured. */
export function createForgetful(world: World): History {
  const violations: Violation[] = [];
  const excused = new Map<Sentence, number>();
  const permits = new Map<string, number>();
  permits.set = () => permits;
  return {
    violations,
    excused,
    permits,
    report(rule, text, excuse) {
      world.log(`${rule}: ${text}`);
      if (excuse) excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
      else violations.push({ rule, text });
    },
    holdersOf: () => [],
    latestOf: () => 0,
    wasSetBack: () => false,
    lossSince: () => undefined,
    lost: () => {},
    keep: () => () => {},
    stepped: () => {},
    believe: () => {},
    disbelieve: () => {},
    told: () => {},
    handled: () => {},
    delivered: () => {},
    executed: () => {},
    sent: () => {},
    ended: () => {},
    finish: () => {},
  };
}
