import { afterAll, beforeAll, expect, it } from "vitest";
import type { RedisServer } from "../../../tools/redis.ts";
import { startNode } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { A, idOf } from "../support/cluster.ts";
import { call, TOKEN, until } from "../support/harness.ts";

const HOSTNAMES = ["--cluster-announce-hostname", "localhost", "--cluster-preferred-endpoint-type", "hostname"];

let owner: RedisServer;
let empty: RedisServer;
let gateway: GatewayServer;

beforeAll(async () => {
  [owner, empty] = await Promise.all([startNode(HOSTNAMES), startNode(HOSTNAMES)]);
  await owner.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  await empty.command("CLUSTER", "MEET", "127.0.0.1", String(owner.port));
  for (const server of [owner, empty])
    await until(
      () => server.commands(["CLUSTER", "NODES"], ["CLUSTER", "INFO"]),
      (text) => text.match(/,localhost/g)?.length === 2 && text.includes("cluster_state:ok"),
    );
  gateway = await serveGateway({ redis: `redis+cluster://127.0.0.1:${owner.port}`, token: TOKEN, port: 0 });
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all([owner?.stop(), empty?.stop()]);
});

it("a redirection by hostname is followed, also to a node that has no slot yet", async () => {
  await empty.command("CLUSTER", "SETSLOT", "100", "IMPORTING", await idOf(owner));
  await owner.command("CLUSTER", "SETSLOT", "100", "MIGRATING", await idOf(empty));
  expect(await owner.command("GET", A)).toBe(`-ASK 100 localhost:${empty.port}\r\n`);
  expect((await call(gateway.url, ["INCR", A])).body).toEqual({ result: 1 });
  expect(await empty.commands(["ASKING"], ["GET", A])).toContain("$1\r\n1\r\n");
});
