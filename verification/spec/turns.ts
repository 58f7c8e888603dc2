/** Compares `backIn` of fair.qnt, the delay until a waiter's next poll, with `back_in` of lua/include/queue.lua. */
import { createEngine } from "../../engine/src/redis/engine.ts";
import { buildScript } from "../../tools/lua-scripts.ts";
import { openModel } from "./models.ts";
import type { Module } from "./quint.ts";

/** What a waiter's turn depends on; times are in µs. */
interface Turn {
  readonly ahead: number;
  /** The averages of a tenure and of its spread. */
  readonly tenure: number;
  readonly spread: number;
  /** How long the current tenure has lasted, and how long its lease can still last. */
  readonly age: number;
  readonly left: number;
}

/** A script that only returns the delay. */
const SOURCE = `-- Returns the delay until a waiter's next poll.
--
-- KEYS[1] record
-- ARGV[1] ahead
-- ARGV[2] tenure
-- ARGV[3] spread
-- ARGV[4] age
-- ARGV[5] left
-- REPLY back back#
--@include clock
local crowd, til = KEYS[1], 0
--@include queue
return { 'back', now, back_in(ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0) }
`;

const AHEAD: readonly number[] = [0, 1, 40];
const TENURES: readonly number[] = [0, 400, 1_500_000];
const SPREADS: readonly number[] = [0, 200, 30_000, 320_000, 400_000];
/** How much longer the current tenure has lasted than usual. No delay is a whole number only by rounding. */
const LATER: readonly number[] = [-1_460_000, -401, 0, 1_000_002, 20_000_000];
const LEFT: readonly number[] = [0, 900, 10_000_000];

/** Turns around each bound of the function: without history, with equal and with varying tenures, early and late. */
export const TURNS: readonly Turn[] = AHEAD.flatMap((ahead) =>
  TENURES.flatMap((tenure) =>
    SPREADS.flatMap((spread) =>
      LATER.flatMap((later) => LEFT.map((left) => ({ ahead, tenure, spread, age: Math.max(tenure + later, 0), left }))),
    ),
  ),
);

/** The delays by the scripts. */
export function delaysByScript(all: readonly Turn[]): readonly number[] {
  const engine = createEngine({ dialect: "redis", now: () => 0, random: () => 0.5 });
  const { lua } = buildScript("turn", SOURCE);
  return all.map(({ ahead, tenure, spread, age, left }) => {
    const [, , back] = engine.run([
      "EVAL",
      lua,
      "1",
      "name",
      ...[ahead, tenure, spread, age, left].map(String),
    ]) as number[];
    return Number(back);
  });
}

/** The delays by the specification. */
export function delaysBySpecification(all: readonly Turn[], module: Module = openModel("fair")): readonly number[] {
  const calls = all.map(
    ({ ahead, tenure, spread, age, left }) =>
      `backIn(${ahead}, { tenure: ${tenure}, spread: ${spread} }, ${age}, ${left})`,
  );
  return module.evaluate(`[${calls.join(", ")}]`, {}) as readonly number[];
}
