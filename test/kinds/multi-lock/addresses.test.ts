import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Connection,
  type ConnectionSettings,
  connect,
  createLocks,
  fairLock,
  group,
  type Joinable,
  lock,
  multiLock,
  quorumLock,
  readWriteLock,
} from "../../../src/index.ts";
import { type FaultProxy, startProxy } from "../../support/proxy.ts";
import { freshName, pause, type Stack, startStack } from "../../support/stack.ts";

let stacks: readonly Stack[];
let proxies: readonly FaultProxy[];

beforeAll(async () => {
  stacks = await Promise.all([startStack(), startStack()]);
  proxies = await Promise.all(stacks.map(({ url }) => startProxy(url)));
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await Promise.all(stacks.map((stack) => stack.stop()));
});

const SERVER_IDS = ["eu", "us"] as const;

/** The addresses of a server: two names of its host, and a proxy. */
function addressesOf(server: number): readonly string[] {
  const { url = "" } = stacks[server] ?? {};
  return [url, url.replace("127.0.0.1", "localhost"), proxies[server]?.url ?? ""];
}

/** The connections of one client, which reaches the first server by one kind of address and the second by another. */
function connectionsOf(client: number, settings: readonly ConnectionSettings[] = []): Connection[] {
  return stacks.map(({ token }, server) => {
    const url = addressesOf(server)[(client + server * (1 + (client % 2))) % 3] as string;
    return connect({ url, token, ...settings[server] });
  });
}

const withIds = SERVER_IDS.map((serverId) => ({ serverId }));

/** 24 clients hold the parts together, each named in an order of the client's own. Returns the most at a time. */
async function contendFor(partsOf: (connections: readonly Connection[]) => Joinable[], ids = withIds): Promise<number> {
  let inside = 0;
  let max = 0;
  await Promise.all(
    Array.from({ length: 24 }, async (_, client) => {
      const connections = connectionsOf(client, ids);
      const parts = partsOf(connections);
      const both = multiLock(connections[0] as Connection, client % 4 < 2 ? parts : parts.reverse());
      for (let round = 0; round < 2; round++) {
        await both.run({ wait: "60s", lease: "30s" }, async () => {
          max = Math.max(max, ++inside);
          await pause(2);
          inside--;
        });
      }
    }),
  );
  return max;
}

it("24 clients that reach two servers by different addresses all get their turn: one name on both (E11)", async () => {
  const name = freshName();
  expect(await contendFor((connections) => connections.map((each) => lock(each, name)))).toBe(1);
}, 90_000);

it("the same with a name on each, without ids (E11)", async () => {
  const name = freshName();
  const none = [{}, {}];
  expect(
    await contendFor((connections) => connections.map((each, n) => lock(each, `${name}${n}`)), none as never),
  ).toBe(1);
}, 90_000);

it("the same with kinds, groups and prefixes among them (E11)", async () => {
  const name = freshName();
  const settings = withIds.map((ids, n) => ({ ...ids, prefix: `p${n}:` }));
  const max = await contendFor(([eu, us]) => {
    if (!eu || !us) throw new Error("two connections");
    const names = [`${name}b`, `${name}a`];
    return [
      fairLock(eu, name),
      fairLock(us, name),
      lock(group(us, name), "é"),
      lock(group(eu, name), "e\u0301"),
      readWriteLock(eu, `${name}\u{1d4b3}`).write,
      multiLock(group(us, `${name}/g`), names) as unknown as Joinable,
    ];
  }, settings);
  expect(max).toBe(1);
}, 90_000);

