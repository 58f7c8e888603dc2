import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Pair, startPair } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { call, TOKEN, until } from "../support/harness.ts";
import { keepingLog } from "../support/log.ts";

let pair: Pair;
let endpoint: Endpoint;
let gateway: GatewayServer;
const log = keepingLog();

beforeEach(async () => {
  pair = await startPair();
  endpoint = await startEndpoint(pair.primary.port);
  gateway = await serveGateway({ redis: endpoint.url, token: TOKEN, port: 0, log: log.log, timeoutMs: 1_000 });
});
afterEach(async () => {
  await gateway.close();
  await endpoint.close();
  await pair.stop();
});

const write = (key: string) => call(gateway.url, ["SET", key, "1"]);
const readiness = async (): Promise<number> => (await fetch(`${gateway.url}/ready`)).status;

/** The replica becomes the primary, and the old primary its replica. Nobody cuts a connection. */
async function failOver(): Promise<void> {
  await pair.promote();
  await pair.primary.command("REPLICAOF", "127.0.0.1", String(pair.replica.port));
}

describe("a primary that is demoted while its connections stay open", () => {
  it("is left: not ready meanwhile, the log says so, and writes go on once the name leads to the new one", async () => {
    expect((await write("before")).status).toBe(200);
    await failOver();
    expect((await write("meanwhile")).text).toContain("READONLY");
    await until(readiness, (status) => status === 503);
    expect((await write("meanwhile")).status).toBe(503);
    expect(log.lines.map(({ fields }) => fields["reason"])).toContain("ROLE: replica");
    endpoint.leadTo(pair.replica.port);
    await until(
      () => write("after"),
      ({ status }) => status === 200,
    );
    await until(readiness, (status) => status === 200);
    expect(await pair.replica.command("GET", "after")).toContain("1");
  });
});

it("a replica that was chosen on purpose stays, whoever tries to write to it", async () => {
  const reader = await serveGateway({ redis: pair.replica.url, token: TOKEN, port: 0 });
  try {
    await pair.primary.command("SET", "a", "1");
    for (let n = 0; n < 3; n++) expect((await call(reader.url, ["SET", "a", "2"])).text).toContain("READONLY");
    await until(
      () => call(reader.url, ["GET", "a"]),
      ({ text }) => text === '{"result":"1"}',
    );
    expect((await fetch(`${reader.url}/ready`)).status).toBe(200);
  } finally {
    await reader.close();
  }
});

it("an error that a script makes up ends nothing", async () => {
  const id = (await call(gateway.url, ["CLIENT", "ID"])).text;
  const script = "return redis.error_reply('READONLY You cannot write against a read only replica.')";
  for (let n = 0; n < 5; n++) expect((await call(gateway.url, ["EVAL", script, 0])).status).toBe(400);
  expect((await call(gateway.url, ["CLIENT", "ID"])).text).toBe(id);
});
