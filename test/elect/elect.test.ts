import { describe, expect, it } from "vitest";
import { type ElectOptions, elect } from "../../src/elect/index.ts";
import { type ConnectionSource, createLocks, type Lease, type Locks } from "../../src/index.ts";
import { heldBack } from "../faults/faults.ts";
import { startWorld } from "../faults/world.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await pause(5);
}

/** The history of all candidates of a name, in order: `a gained`, `a lost: resigned`. */
interface Story {
  readonly lines: string[];
  readonly tokens: number[];
}
const newStory = (): Story => ({ lines: [], tokens: [] });

interface Candidate {
  readonly done: Promise<unknown>;
  readonly lease: () => Lease | undefined;
  stop(): Promise<unknown>;
}

function candidate(
  source: ConnectionSource,
  name: string,
  who: string,
  { lines, tokens }: Story,
  more: Partial<ElectOptions> = {},
): Candidate {
  const stop = new AbortController();
  let lease: Lease | undefined;
  const done = elect(source, name, {
    lease: "3s",
    signal: stop.signal,
    ...more,
    onGained(given) {
      lines.push(`${who} gained`);
      tokens.push(given.token);
      lease = given;
      return more.onGained?.(given);
    },
    onLost(term) {
      lines.push(`${who} lost: ${term.reason}`);
      expect(term.token).toBe(lease?.token);
      return more.onLost?.(term);
    },
  }).catch((error: unknown) => error);
  return {
    done,
    lease: () => lease,
    stop() {
      stop.abort(new Error("stop"));
      return done;
    },
  };
}

/** At most one leads at a time, and each term that began has ended before the next. */
function alternates({ lines, tokens }: Story): void {
  for (const [n, line] of lines.entries()) {
    const [who, what] = line.split(" ");
    expect(what).toBe(n % 2 === 0 ? "gained" : "lost:");
    if (n % 2 === 1) expect(lines[n - 1]).toBe(`${who} gained`);
  }
  expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
  expect(new Set(tokens).size).toBe(tokens.length);
}

describe.concurrent("elect", () => {
  it("has one leader of three for longer than its lease, and the next when it resigns", async () => {
    const [name, story] = [freshName(), newStory()];
    const all = ["a", "b", "c"].map((who) => candidate(make(), name, who, story, { label: who }));
    await until(() => story.lines.length >= 1);
    const [leader] = story.lines[0]?.split(" ") ?? [];
    await pause(4000);
    expect(story.lines).toHaveLength(1);
    expect(await make().lock(name).inspect()).toMatchObject({ state: "held", label: leader });
    const byName = { a: all[0], b: all[1], c: all[2] }[leader as "a"];
    expect(await byName?.stop()).toBeUndefined();
    expect(story.lines.slice(0, 2)).toEqual([`${leader} gained`, `${leader} lost: resigned`]);
    await until(() => story.lines.length >= 3);
    for (const each of all) await each.stop();
    alternates(story);
    expect((await make().lock(name).inspect()).state).toBe("free");
  });

  it("calls nobody for a candidate that is stopped while it waits, and leaves the leader alone", async () => {
    const [name, story] = [freshName(), newStory()];
    const holder = await make().lock(name).acquire({ lease: "30s" });
    const waiting = candidate(make(), name, "a", story);
    await pause(150);
    expect(await waiting.stop()).toBeUndefined();
    expect(await elect(make(), name, { signal: AbortSignal.abort(), onGained: () => expect.unreachable() })).toBe(
      undefined,
    );
    expect(story.lines).toEqual([]);
    expect(await holder.verify()).toBe(true);
  });

  it("reports a term that was released by force, and campaigns anew", async () => {
    const [name, story] = [freshName(), newStory()];
    const only = candidate(make(), name, "a", story);
    for (let term = 1; term <= 2; term++) {
      await until(() => story.lines.length >= 2 * term - 1);
      await make().lock(name).forceRelease();
    }
    await until(() => story.lines.length >= 5);
    await only.stop();
    alternates(story);
    expect(story.lines.filter((line) => line === "a lost: forced")).toHaveLength(2);
  });

  it("begins no second term while the work of the first is running", async () => {
    const [name, story] = [freshName(), newStory()];
    let stopWork = (): void => {};
    const work = new Promise<void>((resolve) => {
      stopWork = resolve;
    });
    const slow = candidate(make(), name, "a", story, { onGained: () => work });
    await until(() => story.lines.length >= 1);
    await make().lock(name).forceRelease();
    await until(() => story.lines.length >= 2);
    const other = candidate(make(), name, "b", story);
    await until(() => story.lines.length >= 3);
    expect(story.lines[2]).toBe("b gained");
    await other.stop();
    await pause(500);
    expect(story.lines).toHaveLength(4);
    stopWork();
    await until(() => story.lines.length >= 5);
    await slow.stop();
    alternates(story);
  });

  it("keeps the name while the work of a resigned leader stops, but no longer than the lease", async () => {
    const [name, story] = [freshName(), newStory()];
    const leader = candidate(make(), name, "a", story, { onLost: () => pause(800) });
    await until(() => story.lines.length >= 1);
    const stopped = leader.stop();
    expect((await make().lock(name).inspect()).state).toBe("held");
    await stopped;
    expect((await make().lock(name).inspect()).state).toBe("free");

    const stuck = candidate(make(), name, "b", story, { onLost: () => pause(5000), lease: "2s" });
    await until(() => story.lines.length >= 3);
    const still = stuck.stop();
    const next = await make().lock(name).acquire({ wait: "10s", lease: "30s" });
    await still;
    expect(await next.verify()).toBe(true);
    alternates(story);
  });
});

