import { describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { type ConnectionSettings, createLocks } from "../../src/index.ts";
import { shiftableClock } from "../support/server-clock.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();

const TIMEOUT_MS = 500;

/**
 * A client of a gateway in front of several nodes, each with a clock of its own. Which one has a key is told by the
 * key, as with slots; the nodes are one server whose clock seems to be set.
 */
function cluster(shifts: Readonly<Record<string, number>>, settings: ConnectionSettings = {}) {
  const nodes = Object.entries(shifts).map(([node, shiftMs]) => Object.assign(shiftableClock(), { node, shiftMs }));
  const nodeOf = (body: unknown) => {
    const key = String((JSON.parse(String(body)) as unknown[])[3]);
    const found = nodes.find(({ node }) => key.includes(node));
    if (!found) throw new Error(`no node has ${key}`);
    return found;
  };
  const locks = createLocks({
    url: stack.url,
    token: stack.token,
    requestTimeout: TIMEOUT_MS,
    ...settings,
    fetch: (input, init) => nodeOf(init?.body).fetch(input, init as RequestInit),
  });
  const on = (node: string) => {
    const found = nodes.find((each) => each.node === node);
    if (!found) throw new Error(node);
    return found;
  };
  return {
    locks,
    on,
    statuses: (node: string) => on(node).sent.map(({ status }) => status),
    /** A copy of the first request for a name that was granted or refused arrives now. */
    async replay(name: string): Promise<string | undefined> {
      const { fetch, sent } = nodeOf(JSON.stringify(["", "", 1, name]));
      const first = sent.find(({ body, status }) => body.includes(name) && status !== "late");
      const headers = { authorization: `Bearer ${stack.token}` };
      await fetch(stack.url, { method: "POST", headers, body: first?.body ?? "" });
      return sent.at(-1)?.status;
    },
  };
}

describe("nodes whose clocks are apart", () => {
  it("what another node's clock says makes no request valid for longer than its time-out", async () => {
    for (const apartMs of [10_000, 3_600_000]) {
      const { locks, replay } = cluster({ one: 0, other: apartMs });
      const names = [freshName("other"), freshName("one"), freshName("other"), freshName("one")];
      // The one that is behind is asked right after the one that is ahead.
      for (const name of names) await (await locks.lock(name).acquire({ lease: "20s" })).release();
      await pause(TIMEOUT_MS + 100);
      for (const name of names) expect(`${name} ${await replay(name)}`).toBe(`${name} late`);
    }
  });

  it("names that were not asked for yet go by the clock that is behind all others", async () => {
    const { locks, replay } = cluster({ ahead: 10_000, farther: 20_000, behind: -10_000 });
    for (const node of ["behind", "ahead", "farther", "ahead", "farther"])
      await (await locks.lock(freshName(node)).acquire()).release();
    const names = [freshName("behind"), freshName("ahead"), freshName("farther"), freshName("behind")];
    for (const name of names) await (await locks.lock(name).acquire()).release();
    await pause(TIMEOUT_MS + 100);
    for (const name of names) expect(`${name} ${await replay(name)}`).toBe(`${name} late`);
  });

  it("several kinds of requests of one name share what was learnt, fences too", async () => {
    const { locks, statuses } = cluster({ one: 0, other: 10_000 });
    const name = freshName("other");
    await (await locks.lock(freshName("one")).acquire()).release();
    const lease = await locks.lock(name).acquire();
    await lease.extend();
    await locks.lock(name).inspect();
    await locks.lock(name).forceRelease();
    await redisFence(locks).claim(lease);
    expect(statuses("other").filter((status) => status === "late").length).toBeLessThanOrEqual(2);
    expect(await redisFence(locks).read(name)).toMatchObject({ token: lease.token });
  });

  it("each name's clock is learnt by one more request, and then no more", async () => {
    const { locks, statuses } = cluster({ one: 0, other: 10_000 });
    const names = [freshName("one"), freshName("other")];
    for (let round = 0; round < 4; round++)
      for (const name of names) await (await locks.lock(name).acquire()).release();
    const late = (node: string) => statuses(node).filter((status) => status === "late").length;
    expect([late("one"), late("other")]).toEqual([0, 1]);
  });

  it("a single server whose clock is set is learnt anew, and what is learnt stays small", async () => {
    const { locks, on, statuses } = cluster({ name: 0 });
    const used = freshName();
    const lateIn = async (operation: () => Promise<unknown>): Promise<number> => {
      const before = statuses("name").length;
      await operation();
      return statuses("name")
        .slice(before)
        .filter((status) => status === "late").length;
    };
    const use = async (name: string) => (await locks.lock(name).acquire()).release();
    for (let n = 0; n < 150; n++) await locks.lock(freshName()).inspect();
    expect(locks.connection.state.offsets.size).toBeLessThanOrEqual(100);
    expect(await lateIn(() => use(used))).toBe(0);
    on("name").shiftMs = 3_600_000;
    expect(await lateIn(() => use(used))).toBe(1);
    expect(await lateIn(() => use(used))).toBe(0);
    on("name").shiftMs = -3_600_000;
    expect(await lateIn(() => use(used))).toBe(0);
    on("name").shiftMs = 0;
    expect(await lateIn(() => use(used))).toBe(1);
    expect(await lateIn(() => use(used))).toBe(0);
  });
});
