import { serverOf } from "./facts.ts";

/** When the clock of a server was last set, and the latest time in µs that it had shown before a step. */
interface Steps {
  readonly forwardAt: number;
  readonly backAt: number;
  readonly latest: number;
}

export interface ClockSteps {
  /** When the clock of a name's server was last set forward, by the world's clock; -1 if it never was. */
  forwardAt(full: string): number;
  wasSetBack(full: string): boolean;
  /** The latest time that the clock of a name's server has shown, in µs. */
  latestOf(full: string): number;
  /** A clock that showed `before` was set forward, or back by a negative number. */
  stepped(server: string, ms: number, before: number): void;
}

export function createClockSteps(now: () => number, clockOf: (server: string) => number): ClockSteps {
  const steps = new Map<string, Steps>();
  const stepsOf = (server: string): Steps => steps.get(server) ?? { forwardAt: -1, backAt: -1, latest: 0 };
  return {
    forwardAt: (full) => stepsOf(serverOf(full)).forwardAt,
    wasSetBack: (full) => stepsOf(serverOf(full)).backAt >= 0,
    latestOf: (full) => Math.max(stepsOf(serverOf(full)).latest, clockOf(serverOf(full))),
    stepped(server, ms, before) {
      const known = stepsOf(server);
      const latest = Math.max(known.latest, before);
      steps.set(server, { ...known, latest, [ms > 0 ? "forwardAt" : "backAt"]: now() });
    },
  };
}
