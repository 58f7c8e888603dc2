/** Requests on one connection whose heads are the same, byte for byte, as clients send them. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { keepingLog } from "../support/log.ts";

const { log, lines } = keepingLog();
let redis: RedisServer;
let server: GatewayServer;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  redis = await startRedis();
  server = await serveGateway({ redis: redis.url, token: ["first", "second"], port: 0, log });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
  await redis.stop();
});

async function ask(command: readonly string[], headers: Readonly<Record<string, string>>) {
  const asked = request(server.url, { method: "POST", agent, headers });
  asked.end(JSON.stringify(command));
  const [response] = await once(asked, "response");
  const { statusCode: status, socket } = response;
  return { status, id: String(response.headers["x-request-id"]), port: socket.localPort, body: await text(response) };
}

it("each have their own answer, id and line in the log", async () => {
  const first = { authorization: "Bearer first" };
  for (const [key, value] of ["a1", "b2", "c3"]) await ask(["SET", `${key}`, `${value}`], first);
  lines.length = 0;
  const answers = [];
  for (const key of ["a", "b", "c", "a"]) answers.push(await ask(["GET", key], first));
  expect(answers.map(({ body }) => body)).toEqual(["1", "2", "3", "1"].map((value) => `{"result":"${value}"}`));
  expect(new Set(answers.map(({ port }) => port)).size).toBe(1);
  const ids = answers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(lines.map(({ fields }) => fields["id"])).toEqual(ids);
});

it("keep the caller's own id and trace", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  lines.length = 0;
  for (let times = 0; times < 3; times++) {
    const headers = { authorization: "Bearer first", "x-request-id": "mine", traceparent };
    expect(await ask(["PING"], headers)).toMatchObject({ status: 200, id: "mine" });
  }
  expect(lines.map(({ fields }) => fields)).toEqual(
    Array(3).fill(expect.objectContaining({ id: "mine", traceparent })),
  );
});

it("are refused as soon as their token is", async () => {
  const [first, second] = [{ authorization: "Bearer first" }, { authorization: "Bearer second" }];
  const ports = new Set<number>();
  const status = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const answer = await ask(["PING"], headers);
    ports.add(answer.port);
    return answer.status;
  };
  for (let times = 0; times < 3; times++) expect([await status(first), await status(second)]).toEqual([200, 200]);
  server.reload({ redis: redis.url, token: "second" });
  expect([await status(first), await status(second)]).toEqual([401, 200]);
  server.reload({ redis: redis.url, token: "second", readOnlyToken: "first" });
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  expect((await ask(["SET", "a", "1"], first)).body).toContain("NOPERM");
  expect(ports.size).toBe(1);
});
