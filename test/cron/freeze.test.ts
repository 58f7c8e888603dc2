import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lastRun, type Report, runCron } from "../../src/cron/index.ts";
import { startWorld, type World } from "../faults/world.ts";
import { pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const SLOT = "2026-11-21T03:00:00.000Z";
const NEXT = "2026-11-22T03:00:00.000Z";
const LEASE_MS = 1000;

type Message = {
  readonly began?: number;
  readonly report?: Report;
  readonly error?: { readonly code?: string; readonly reason?: string; readonly message: string };
};

/** A run in another process, which asks Redis through the proxy of the world. */
interface Holder extends AsyncDisposable {
  /** The next message that has this field; those before are passed over. */
  hears<K extends keyof Message>(field: K): Promise<NonNullable<Message[K]>>;
  count(field: keyof Message): number;
  tell(): void;
  /** SIGSTOP; resolves when it is stopped. */
  freeze(): Promise<void>;
  /** Resolves when it has stopped itself. */
  stopped(): Promise<void>;
  wake(): void;
}

/** With `stopAt` it stops itself as soon as it knows that it has been granted that. */
async function startHolder(world: World, stopAt = ""): Promise<Holder> {
  const script = fileURLToPath(new URL("./holder.ts", import.meta.url));
  const { proxy, stack, name } = world;
  const args = [proxy.url, stack.token, name, SLOT, String(LEASE_MS), stopAt];
  const child: ChildProcess = fork(script, args, {
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const heard: Message[] = [];
  await new Promise((resolve) => child.once("message", resolve));
  child.on("message", (message: Message) => heard.push(message));
  const stopped = async (): Promise<void> => {
    while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) await pause(5);
  };
  return {
    stopped,
    async hears(field) {
      for (;;) {
        const found = heard.find((message) => field in message)?.[field];
        if (found !== undefined) return found as never;
        await pause(5);
      }
    },
    count: (field) => heard.filter((message) => field in message).length,
    tell: () => void child.send({}),
    async freeze() {
      child.kill("SIGSTOP");
      await stopped();
    },
    wake: () => void child.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await gone;
      }
    },
  };
}

describe.concurrent("a machine that freezes in the middle of the work", () => {
  it("is overtaken by the next slot: what it ends with is refused, and the last run is the newer one", async () => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world);
    const { name, theirs } = world;
    holder.tell();
    const token = await holder.hears("began");
    await holder.freeze();
    await pause(LEASE_MS);
    const next = await runCron({ locks: theirs, name, slot: NEXT }, () => {});
    expect(next).toMatchObject({ status: "ran" });
    const newer = await lastRun(theirs, name);
    expect(newer).toMatchObject({ slot: NEXT, outcome: "ran" });
    expect(newer?.token).toBeGreaterThan(token);
    holder.tell();
    holder.wake();
    expect(await holder.hears("error")).toMatchObject({ code: "lease_lost" });
    expect(await lastRun(theirs, name)).toEqual(newer);
    // It did not count, so that its slot is there to be run again.
    expect(await runCron({ locks: theirs, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran", attempt: 2 });
  });

  it("is overtaken by another invocation of its slot, which alone counts", async () => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world);
    const { name, theirs } = world;
    holder.tell();
    await holder.hears("began");
    await holder.freeze();
    const early = await runCron({ locks: theirs, name, slot: SLOT }, () => {});
    if (early.status === "skipped: still running") expect(early.retryAfterMs).toBeLessThanOrEqual(LEASE_MS);
    else expect(early).toMatchObject({ status: "ran", attempt: 2 });
    await pause(LEASE_MS);
    const again = await runCron({ locks: theirs, name, slot: SLOT }, () => {});
    expect(again).toMatchObject({ status: "ran", attempt: 2 });
    holder.tell();
    holder.wake();
    expect(await holder.hears("error")).toMatchObject({ code: "lease_lost" });
    const token = again.status === "ran" ? again.token : 0;
    expect(await lastRun(theirs, name)).toMatchObject({ outcome: "ran", token });
    const later = await runCron({ locks: theirs, name, slot: SLOT }, () => expect.unreachable());
    expect(later).toMatchObject({ status: "skipped: already ran", token });
  });
});