it("one name on several servers needs a serverId of each, in any order, with whatever address (E11)", () => {
  const name = freshName();
  const bothOf = (settings: ConnectionSettings[]) => () => {
    const connections = connectionsOf(0, settings);
    return multiLock(
      connections[0] as Connection,
      connections.map((each) => lock(each, name)),
    );
  };
  for (const settings of [
    [],
    [{ serverId: "eu" }],
    [{}, { serverId: "us" }],
    [{ serverId: "eu" }, { serverId: "eu" }],
  ]) {
    expect(bothOf(settings)).toThrow(TypeError);
    expect(bothOf(settings)).toThrow(/serverId.*quorumLock.*different names/);
  }
  expect(bothOf(withIds)).not.toThrow();
  // Different keys have an order of their own.
  expect(bothOf([{ prefix: "p:" }, { prefix: "q:" }])).not.toThrow();
  // One server by two addresses is two servers for the client, and is refused all the same.
  const [url = "", alias = ""] = addressesOf(0);
  const { token = "" } = stacks[0] ?? {};
  const [one, two] = [url, alias].map((each) => lock(connect({ url: each, token }), name)) as unknown as [
    Joinable,
    Joinable,
  ];
  expect(() => multiLock(connect({ url, token }), [one, two])).toThrow(TypeError);
  expect(() => connect({ url, token, serverId: "" })).toThrow(RangeError);
  expect(() => connect({ url, token, serverId: 7 as never })).toThrow(TypeError);
});

it("tokens, losses and states of one name on several servers are distinguished by the servers' IDs (E11)", async () => {
  const name = freshName();
  const connections = connectionsOf(0, withIds);
  const [eu, us] = connections as [Connection, Connection];
  const both = multiLock(
    eu,
    connections.map((each) => lock(each, name)),
  );
  const lease = await both.acquire();
  const keys = SERVER_IDS.map((id) => `${id}/leasehold:{${name}}`);
  expect(Object.keys(lease.tokens)).toEqual(keys);
  const states = await both.inspect();
  expect(Object.keys(states)).toEqual(keys);
  await lock(us, name).forceRelease();
  expect(await both.inspect()).toMatchObject({
    [keys[0] ?? ""]: { state: "held" },
    [keys[1] ?? ""]: { state: "free" },
  });
  expect(await lease.verify()).toBe(false);
  expect(lease.signal.reason).toMatchObject({ names: [keys[1]] });
  expect(await lease.release()).toBe(false);
});

it("parts that overlap are refused, and the error says how to name them (E11)", () => {
  const [eu, us] = connectionsOf(0, withIds) as [Connection, Connection];
  const name = freshName();
  const inside = freshName("group");
  const pair = multiLock(group(eu, inside), [`${name}a`, `${name}c`]) as unknown as Joinable;
  const third = lock(group(eu, inside), `${name}b`);
  expect(() => multiLock(eu, [pair, third])).toThrow(/in one multi-lock/);
  const elsewhere = lock(group(us, inside), `${name}b`);
  expect(() => multiLock(eu, [pair, elsewhere])).toThrow(/another group on each server/);
  // A name that is called as the group is another lock, and not in between.
  expect(() => multiLock(eu, [pair, lock(eu, inside)])).not.toThrow();
  // A majority of servers contains one of them.
  const majority = quorumLock([eu, us], name);
  expect(() => multiLock(eu, [majority, lock(us, name)])).toThrow(TypeError);
  expect(() => multiLock(eu, [majority, lock(eu, name)])).toThrow(TypeError);
});

it("a quorum lock has one place in the order, however its servers are listed (E11)", async () => {
  const names = [freshName("a"), freshName("b"), freshName("c")] as const;
  const prefixes = [{ prefix: "c:" }, { prefix: "a:" }];
  const orders = await Promise.all(
    [false, true].map(async (reversed) => {
      const servers = connectionsOf(0, prefixes);
      if (reversed) servers.reverse();
      const { url = "", token = "" } = stacks[0] ?? {};
      const single = createLocks({ url, token, prefix: "b:" });
      const lease = await single.multiLock([names[0], quorumLock(servers, names[1]), names[2]]).acquire();
      await lease.release();
      return lease.name;
    }),
  );
  expect(orders[0]).toBe(orders[1]);
});
