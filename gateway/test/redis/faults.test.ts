import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { type Relay, startRelay } from "../support/relay.ts";

const TIMEOUT_MS = 400;
const NOT_SENT = { status: 503, body: { error: "Redis is not reachable: nothing was sent" } };
const NO_ANSWER = { status: 504, body: { error: "No answer from Redis: what was sent may have run" } };

let redis: RedisServer;
let relay: Relay;
let gateway: GatewayServer;

const run = (...command: unknown[]): Promise<Answer> => call(gateway.url, command);
const post = (path: string, body: unknown): Promise<Answer> => call(gateway.url + path, body);
const isBack = (): Promise<Answer> =>
  until(
    () => run("PING"),
    ({ status }) => status === 200,
  );
const isGone = (): Promise<Answer> =>
  until(
    () => run("PING"),
    ({ status }) => status === 503,
  );
/** Asks Redis itself, past the gateway. */
const value = async (key: string): Promise<string> => (await redis.command("GET", key)).trim();
const ABSENT = "$-1";
/** Redis holds writes back until it is told otherwise, or 60 s are over; other commands are answered. */
const holdWrites = (): Promise<string> => redis.command("CLIENT", "PAUSE", "60000", "WRITE");
const isHeld = () =>
  until(
    () => redis.command("INFO", "clients"),
    (text) => /blocked_clients:[1-9]/.test(text),
  );

beforeEach(async () => {
  redis = await startRedis();
  relay = await startRelay(redis.port);
  gateway = await serveGateway({ redis: relay.url, token: TOKEN, port: 0, timeoutMs: TIMEOUT_MS });
});

afterEach(async () => {
  await gateway.close();
  await relay.close();
  await redis.stop();
});

describe("Redis is not there: 503, and nothing is kept for later", () => {
  it("when the gateway starts; it finds Redis by itself once that starts (W19)", async () => {
    const port = await freePort();
    const early = await serveGateway({ redis: `redis://127.0.0.1:${port}`, token: TOKEN, port: 0 });
    const answer = await call(early.url, ["INCR", "n"]);
    expect(answer).toMatchObject(NOT_SENT);
    // A whole second would be longer than most interruptions (W19).
    expect(answer.headers.get("retry-after")).toBeNull();
    await pause(1_100);
    expect((await call(early.url, ["INCR", "n"])).headers.get("retry-after")).toBe("1");
    expect(
      await call(`${early.url}/pipeline`, [
        ["INCR", "n"],
        ["INCR", "n"],
      ]),
    ).toMatchObject(NOT_SENT);
    expect(await call(`${early.url}/multi-exec`, [["INCR", "n"]])).toMatchObject(NOT_SENT);
    expect(await call(`${early.url}/incr/n`)).toMatchObject(NOT_SENT);
    const late = await startRelay(redis.port, port);
    await until(
      () => call(early.url, ["PING"]),
      ({ status }) => status === 200,
    );
    expect(await value("n")).toBe(ABSENT);
    await early.close();
    await late.close();
  });

  it("after it was killed; commands of that time never show up", async () => {
    expect((await run("INCR", "before")).status).toBe(200);
    await redis.kill();
    await isGone();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => run("INCR", "lost")),
      post("/pipeline", [
        ["INCR", "lost"],
        ["SET", "lost-too", 1],
      ]),
      post("/multi-exec", [["INCR", "lost"]]),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(NOT_SENT);
    await redis.start();
    await isBack();
    expect([await value("lost"), await value("lost-too")]).toEqual([ABSENT, ABSENT]);
    expect((await run("INCR", "after")).body).toEqual({ result: 1 });
  });

  it("still answers 401, 405 and 400", async () => {
    const restarted = redis.restart(300);
    await isGone();
    expect((await call(gateway.url, ["PING"], { headers: { authorization: "Bearer x" } })).status).toBe(401);
    expect((await call(gateway.url, ["PING"], { method: "DELETE" })).status).toBe(405);
    expect((await call(gateway.url, "no json")).status).toBe(400);
    expect((await run("SUBSCRIBE", "c")).status).toBe(400);
    await restarted;
  });

  it("and it keeps trying several times a second, so that it is back soon after Redis is", async () => {
    const restarted = redis.restart(2_500);
    await pause(1_500);
    const before = relay.connections;
    await pause(1_000);
    expect(relay.connections - before).toBeGreaterThanOrEqual(3);
    await restarted;
    await isBack();
  });

  it("while a Redis that wants another password answers, too", async () => {
    await redis.command("CONFIG", "SET", "requirepass", "secret");
    relay.cut();
    await isGone();
    expect(await run("INCR", "n")).toMatchObject(NOT_SENT);
  });
});