/** When the machine freezes, and what must come of its own run and of another invocation of the slot. */
interface Freeze {
  readonly script: string;
  readonly holder: "report" | "error";
  readonly other: "ran" | "skipped: already ran";
}

describe.concurrent("a machine that freezes while the answer is on its way", () => {
  it.each<[string, Freeze]>([
    ["begin", { script: "cron-begin", holder: "error", other: "ran" }],
    ["end", { script: "held-end", holder: "report", other: "skipped: already ran" }],
  ])("of %s (50.1)", async (_, { script, holder: ends, other }) => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world);
    const { name, theirs, proxy } = world;
    let open: () => void = () => {};
    const frozen = new Promise<void>((resolve) => {
      open = resolve;
    });
    proxy.next(script, async ({ forward, answer }) => {
      const answered = await forward();
      await holder.freeze();
      open();
      answer(answered);
    });
    holder.tell();
    holder.hears("began").then(() => holder.tell());
    await frozen;
    await pause(LEASE_MS + 100);
    let others = 0;
    const report = await runCron({ locks: theirs, name, slot: SLOT }, () => void others++);
    expect(report.status).toBe(other);
    const last = await lastRun(theirs, name);
    holder.wake();
    const ended = await holder.hears(ends);
    // A freeze before the work must not let it be done twice.
    expect(holder.count("began") + others).toBe(1);
    if (other === "ran") {
      // It found that it had been overtaken before it did anything.
      expect(ended).toMatchObject({ code: "lock_timeout" });
      expect(await lastRun(theirs, name)).toEqual(last);
    } else expect(ended).toMatchObject({ status: "ran" });
    expect(await runCron({ locks: theirs, name, slot: NEXT }, () => {})).toMatchObject({ status: "ran" });
  });
});

describe.concurrent("a machine that freezes between its grant and its work", () => {
  it("overtaken meanwhile by its slot, it finds out before the work begins (50.1)", async () => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world, "lock");
    const { name, theirs } = world;
    holder.tell();
    await holder.stopped();
    await pause(LEASE_MS + 100);
    expect(await runCron({ locks: theirs, name, slot: SLOT }, () => {})).toMatchObject({ status: "ran", attempt: 2 });
    const last = await lastRun(theirs, name);
    holder.wake();
    expect(await holder.hears("report")).toMatchObject({ status: "skipped: already ran", token: last?.token });
    expect(holder.count("began")).toBe(0);
    expect(await lastRun(theirs, name)).toEqual(last);
    expect(await theirs.lock(`cron:${name}`).inspect()).toMatchObject({ state: "free" });
  });

  it("overtaken by the next slot, it does not run beside it (50.1)", async () => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world, "lock");
    const { name, theirs } = world;
    holder.tell();
    await holder.stopped();
    await pause(LEASE_MS + 50);
    const next = await runCron({ locks: theirs, name, slot: NEXT }, async () => {
      holder.wake();
      expect(await holder.hears("report")).toMatchObject({ status: "skipped: still running" });
    });
    expect(next.status).toBe("ran");
    expect(holder.count("began")).toBe(0);
  });

  it("and that nobody has overtaken, it begins again, with a higher attempt and token (50.1)", async () => {
    await using world = await startWorld(stack);
    await using holder = await startHolder(world, "lock");
    const { name, theirs } = world;
    holder.tell();
    await holder.stopped();
    const before = await lastRun(theirs, name);
    await pause(LEASE_MS + 50);
    holder.wake();
    const token = await holder.hears("began");
    expect(token).toBeGreaterThan(before?.token ?? Number.POSITIVE_INFINITY);
    holder.tell();
    expect(await holder.hears("report")).toMatchObject({ status: "ran", attempt: 2 });
  });
});
