import { setTimeout as pause } from "node:timers/promises";
import { type Exchange, startProxy } from "../test/support/proxy.ts";
import type { Checks } from "./check.ts";
import type { Stage } from "./stage.ts";
import { median } from "./stats.ts";
import { type Grant, type Subject, upstashLock } from "./subjects.ts";

const LEASE_MS = 4000;
const TIMEOUT_MS = 1000;
const AWAY_MS = 300;
const LOOK_EVERY_MS = 25;
/** They start one by one; simultaneous work would be measured as the fault's. */
const STAGGER_MS = 100;
/** The tolerance for a machine under load in "blocked for longer than the lease". */
const SLACK_MS = 1500;

const json = { "content-type": "application/json" };
const errorBody = JSON.stringify({ error: "Service Unavailable" });
const page = "<html><body><h1>502 Bad Gateway</h1></body></html>";

const LATE = "answer after the client's time-out";

/** The fault of one request; later requests succeed. */
const FAULTS: Readonly<Record<string, (exchange: Exchange) => unknown>> = {
  "answer lost after it ran": async ({ forward, cut }) => {
    await forward();
    cut();
  },
  "503 after it ran": async ({ forward, answer }) => {
    await forward();
    answer({ status: 503, headers: json, body: errorBody });
  },
  "503 and it did not run": ({ answer }) => answer({ status: 503, headers: json, body: errorBody }),
  "HTML with 502 after it ran": async ({ forward, answer }) => {
    await forward();
    answer({ status: 502, headers: { "content-type": "text/html" }, body: page });
  },
  "truncated JSON": async ({ forward, answer }) => {
    const full = await forward();
    answer({ ...full, body: full.body.slice(0, full.body.length / 2) });
  },
  [LATE]: async ({ forward, answer }) => {
    const late = await forward();
    await pause(2 * TIMEOUT_MS);
    answer(late);
  },
  "connection refused, then back": ({ away }) => away(AWAY_MS),
};

type Struck = "acquire" | "release";

export interface FaultFigures {
  readonly fault: string;
  readonly struck: Struck;
  readonly label: string;
  /** The outcome for the caller. */
  readonly told: string;
  /** When the call with the fault returned, from its start. */
  readonly toldAfterMs: number;
  /** How long an independent client saw the name held from then on. */
  readonly blockedMs: number;
}

/** The caller's last call: it releases immediately what it gets, and gives up otherwise. */
async function lastCall(struck: Struck, acquire: () => Promise<Grant | null>, held: Grant | null): Promise<string> {
  try {
    const grant = struck === "acquire" ? await acquire() : held;
    if (!grant) return "not acquired";
    const released = await grant.release();
    if (struck === "acquire") return released ? "acquired" : "acquired, then lost";
    return released ? "released" : "returned false";
  } catch (error) {
    return `threw ${error instanceof Error ? error.name : "something"}`;
  }
}

async function strike(stage: Stage, subject: Subject, fault: string, struck: Struck, run: number, checks: Checks) {
  const proxy = await startProxy(stage.url);
  const endpoint = { url: proxy.url, token: stage.token, redisUrl: stage.redisUrl };
  const name = `fault-${run}-${struck}-${fault}-${subject.label}`;
  const contender = subject.open(endpoint, name, {
    leaseMs: LEASE_MS,
    // Otherwise the libraries' own, which @upstash/redis does not have.
    ...(fault === LATE ? { timeoutMs: TIMEOUT_MS } : {}),
  });
  // Opens the connection and loads the scripts first: on a busy machine, that may take longer than the time-out.
  await (await subject.open(endpoint, name, { leaseMs: LEASE_MS }).acquire())?.release();
  const held = struck === "release" ? await contender.acquire() : null;

  let [firstHeld, lastHeld, toldAt] = [Number.NaN, Number.NaN, 0];
  proxy.next(() => true, FAULTS[fault] ?? (() => {}));
  const start = performance.now();
  const told = lastCall(struck, contender.acquire, held);
  told.finally(() => {
    toldAt = performance.now();
  });
  for (;;) {
    const lookedAt = performance.now();
    if (await subject.isHeld(stage, name)) {
      lastHeld = performance.now();
      firstHeld = firstHeld || lookedAt;
    } else if (toldAt && lookedAt > toldAt) break;
    if (lookedAt - start > 2 * LEASE_MS + SLACK_MS) break;
    await pause(LOOK_EVERY_MS);
  }
  await proxy.close();
  const blockedMs = lastHeld - firstHeld || 0;
  checks.expect(blockedMs < LEASE_MS + TIMEOUT_MS + SLACK_MS, `${subject.label}, ${fault}: no longer than the lease`);
  const said = await told;
  // No other client wanted the name. The peer's result is a figure of the table, not a failure of this run.
  const isFalse = said === "not acquired" || said === "returned false" || said === "acquired, then lost";
  checks.expect(!isFalse || subject === upstashLock, `${subject.label}, ${struck}, ${fault}: said "${said}"`);
  return { fault, struck, label: subject.label, told: said, toldAfterMs: toldAt - start, blockedMs };
}

/**
 * Applies each fault to an acquire and a release of each subject, all at the same time, each with its own name and
 * proxy.
 */
export async function benchFaults(
  stage: Stage,
  subjects: readonly Subject[],
  runs: number,
  checks: Checks,
): Promise<FaultFigures[]> {
  const strikes: FaultFigures[][] = [];
  for (let run = 0; run < runs; run++) {
    let begun = 0;
    const all = (["acquire", "release"] as const).flatMap((struck) =>
      Object.keys(FAULTS).flatMap((fault) =>
        subjects.map(async (subject) => {
          await pause(STAGGER_MS * begun++);
          return strike(stage, subject, fault, struck, run, checks);
        }),
      ),
    );
    strikes.push(await Promise.all(all));
  }
  const [first = []] = strikes;
  return first.map((figures, index) => {
    const same = strikes.flatMap((run) => run[index] ?? []);
    return {
      ...figures,
      told: [...new Set(same.map(({ told }) => told))].join(" / "),
      toldAfterMs: median(same.map(({ toldAfterMs }) => toldAfterMs)),
      blockedMs: median(same.map(({ blockedMs }) => blockedMs)),
    };
  });
}
