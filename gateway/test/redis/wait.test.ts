import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Pair, startPair } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";

const TIMEOUT_MS = 500;
const LIMIT = 64;
const MAX_IDLE = 8;
const NO_ANSWER = { status: 504, body: { error: "No answer from Redis: what was sent may have run" } };

let pair: Pair;
let gateway: GatewayServer;

const run = (...command: unknown[]): Promise<Answer> => call(gateway.url, command);
const post = (path: string, body: unknown): Promise<Answer> => call(gateway.url + path, body);
const setAndWait = (key: string, replicas: number, ms: number): Promise<Answer> =>
  post("/pipeline", [
    ["SET", key, "1"],
    ["WAIT", replicas, ms],
  ]);
/** Asks the primary itself, past the gateway. */
const value = async (key: string): Promise<string> => (await pair.primary.command("GET", key)).trim();
/** Connections of clients that the primary has now, this question's own included. */
const connections = async (): Promise<number> =>
  (await pair.primary.command("CLIENT", "LIST", "TYPE", "normal")).match(/^id=/gm)?.length ?? 0;
const opened = async (): Promise<number> =>
  Number(/total_connections_received:(\d+)/.exec(await pair.primary.command("INFO", "stats"))?.[1]);
const areWaiting = (count: number) =>
  until(
    () => pair.primary.command("INFO", "clients"),
    (text) => text.includes(`blocked_clients:${count}\r`),
  );

beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

beforeEach(async () => {
  gateway = await serveGateway({ redis: pair.primary.url, token: TOKEN, port: 0, timeoutMs: TIMEOUT_MS });
});
afterEach(async () => {
  await gateway.close();
  // Redis sees a frozen replica of this test gone before the next test.
  await until(connections, (count) => count === 1);
});

describe("WAIT counts the replicas that have the writes before it", () => {
  it("in a pipeline, by itself and in the path form", async () => {
    expect(await setAndWait("counted", 1, 400)).toMatchObject({ status: 200, body: [{ result: "OK" }, { result: 1 }] });
    expect((await run("wait", 1, 400)).text).toBe('{"result":1}');
    expect((await call(`${gateway.url}/wait/1/400`)).text).toBe('{"result":1}');
    expect((await run("WAIT", "x", 0)).body).toEqual({ error: "ERR value is not an integer or out of range" });
  });

  it("0 when the replica is frozen, within WAIT's own time-out", async () => {
    pair.replica.freeze();
    try {
      const start = performance.now();
      expect((await setAndWait("unseen", 1, 100)).body).toEqual([{ result: "OK" }, { result: 0 }]);
      expect(performance.now() - start).toBeGreaterThanOrEqual(95);
      // For as long as a request may take: that is an answer still.
      expect((await setAndWait("unseen", 1, TIMEOUT_MS)).body).toEqual([{ result: "OK" }, { result: 0 }]);
    } finally {
      pair.replica.thaw();
    }
  });

  it("with the answers of its pipeline in order, those of refused commands too", async () => {
    const { body } = await post("/pipeline", [
      ["SET", "order", "1"],
      ["MULTI"],
      ["WAIT", 1, 400],
      ["INCR", "order"],
      ["LPUSH", "order", "x"],
      ["WAIT", 1, 400],
      ["GET", "order"],
    ]);
    expect(body).toEqual([
      { result: "OK" },
      { error: expect.stringContaining("MULTI") },
      { result: 1 },
      { result: 2 },
      { error: expect.stringContaining("WRONGTYPE") },
      { result: 1 },
      { result: "2" },
    ]);
  });

  it("and not in a transaction, where it would not wait: refused, and nothing runs", async () => {
    const answer = await post("/multi-exec", [
      ["SET", "in-transaction", "1"],
      ["WAIT", 1, 100],
    ]);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "ERR WAIT is not supported in a transaction: use /pipeline" },
    });
    expect(await value("in-transaction")).toBe("$-1");
  });
});

