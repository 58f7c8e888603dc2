import type { LastRun } from "../../../../src/cron/last-run.ts";
import type { Listed } from "../../../../src/list/index.ts";
import { idOf } from "../wire.ts";
import { byId, make, setAttribute, setText } from "./elements.ts";
import type { Store } from "./store.ts";
import { count } from "./words.ts";

/** A lease with this much time left that was held this long without an extension may belong to a dead process. */
const LONG_LEFT_MS = 10 * 60_000;
const LONG_HELD_MS = 60_000;
const MANY_WAITERS = 5;

/** The groups of the strip, and the names in each. */
const GROUPS = ["held", "waiting", "suspicious", "failed"] as const;
export type Group = (typeof GROUPS)[number];

/** The anomalies of a name, in a few words each. */
export interface Oddities {
  readonly suspicious: readonly string[];
  readonly failed: readonly string[];
}

const isFailedRun = (run: LastRun | undefined): boolean => run?.outcome === "failed" || run?.outcome === "lost";

/** Says what an engineer on call should look at first. */
export function odditiesOf(entry: Listed, store: Pick<Store, "extended" | "runs">, now: number): Oddities {
  const { held, since, until = now, waiters = 0, state, attempts = 0, kind, job, unreadable } = entry;
  const suspicious: string[] = [];
  const failed: string[] = [];
  if (unreadable !== undefined) suspicious.push("unreadable");
  const isLong = since !== undefined && now - since > LONG_HELD_MS && until - now > LONG_LEFT_MS;
  if (held && kind !== "semaphore" && isLong && !store.extended.has(idOf(entry))) suspicious.push("not extended");
  if (held && until <= now) suspicious.push("lease expired");
  if (waiters >= MANY_WAITERS) suspicious.push(`${count(waiters)} waiters`);
  if (state === "idle" && attempts > 0) failed.push("attempt failed");
  const run = kind === "fence" && job !== undefined ? store.runs?.jobs.find(({ name }) => name === job) : undefined;
  if (isFailedRun(run)) failed.push(`last run ${run?.outcome}`);
  return { suspicious, failed };
}

/** Whether a name belongs to a group of the strip. */
export function isIn(group: Group, entry: Listed, store: Store, now: number): boolean {
  if (group === "held") return entry.held;
  if (group === "waiting") return (entry.waiters ?? 0) > 0;
  return odditiesOf(entry, store, now)[group].length > 0;
}

/** The strip for people on call: four numbers; each one shows the names that it counts. */
export interface Strip {
  /** The selected group, if any. */
  chosen(): Group | undefined;
  refresh(store: Store, now: number): void;
}

export function makeStrip(changed: () => void): Strip {
  let chosen: Group | undefined;
  const numbers = GROUPS.map(() => make("strong", {}, "–"));
  const buttons = GROUPS.map((group, n) =>
    make("button", { type: "button", "data-group": group, "aria-pressed": "false" }, numbers[n], ` ${group}`),
  );
  for (const [n, button] of buttons.entries())
    button.addEventListener("click", () => {
      chosen = chosen === GROUPS[n] ? undefined : GROUPS[n];
      changed();
    });
  byId("strip").append(...buttons);
  return {
    chosen: () => chosen,
    refresh(store, now) {
      const sums = { held: 0, waiting: 0, suspicious: 0, failed: 0 };
      for (const entry of store.rows.values()) {
        const { suspicious, failed } = odditiesOf(entry, store, now);
        if (entry.held) sums.held++;
        sums.waiting += entry.waiters ?? 0;
        if (suspicious.length > 0) sums.suspicious++;
        if (failed.length > 0) sums.failed++;
      }
      for (const [n, group] of GROUPS.entries()) {
        setText(numbers[n] as Element, count(sums[group]));
        setAttribute(buttons[n] as Element, "aria-pressed", `${group === chosen}`);
        setAttribute(buttons[n] as Element, "data-some", sums[group] > 0);
      }
    },
  };
}
