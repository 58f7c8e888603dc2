import { runCron } from "../../src/cron/index.ts";
import { connect, lock, once } from "../../src/index.ts";
import { type Stage, startStage } from "../stage.ts";
import { leasehold, type Subject, upstashLock } from "../subjects.ts";

const COUNT = 20;
const TERMS = { leaseMs: 3_600_000 };

/** The Redis commands of an operation, including those inside scripts. */
export interface Commands {
  readonly label: string;
  readonly ours: number;
  /** `undefined` if the library has no such operation. */
  readonly upstashLock: number | undefined;
  /** `SET NX PX`, then `DELEX` with the value. */
  readonly raw: number | undefined;
}

type Work = (at: number) => Promise<unknown>;

async function counted(stage: Stage, work: Work): Promise<number> {
  // Redis gets to know the scripts.
  await work(-1);
  const before = (await stage.traffic()).commands;
  for (let at = 0; at < COUNT; at++) await work(at);
  return ((await stage.traffic()).commands - before) / COUNT;
}

const cycle = (stage: Stage, subject: Subject): Work => {
  const one = subject.open(stage, `cycle-${subject.label}`, TERMS);
  return async () => (await one.acquire())?.release();
};

/** A try of a name that somebody holds; @upstash/lock tries three times by itself, which is one try here. */
async function refused(stage: Stage, subject: Subject, tries: number): Promise<number> {
  const name = `held-${subject.label}`;
  await subject.open(stage, name, TERMS).acquire();
  const other = subject.open(stage, name, TERMS);
  return (await counted(stage, () => other.acquire())) / tries;
}

/** Counts the commands of operations on a server of its own. */
export async function commandsOfOperations(): Promise<Commands[]> {
  const stage = await startStage();
  try {
    const redis = connect({ url: stage.url, token: stage.token });
    const run = (slot: string) => runCron({ locks: redis, name: "job", slot }, () => {});
    const extending = await lock(redis, "extended", { lease: "1h" }).tryAcquire();
    await once(redis, "done", { lease: "1h" }).run(() => 1);
    return [
      {
        label: "acquire and release",
        ours: await counted(stage, cycle(stage, leasehold)),
        upstashLock: await counted(stage, cycle(stage, upstashLock)),
        raw: 2,
      },
      {
        label: "a poll (a refused try)",
        ours: await refused(stage, leasehold, 1),
        upstashLock: await refused(stage, upstashLock, 3),
        raw: 1,
      },
      {
        label: "extend",
        ours: await counted(stage, async () => extending?.extend("1h")),
        upstashLock: undefined,
        raw: undefined,
      },
      {
        label: "a duplicate of a finished `once`",
        ours: await counted(stage, () => once(redis, "done", { lease: "1h" }).begin()),
        upstashLock: undefined,
        raw: 1,
      },
      {
        label: "a cron run",
        ours: await counted(stage, (at) => run(`slot ${at}`)),
        upstashLock: undefined,
        raw: undefined,
      },
      {
        label: "a cron run already done by another process",
        ours: await counted(stage, () => run("slot 1")),
        upstashLock: undefined,
        raw: undefined,
      },
    ];
  } finally {
    await stage.stop();
  }
}