describe("sent, and no answer: 504, and it is never retried", () => {
  it("when the answer is lost with the connection: it ran once", async () => {
    relay.loseAnswers();
    const asked = run("INCR", "once");
    await until(
      () => value("once"),
      (text) => text.endsWith("1"),
    );
    relay.cut();
    relay.pass();
    expect(await asked).toMatchObject(NO_ANSWER);
    await isBack();
    await pause(100);
    expect(await value("once")).toMatch(/1$/);
  });

  it("when the answer of a pipeline and of a transaction is lost: they ran once", async () => {
    relay.loseAnswers();
    const asked = [
      post("/pipeline", [
        ["INCR", "p"],
        ["INCR", "q"],
      ]),
      post("/multi-exec", [["INCR", "t"]]),
    ];
    await until(
      () => value("t"),
      (text) => text.endsWith("1"),
    );
    relay.cut();
    relay.pass();
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject(NO_ANSWER);
    await isBack();
    await pause(100);
    for (const key of ["p", "q", "t"]) expect(await value(key)).toMatch(/1$/);
  });

  it("when Redis closed the connection before it ran the command: it does not run later", async () => {
    await holdWrites();
    const asked = run("INCR", "held");
    await isHeld();
    await redis.command("CLIENT", "KILL", "TYPE", "normal");
    expect(await asked).toMatchObject(NO_ANSWER);
    await isBack();
    await redis.command("CLIENT", "UNPAUSE");
    await pause(100);
    expect(await value("held")).toBe(ABSENT);
  });

  it("when Redis dies with the command in flight: at once, and not after the time-out", async () => {
    const patient = await serveGateway({ redis: relay.url, token: TOKEN, port: 0, timeoutMs: 60_000 });
    await holdWrites();
    const ask = (path: string, body: unknown) => call(patient.url + path, body);
    const asked = Promise.all([
      ask("/", ["INCR", "a"]),
      ask("/pipeline", [["INCR", "a"]]),
      ask("/multi-exec", [["INCR", "a"]]),
    ]);
    await isHeld();
    await redis.restart();
    for (const answer of await asked) expect(answer).toMatchObject(NO_ANSWER);
    await until(
      () => ask("/ping", undefined),
      ({ status }) => status === 200,
    );
    await pause(100);
    expect(await value("a")).toBe(ABSENT);
    await patient.close();
  });

  it("when Redis freezes: 504 after the time-out, then 503, and only what was sent runs", async () => {
    process.kill(redis.pid, "SIGSTOP");
    try {
      const answer = await run("INCR", "sent");
      expect(answer).toMatchObject(NO_ANSWER);
      expect(answer.headers.get("retry-after")).toBeNull();
      await isGone();
      for (let i = 0; i < 20; i++) expect(await run("INCR", "not-sent")).toMatchObject(NOT_SENT);
    } finally {
      process.kill(redis.pid, "SIGCONT");
    }
    await isBack();
    await pause(100);
    expect(await value("not-sent")).toBe(ABSENT);
    expect(await value("sent")).toMatch(/1$/);
  });

  it("for one command by itself while others are answered in time; the connection stays", async () => {
    const busy = `local function now() local t = redis.call('TIME') return t[1] * 1e6 + t[2] end
      local till = now() + 700000 repeat until now() >= till return 1`;
    const patient = await serveGateway({ redis: relay.url, token: TOKEN, port: 0, timeoutMs: 1_000 });
    const ask = (...command: unknown[]) => call(patient.url, command);
    const connection = (await ask("CLIENT", "ID")).text;
    const first = ask("EVAL", busy, 0);
    await pause(100);
    // Waits for the first one, so it takes 1 300 ms, of which no 1 000 pass in silence.
    const second = ask("EVAL", busy, 0);
    expect((await first).status).toBe(200);
    expect(await second).toMatchObject(NO_ANSWER);
    expect((await ask("CLIENT", "ID")).text).toBe(connection);
    await patient.close();
  });

  it("and no request is answered with another one's reply afterwards", async () => {
    relay.loseAnswers();
    const lost = run("ECHO", "lost");
    expect(await lost).toMatchObject(NO_ANSWER);
    relay.pass();
    await isBack();
    for (let i = 0; i < 20; i++) expect((await run("ECHO", `${i}`)).body).toEqual({ result: `${i}` });
  });
});

it("counts honestly while the connection is cut under load, again and again", async () => {
  const counts = { ok: 0, unknown: 0, refused: 0 };
  let last = 0;
  let done = false;
  const worker = async (): Promise<void> => {
    while (!done) {
      const { status, body } = await run("INCR", "load");
      if (status === 200) last = Math.max(last, (body as { result: number }).result);
      if (status === 200) counts.ok++;
      else if (status === 504) counts.unknown++;
      else if (status === 503) counts.refused++;
      else throw new Error(`unexpected ${status}`);
      if (status === 503) await pause(5);
    }
  };
  const workers = Promise.all(Array.from({ length: 16 }, worker));
  for (let i = 0; i < 5; i++) {
    await pause(60);
    relay.cut();
  }
  await isBack();
  done = true;
  await workers;
  const total = Number((await value("load")).split("\r\n").at(-1));
  expect(total).toBeGreaterThanOrEqual(last);
  expect(total).toBeGreaterThanOrEqual(counts.ok);
  expect(total).toBeLessThanOrEqual(counts.ok + counts.unknown);
  expect(counts.unknown + counts.refused).toBeGreaterThan(0);
});
