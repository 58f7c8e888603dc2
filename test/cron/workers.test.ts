import { Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lastRun } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { bundle } from "./bundle.ts";

const SLOT = Date.UTC(2026, 10, 21, 3);
const DAY_MS = 86_400_000;
const prefix = `${freshName("workers")}:`;

/** A Worker as a user writes it. What its handler does is up to the expression. */
const PROGRAM = `
  import { createLocks } from "leasehold";
  import { lastRun, cloudflareCron } from "leasehold/cron";
  const reports = [];
  const done = [];
  const scheduled = cloudflareCron(
    {
      locks: (env) => createLocks({ url: env.URL, token: env.TOKEN, prefix: env.PREFIX }),
      name: "nightly",
      onReport: (report) => reports.push(report),
    },
    async (run, controller, env, ctx) => {
      done.push([run.slot, run.attempt, controller.cron]);
      ctx.waitUntil(Promise.resolve());
      if (controller.cron === "1 1 1 1 1") await new Promise((resolve) => setTimeout(resolve, 1500));
      if (controller.cron === "2 2 2 2 2" && run.attempt === 1) throw new Error("first attempt");
      if (run.signal.aborted || !(run.token > 0)) throw new Error("no lease");
    },
  );
  export default {
    scheduled,
    fetch: () => Response.json({ reports, done }),
  };`;

const stack = useStack();
let mf: Miniflare;
let locks: Locks;
beforeAll(async () => {
  locks = createLocks({ url: stack.url, token: stack.token, prefix });
  const contents = await bundle(PROGRAM, "esm");
  const text = (value: string) => ({ type: "text", value }) as const;
  mf = new Miniflare({
    workers: [
      {
        config: {
          name: "cron",
          compatibilityDate: "2026-10-01",
          env: { URL: text(stack.url), TOKEN: text(stack.token), PREFIX: text(prefix) },
          manifest: { mainModule: "worker.js", modulesRoot: "/", modules: { "worker.js": { type: "esm", contents } } },
        },
      },
    ],
    cf: false,
    logRequests: false,
    // An error of the handler would be printed.
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => {},
  });
  await mf.ready;
});
afterAll(async () => {
  await mf?.dispose();
});

interface Seen {
  readonly reports: readonly { readonly status: string; readonly name: string; readonly slot: string }[];
  readonly done: readonly [slot: string, attempt: number, cron: string][];
}
const seen = async (cron: string): Promise<Seen> => {
  const { reports, done } = (await (await mf.dispatchFetch("https://cron.example/")).json()) as Seen;
  return {
    reports: reports.filter(({ name }) => name === `nightly ${cron}`),
    done: done.filter(([, , expression]) => expression === cron),
  };
};
const scheduled = async (cron: string, time: number): Promise<string> => {
  const { outcome } = await (await mf.getWorker()).scheduled({ cron, scheduledTime: new Date(time) });
  return outcome;
};

it("runs a scheduled time once, however often it is delivered", async () => {
  const cron = "0 3 * * *";
  expect(await Promise.all(Array.from({ length: 5 }, () => scheduled(cron, SLOT)))).toEqual(Array(5).fill("ok"));
  expect(await scheduled(cron, SLOT)).toBe("ok");
  expect(await scheduled(cron, SLOT + DAY_MS)).toBe("ok");
  const { reports, done } = await seen(cron);
  expect(done).toEqual([
    ["2026-11-21T03:00:00.000Z", 1, cron],
    ["2026-11-22T03:00:00.000Z", 1, cron],
  ]);
  const statuses = reports.map(({ status, slot }) => `${slot.slice(8, 10)} ${status}`);
  expect(statuses.filter((status) => status.endsWith("ran") && !status.includes("skipped"))).toEqual([
    "21 ran",
    "22 ran",
  ]);
  expect(statuses).toHaveLength(7);
  expect(await lastRun(locks, `nightly ${cron}`)).toMatchObject({ outcome: "ran", slot: "2026-11-22T03:00:00.000Z" });
});

it("tells the expressions of one Worker apart", async () => {
  expect(await Promise.all([scheduled("0 * * * *", SLOT), scheduled("0 4 * * *", SLOT)])).toEqual(["ok", "ok"]);
  expect((await seen("0 * * * *")).done).toHaveLength(1);
  expect((await seen("0 4 * * *")).done).toHaveLength(1);
});

it("does not overlap the previous time", async () => {
  const cron = "1 1 1 1 1";
  const first = scheduled(cron, SLOT);
  while ((await lastRun(locks, `nightly ${cron}`))?.outcome !== "running") await pause(10);
  expect(await scheduled(cron, SLOT + DAY_MS)).toBe("ok");
  expect(await first).toBe("ok");
  expect(await scheduled(cron, SLOT + 2 * DAY_MS)).toBe("ok");
  const { reports } = await seen(cron);
  expect(reports.map(({ status }) => status)).toEqual(["skipped: still running", "ran", "ran"]);
});

it("a handler that throws is an exception for Cloudflare, and the time can be delivered again", async () => {
  const cron = "2 2 2 2 2";
  expect(await scheduled(cron, SLOT)).toBe("exception");
  expect(await lastRun(locks, `nightly ${cron}`)).toMatchObject({ outcome: "failed", error: "Error: first attempt" });
  expect(await scheduled(cron, SLOT)).toBe("ok");
  expect((await seen(cron)).done.map(([, attempt]) => attempt)).toEqual([1, 2]);
});
