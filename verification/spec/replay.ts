/**
 * Compares the specification and the scripts in both directions: runs of the specification are replayed on the real
 * scripts in the engine of `leasehold-testing`, and the scripts run in the simulation are checked against the
 * specification.
 */
import { isDeepStrictEqual } from "node:util";
import { createEngine } from "../../engine/src/redis/engine.ts";
import { planOf } from "../sim/plan.ts";
import { run } from "../sim/run.ts";
import { openServer } from "./models.ts";
import type { State, Value } from "./quint.ts";
import { countingNumbers, NOTHING, type Numbers, recordOf, recordToItf, settled, toItf } from "./record.ts";
import { commandOf, MODELLED, type Reply, type Request, replyOf, requestOf } from "./scripts.ts";

/** The comparisons made, and the differences found. */
export interface Compared {
  readonly requests: number;
  /** The count of each reply status, by script. */
  readonly answers: ReadonlyMap<string, number>;
  readonly differences: readonly string[];
}

interface Event {
  readonly request: Request;
  readonly reply: Reply;
  readonly after: Value;
}

/** A model with one server counts its runs; one with several has the runs of each server in the last step. */
interface Step {
  readonly event: Event & { readonly number: number };
  readonly server: { readonly record: Value };
  readonly events?: readonly (Event & { readonly server: number })[];
  readonly servers: readonly (readonly [number, { readonly record: Value }])[];
}

/** A server's record after a step, and the script run in it. */
interface Ran {
  readonly server: number;
  readonly record: Value;
  readonly events: readonly Event[];
}

interface Outcome {
  readonly reply: Reply;
  readonly record: Value;
}

const KEY = "name";
/** The number of an id or a result of a replayed run. */
const sameNumbers: Numbers = { of: (text) => Number(text) };

/** The script, the status and, of a loss, the reason. */
const labelOf = ({ script }: Request, { status, reason }: Reply): string => `${script} ${status} ${reason}`.trimEnd();

/**
 * Whether two records are equal. Redis counts the TTL from the ms in which the script began, which may be one before
 * that of `TIME`.
 */
function isSame(got: Outcome, wanted: Outcome): boolean {
  const [a, b] = [got.record, wanted.record] as (typeof NOTHING)[];
  return (
    isDeepStrictEqual(got.reply, wanted.reply) &&
    isDeepStrictEqual({ ...a, expires: 0 }, { ...b, expires: 0 }) &&
    Math.abs((a?.expires ?? 0) - (b?.expires ?? 0)) <= 1
  );
}

function ranIn({ event, events, server, servers }: Step, before: Step): readonly Ran[] {
  if (!events)
    return [{ server: 0, record: server.record, events: event.number === before.event.number ? [] : [event] }];
  return servers.map(([number, { record }]) => ({
    server: number,
    record,
    events: events.filter((each) => each.server === number),
  }));
}

/**
 * Runs the requests of a run of the specification on the real scripts, with the run's clocks, and compares everything.
 */
export function replayRun(states: readonly State[]): Compared {
  let now = 0;
  const engines = new Map<number, ReturnType<typeof createEngine>>();
  const answers = new Map<string, number>();
  const differences: string[] = [];
  let requests = 0;

  function replay(engine: ReturnType<typeof createEngine>, event: Event, index: number): void {
    now = event.reply.now;
    const label = labelOf(event.request, event.reply);
    const answer = engine.run(commandOf(KEY, event.request));
    if (!Array.isArray(answer)) throw new Error(`${label}: ${JSON.stringify(answer)}`);
    const got = {
      reply: replyOf(event.request.script, answer as (string | number)[], sameNumbers),
      record: recordOf(
        { text: engine.keys.get(KEY, "string"), expires: engine.keys.expiryOf(KEY) ?? -1 },
        sameNumbers,
        sameNumbers,
      ),
    };
    const wanted = { reply: event.reply, record: settled(event.after) };
    if (!isSame(got, wanted))
      differences.push(`${label}, step ${index}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
    answers.set(label, (answers.get(label) ?? 0) + 1);
    requests++;
  }

  for (const [index, state] of (states as unknown as readonly Step[]).entries()) {
    if (index === 0) continue;
    for (const { server, record, events } of ranIn(state, states[index - 1] as unknown as Step)) {
      const engine =
        engines.get(server) ?? createEngine({ dialect: "redis", now: () => now / 1000, random: () => 0.5 });
      engines.set(server, engine);
      if (events.length === 0 && isDeepStrictEqual(settled(record), NOTHING)) engine.keys.clear();
      for (const event of events) replay(engine, event, index);
    }
  }
  return { requests, answers, differences };
}

/** Checks every script of a simulated run against the specification, from the record that the script found. */
export async function compareSimulation(kind: string, seed: number, rounds: number): Promise<Compared> {
  const server = openServer();
  const ids = countingNumbers();
  const results = countingNumbers();
  const answers = new Map<string, number>();
  const differences: string[] = [];
  let requests = 0;
  await run(planOf(kind, seed, rounds), {
    onChange({ script, args, reply, before, after }) {
      if (!MODELLED.has(script) || reply[0] === "kind") return;
      const got = { reply: replyOf(script, reply, results), record: recordOf(after, ids, results) };
      const request = requestOf(script, args, got.reply.now, ids, results);
      const ran = server.evaluate("ran", {
        before: recordToItf(recordOf(before, ids, results)),
        request: toItf(request),
        clock: toItf(got.reply.now),
      }) as { readonly reply: Reply; readonly record: Value };
      const wanted = { reply: ran.reply, record: settled(ran.record) };
      const label = labelOf(request, got.reply);
      if (!isSame(got, wanted))
        differences.push(`${label}, seed ${seed}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
      answers.set(label, (answers.get(label) ?? 0) + 1);
      requests++;
    },
  });
  return { requests, answers, differences };
}
