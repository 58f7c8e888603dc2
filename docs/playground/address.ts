import { NAMES } from "./history.ts";

const ACTIONS = [
  ...NAMES.flatMap((name) => [`freeze-${name}`, `lose-${name}`, `kill-${name}`, `start-${name}`] as const),
  "clock-forward",
  "clock-back",
] as const;
export type Action = (typeof ACTIONS)[number];

export const FREEZE_SECONDS = 10;
export const CLOCK_STEP_SECONDS = 10;

/** An action and its moment, in ticks since the beginning of the run. */
export interface Deed {
  readonly action: Action;
  readonly tick: number;
}

/** A run: with the same seed and the same deeds it is the same. */
export interface Plan {
  readonly seed: number;
  readonly deeds: readonly Deed[];
  /** Whether the resource takes every write, whatever its token. */
  readonly isUnfenced?: boolean;
}

export const TICKS_PER_SECOND = 10;
/** The most that is run at once. */
const MAX_SECONDS = 120;

const isAction = (text: string): text is Action => (ACTIONS as readonly string[]).includes(text);

/** The part of the address behind `#`, such as `seed=1&do=freeze-A@2.5,start-B@20`. */
export function toAddress({ seed, deeds, isUnfenced = false }: Plan): string {
  const listed = deeds.map(({ action, tick }) => `${action}@${tick / TICKS_PER_SECOND}`);
  return `seed=${seed}${listed.length > 0 ? `&do=${listed.join(",")}` : ""}${isUnfenced ? "&fence=off" : ""}`;
}

/** Reads an address; what is not understood in it is left out. `at` is the second up to which to run at once. */
export function fromAddress(hash: string): Plan & { readonly at: number | undefined } {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const deeds = (fields.get("do") ?? "").split(",").flatMap((text): Deed[] => {
    const [action = "", seconds = ""] = text.split("@");
    const tick = Math.round(Number(seconds) * TICKS_PER_SECOND);
    return isAction(action) && seconds !== "" && tick >= 0 ? [{ action, tick }] : [];
  });
  const at = Number(fields.get("at") ?? Number.NaN);
  return {
    seed: Math.abs(Math.trunc(Number(fields.get("seed")))) || 1,
    deeds: deeds.sort((one, two) => one.tick - two.tick),
    isUnfenced: fields.get("fence") === "off",
    at: at > 0 ? Math.min(at, MAX_SECONDS) : undefined,
  };
}
