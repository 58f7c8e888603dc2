import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, type Log, serveGateway } from "../../src/index.ts";
import { call, TOKEN, until } from "../support/harness.ts";
import { listen } from "../support/listen.ts";

const lines: { readonly level: string; readonly fields: object; readonly message: string }[] = [];
const at =
  (level: string) =>
  (fields: object, message: string): void =>
    void lines.push({ level, fields, message });
const log: Log = { debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };

let old: RedisServer;
let fresh: RedisServer;
let server: GatewayServer;

beforeEach(async () => {
  lines.length = 0;
  [old, fresh] = await Promise.all([startRedis(), startRedis()]);
  await Promise.all([old.command("SET", "where", "old"), fresh.command("SET", "where", "fresh")]);
  server = await serveGateway({ databases: [{ name: "main", redis: old.url, token: TOKEN }], port: 0, log });
});
afterEach(async () => {
  await server.close();
  await Promise.all([old.stop(), fresh.stop()]);
});

const where = async (token = TOKEN): Promise<unknown> => {
  const { status, body } = await call(server.url, ["GET", "where"], { headers: { authorization: `Bearer ${token}` } });
  return status === 200 ? (body as { result: unknown }).result : status;
};

/** What so many clients are answered from before `change` until the new one has answered each of them. */
async function during(change: () => void, count = 60): Promise<Set<unknown>> {
  const seen = new Set<unknown>();
  const client = async (): Promise<void> => {
    await until(
      async () => {
        const answer = await where();
        seen.add(answer);
        return answer;
      },
      (answer) => answer === "fresh",
    );
  };
  const clients = Array.from({ length: count }, client);
  await until(
    async () => seen,
    ({ size }) => size > 0,
  );
  change();
  await Promise.all(clients);
  return seen;
}

describe("settings that are read again, with a database", () => {
  it("that is elsewhere now: the one before serves until the new one answers", async () => {
    const seen = await during(() => server.reload({ databases: [{ name: "main", redis: fresh.url, token: TOKEN }] }));
    expect(seen).toEqual(new Set(["old", "fresh"]));
    expect(await where()).toBe("fresh");
    // The connections to the one before are ended.
    await until(
      () => old.command("CLIENT", "LIST", "TYPE", "normal"),
      (text) => (text.match(/ addr=/g) ?? []).length === 1,
    );
  });

  it("that has another name, or is one of several now", async () => {
    const second = { name: "second", redis: old.url, token: "second" };
    const seen = await during(() =>
      server.reload({ databases: [second, { name: "renamed", redis: fresh.url, token: TOKEN }] }),
    );
    expect(seen).toEqual(new Set(["old", "fresh"]));
    expect(
      await until(
        () => where("second"),
        (answer) => answer === "old",
      ),
    ).toBe("old");
  });

  it("that is not there yet: the one before serves on, and the log says so", async () => {
    const port = await freePort();
    await fresh.stop();
    server.reload({ databases: [{ name: "main", redis: `redis://127.0.0.1:${port}`, token: TOKEN }] });
    await until(
      async () => lines,
      (all) => all.some(({ message }) => message === "the previous Redis serves until this one answers"),
    );
    expect(await where()).toBe("old");
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    // Another change before that: what never answered is forgotten.
    fresh = await startRedis();
    await fresh.command("SET", "where", "fresh");
    const seen = await during(
      () => server.reload({ databases: [{ name: "main", redis: fresh.url, token: TOKEN }] }),
      10,
    );
    expect(seen).toEqual(new Set(["old", "fresh"]));
  });

  it("whose token is new, or may do other things now: it is not let in to the one before", async () => {
    const main = { name: "main", redis: `redis://127.0.0.1:${await freePort()}` };
    server.reload({ databases: [{ ...main, token: "other", readOnlyToken: TOKEN }] });
    expect(await where("other")).toBe(503);
    expect(await where()).toBe(503);
    server.reload({ databases: [{ ...main, redis: fresh.url, token: "other" }] });
    expect(await where()).toBe(401);
    expect(
      await until(
        () => where("other"),
        (answer) => answer !== 503,
      ),
    ).toBe("fresh");
  });

  it("streams continue with the one before, and end when the new one has taken over", async () => {
    const heard = await listen(`${server.url}/subscribe/c`);
    await heard.first(1);
    const port = await freePort();
    server.reload({ databases: [{ name: "main", redis: `redis://127.0.0.1:${port}`, token: TOKEN }] });
    await old.command("PUBLISH", "c", "still");
    expect((await heard.first(2))[1]).toBe("message,c,still");
    expect(heard.end).toBe(undefined);
    server.reload({ databases: [{ name: "main", redis: fresh.url, token: TOKEN }] });
    expect(await heard.ended()).toBe("done");
  });
});