describe("WAIT that waits", () => {
  beforeEach(() => pair.replica.freeze());
  afterEach(() => pair.replica.thaw());

  it("delays no other caller", async () => {
    const asked = setAndWait("slow", 1, 400);
    let waits = true;
    asked.then(() => {
      waits = false;
    });
    await areWaiting(1);
    expect((await run("GET", "slow")).body).toEqual({ result: "1" });
    expect((await post("/multi-exec", [["INCR", "slow"]])).status).toBe(200);
    expect((await setAndWait("other", 0, 400)).body).toEqual([{ result: "OK" }, { result: 0 }]);
    expect(waits).toBe(true);
    expect((await asked).body).toEqual([{ result: "OK" }, { result: 0 }]);
  });

  it.each([0, 60_000])("for ever (time-out %i) ends with 504 when the request's time is over", async (ms) => {
    const before = await opened();
    const start = performance.now();
    expect(await setAndWait(`late-${ms}`, 1, ms)).toMatchObject(NO_ANSWER);
    expect(performance.now() - start).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    expect(performance.now() - start).toBeLessThan(20 * TIMEOUT_MS);
    expect(await value(`late-${ms}`)).toMatch(/1$/);
    // Its connection is not used again, since it still waits.
    expect((await setAndWait("after", 0, 10)).body).toEqual([{ result: "OK" }, { result: 0 }]);
    expect((await opened()) - before).toBeGreaterThanOrEqual(2);
    await areWaiting(0);
  });

  it("ends with 504 when its connection is lost, at once, and what was sent is not retried", async () => {
    await pair.primary.command("SET", "lost", "0");
    const asked = post("/pipeline", [
      ["INCR", "lost"],
      ["WAIT", 1, 0],
    ]);
    await areWaiting(1);
    const start = performance.now();
    await pair.primary.command("CLIENT", "KILL", "TYPE", "normal");
    expect(await asked).toMatchObject(NO_ANSWER);
    // Else it would be the request's time-out that ended it.
    expect(performance.now() - start).toBeLessThan(TIMEOUT_MS - 10);
    await until(
      () => run("PING"),
      ({ status }) => status === 200,
    );
    await pause(50);
    expect(await value("lost")).toMatch(/1$/);
  });

  it(`is for ${LIMIT} requests at once: more are 503 and do not run, and the others are none the worse`, async () => {
    const patient = await serveGateway({ redis: pair.primary.url, token: TOKEN, port: 0, timeoutMs: 20_000 });
    const before = await connections();
    const ask = (i: number) =>
      call(`${patient.url}/pipeline`, [
        ["SET", `many-${i}`, "1"],
        ["WAIT", 1, 20_000],
      ]);
    const waiting = Array.from({ length: LIMIT }, (_, i) => ask(i));
    await areWaiting(LIMIT);
    const more = await Promise.all(Array.from({ length: 16 }, (_, i) => ask(LIMIT + i)));
    expect((await connections()) - before).toBe(LIMIT);
    expect((await call(patient.url, ["PING"])).status).toBe(200);
    pair.replica.thaw();
    const answers = [...(await Promise.all(waiting)), ...more];
    const refused = answers.flatMap(({ status }, i) => (status === 503 ? [i] : []));
    expect(refused).toHaveLength(16);
    for (const i of refused) {
      expect(answers[i]?.body).toEqual({
        error: "more than 64 requests at once with WAIT or in resp2: nothing was sent",
      });
      expect(answers[i]?.headers.get("retry-after")).toBe("1");
      expect(await value(`many-${i}`)).toBe("$-1");
    }
    const rest = answers.filter(({ status }) => status === 200);
    expect(rest).toHaveLength(LIMIT);
    for (const { body } of rest) expect(body).toEqual([{ result: "OK" }, { result: 1 }]);
    // A few are kept for a moment, then none.
    expect(await connections()).toBeLessThanOrEqual(before + MAX_IDLE);
    await until(connections, (count) => count === before);
    expect((await call(patient.url, ["WAIT", 1, 10])).status).toBe(200);
    await patient.close();
  });
});

it("opens one connection for sequential requests, and closes it", async () => {
  const before = [await connections(), await opened()] as const;
  for (let i = 0; i < 20; i++) expect((await setAndWait("again", 1, 400)).status).toBe(200);
  expect((await connections()) - before[0]).toBe(1);
  // One, and one for each question to the primary itself.
  expect((await opened()) - before[1]).toBeLessThan(6);
  await until(connections, (count) => count === before[0]);
});

it("opens another when the one it kept is gone", async () => {
  expect((await setAndWait("kept", 1, 400)).status).toBe(200);
  await pair.primary.command("CLIENT", "KILL", "TYPE", "normal");
  await until(
    () => run("PING"),
    ({ status }) => status === 200,
  );
  expect((await setAndWait("kept", 1, 400)).body).toEqual([{ result: "OK" }, { result: 1 }]);
});

it("is 503 when no connection can be opened for it; what needs none runs", async () => {
  await pair.primary.command("CONFIG", "SET", "maxclients", "2");
  try {
    await pause(20);
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => setAndWait(`full-${i}`, 0, 10)));
    expect(answers.map(({ status }) => status)).toContain(503);
    expect((await run("PING")).status).toBe(200);
    for (const [i, { status }] of answers.entries())
      expect((await run("EXISTS", `full-${i}`)).body).toEqual({ result: status === 200 ? 1 : 0 });
  } finally {
    await run("CONFIG", "SET", "maxclients", "10000");
  }
});