describe.concurrent("elect, when something goes wrong", () => {
  const failure = new Error("the callback failed");
  it.each<[string, Partial<ElectOptions>]>([
    [
      "onGained throws",
      {
        onGained: () => {
          throw failure;
        },
      },
    ],
    ["onGained rejects later", { onGained: () => pause(50).then(() => Promise.reject(failure)) }],
  ])("%s: resigns, calls onLost once, and rejects with that", async (_, more) => {
    const [name, story] = [freshName(), newStory()];
    const { done } = candidate(make(), name, "a", story, more);
    expect(await done).toBe(failure);
    expect(story.lines).toEqual(["a gained", "a lost: resigned"]);
    expect((await make().lock(name).inspect()).state).toBe("free");
  });

  it("onLost throws: the lease is still released, and elect rejects with that error", async () => {
    const [name, story] = [freshName(), newStory()];
    const leader = candidate(make(), name, "a", story, { onLost: () => Promise.reject(failure) });
    await until(() => story.lines.length >= 1);
    expect(await leader.stop()).toBe(failure);
    expect((await make().lock(name).inspect()).state).toBe("free");
  });

  it("a leader without an answer is stopped by its own clock, before another candidate leads (R6)", async () => {
    await using world = await startWorld(stack);
    const story = newStory();
    const cut = candidate(world.ours, world.name, "a", story);
    await until(() => story.lines.length >= 1);
    const other = candidate(world.theirs, world.name, "b", story);
    const end = world.proxy.always(() => true, heldBack);
    await until(() => story.lines.length >= 3);
    expect(story.lines).toEqual(["a gained", "a lost: expired", "b gained"]);
    end();
    // The requests that were held back arrive, and take nothing from the new leader.
    await world.proxy.deliver();
    expect(await other.lease()?.verify()).toBe(true);
    await cut.stop();
    await other.stop();
    alternates(story);
    world.keepsSecrets(story);
  });

  it("a leader that froze is notified before anything else when it continues", async () => {
    let frozenMs = 0;
    const clock = { now: () => Date.now() + frozenMs, monotonic: () => performance.now() };
    const [name, story] = [freshName(), newStory()];
    const frozen = candidate(make({ clock }), name, "a", story, { lease: "3s" });
    await until(() => story.lines.length >= 1);
    frozenMs = 3_600_000;
    await until(() => story.lines.length >= 2);
    expect(story.lines[1]).toBe("a lost: expired");
    await frozen.stop();
    alternates(story);
  });

  it("continues while Redis is unavailable, and leads when it is back", async () => {
    await using world = await startWorld(stack);
    const story = newStory();
    world.proxy.next("lock-acquire", ({ away }) => away(1500));
    const patient = candidate(world.ours, world.name, "a", story);
    await until(() => story.lines.length >= 1);
    await patient.stop();
    alternates(story);
  });

  it("rejects for what does not pass by itself", async () => {
    const name = freshName();
    await make().once(name).begin();
    const options = { signal: new AbortController().signal, onGained: () => expect.unreachable() };
    await expect(elect(make(), name, options)).rejects.toMatchObject({ code: "wrong_kind", kind: "once" });
    const stranger = createLocks({ url: stack.url, token: "another-token-0123456789" });
    await expect(elect(stranger, freshName(), options)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(elect(make(), name, { ...options, signal: undefined as never })).rejects.toThrow(TypeError);
    await expect(elect(make(), name, { ...options, onGained: 1 as never })).rejects.toThrow(TypeError);
    await expect(elect(make(), name, { ...options, ttl: 1 } as never)).rejects.toThrow(/no option "ttl"/);
    await expect(elect(make(), name, { ...options, lease: 5 })).rejects.toThrow(RangeError);
  });
});
