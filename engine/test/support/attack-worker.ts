/**
 * Runs attacks in a process of its own, which the test can end: `node attack-worker.ts STEPS BYTES`. For each number
 * that it receives, it runs that attack on a new engine, and sends an {@link Outcome}.
 */
import { createEngine, ErrorReply } from "../../src/index.ts";
import { ATTACKS } from "./attacks.ts";

export interface Outcome {
  /** The time that the processor worked for the request, in ms. */
  readonly workedMs: number;
  /** The time for a plain loop that uses up its steps, on this machine in its state. */
  readonly loopMs: number;
  /** The error of the last command that failed; undefined if all were answered. */
  readonly error: string | undefined;
}

const [maxSteps, maxBytes] = process.argv.slice(2).map(Number);

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const newEngine = () => createEngine({ dialect: "redis", now: Date.now, random: Math.random, maxSteps, maxBytes });

const LOOP = ["EVAL", "local n, t = 0, {} while true do n = n + 1 t[n % 100] = n end", "0"];
/** How often the loop is measured. The slowest counts. */
const MEASURED = 3;

function measureLoop(): number {
  const times = Array.from({ length: MEASURED }, () => {
    const since = workedMs();
    newEngine().run(LOOP);
    return workedMs() - since;
  });
  return Math.max(...times);
}

const loopMs = measureLoop();

function outcomeOf(at: number): Outcome {
  const attack = ATTACKS[at];
  if (attack === undefined) throw new Error(`no attack ${at}`);
  const engine = newEngine();
  for (const words of attack.before) {
    const reply = engine.run(words);
    if (reply instanceof ErrorReply) throw reply;
  }
  const since = workedMs();
  const budget = engine.budget();
  let error: string | undefined;
  for (const words of attack.request) {
    const reply = engine.run(words, budget);
    if (reply instanceof ErrorReply) error = reply.message;
  }
  return { workedMs: workedMs() - since, loopMs, error };
}

process.on("message", (at: number) => process.send?.(outcomeOf(at)));
process.on("disconnect", () => process.exit());
