import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RedisServer } from "../../../tools/redis.ts";
import { type Cluster, startCluster } from "../../../tools/redis-topologies.ts";
import { scripts } from "../../support/scripts.ts";

const [WRITER, READER, LATER] = ["w", "r", "l"].map((letter) => letter.repeat(36)) as [string, string, string];
const RETENTION_MS = 60_000;
const LEASE_MS = 30_000;
/** A server time that is never reached. */
const NEVER = "9000000000000000";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster?.stop());

const idOf = async (server: RedisServer): Promise<string> =>
  (await server.command("CLUSTER", "MYID")).split("\r\n")[1] ?? "";

/** A server and a name in one of its slots; the slot is moved to the other server from the call of `move` on. */
async function place(name: string) {
  const keys = [`leasehold:{${name}}`, `leasehold:{${name}}%crowd`];
  const slot = (await (cluster.servers[0] as RedisServer).command("CLUSTER", "KEYSLOT", `{${name}}`)).slice(1).trim();
  const owner = await cluster.ownerOf(Number(slot));
  const other = cluster.servers.find((server) => server !== owner) as RedisServer;
  /** The status of a script's reply, or its error. */
  async function call(script: string, ...args: readonly (string | number)[]): Promise<string> {
    const reply = await owner.command("EVAL", scripts[script]?.lua ?? "", "2", ...keys, ...args.map(String));
    return /^\*\d+\r\n\$\d+\r\n(\w+)/.exec(reply)?.[1] ?? reply.trim();
  }
  return {
    acquire: (id: string, mode: string, back = 0) =>
      call("rw-acquire", NEVER, id, LEASE_MS, RETENTION_MS, mode, 1, back, 0, 0),
    cancel: (id: string) => call("rw-close", id, 0, RETENTION_MS, NEVER),
    members: async () => (await owner.command("ZCARD", keys[1] ?? "")).trim(),
    async move() {
      expect(await other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", await idOf(owner))).toMatch(/^\+OK/);
      expect(await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", await idOf(other))).toMatch(/^\+OK/);
    },
  };
}

describe("a slot that a cluster moves", () => {
  it("grants a write lock to the only waiter, whose announcement was all that its crowd had (W6)", async () => {
    const at = await place("moving-writer");
    expect(await at.acquire(READER, "read")).toBe("granted");
    expect(await at.acquire(WRITER, "write", 5000)).toBe("held");
    expect(await at.cancel(READER)).toBe("closed");
    expect(await at.members()).toBe(":1");
    await at.move();
    expect(await at.acquire(WRITER, "write", 5000)).toBe("granted");
  });

  it("releases the only hold of a crowd (W6)", async () => {
    const at = await place("moving-reader");
    expect(await at.acquire(READER, "read")).toBe("granted");
    await at.move();
    expect(await at.cancel(READER)).toBe("closed");
  });

  it("runs no script of which a key is missing, and the client tries again (W6)", async () => {
    const at = await place("moving-later");
    expect(await at.acquire(WRITER, "write")).toBe("granted");
    await at.move();
    expect(await at.acquire(LATER, "read")).toMatch(/^-TRYAGAIN /);
  });
});
