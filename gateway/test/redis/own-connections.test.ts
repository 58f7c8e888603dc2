import { Agent, type ClientRequest, request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import type { Connection } from "../../src/redis/backend.ts";
import { createOwnConnections, type OwnConnections } from "../../src/redis/own-connections.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { NotSent } from "../../src/shared/error-answers.ts";
import { pause, stage, TOKEN, until } from "../support/harness.ts";

/** Requests of each of the 500 clients: `LEASEHOLD_CROWD=200` for a long run. */
const { LEASEHOLD_CROWD: ROUNDS_WANTED = "4" } = process.env;
const ROUNDS = Number(ROUNDS_WANTED);
const CLIENTS = 500;

const it_ = stage({ timeoutMs: 20_000, maxInFlight: 2_000 });

/** What shares no connection has a limit of its own. */
const TOO_MANY = /^503 \{"error":"more than 64 requests at once [^"]*: nothing was sent"\}$/;

/**
 * Of a client whose bytes have not come in time: nothing was run. A machine that is busy with other things loses some.
 */
const TOO_LATE = "408 ";

interface Question {
  readonly path: string;
  readonly body: string;
  readonly answer: string;
}

/** What is asked and what the one right answer is; `id` is nobody else's. */
function question(id: string): Question {
  switch (Math.floor(Math.random() * 6)) {
    case 0:
      return { path: "/", body: JSON.stringify(["ECHO", id]), answer: `{"result":"${id}"}` };
    case 1: {
      const big = `${id}:${"x".repeat(Math.random() * 20_000)}`;
      return { path: "/", body: JSON.stringify(["ECHO", big]), answer: `{"result":"${big}"}` };
    }
    case 2: {
      const body = JSON.stringify([["SET", id, id], ["STRLEN"], ["GET", id]]);
      const wrong = `{"error":"ERR wrong number of arguments for 'strlen' command"}`;
      return { path: "/pipeline", body, answer: `[{"result":"OK"},${wrong},{"result":"${id}"}]` };
    }
    case 3: {
      const body = JSON.stringify([
        ["INCR", `n${id}`],
        ["GETSET", id, id],
        ["GET", id],
      ]);
      return { path: "/multi-exec", body, answer: `[{"result":1},{"result":null},{"result":"${id}"}]` };
    }
    case 4: {
      // On a connection of its own.
      const body = JSON.stringify([
        ["WAIT", "0", "1"],
        ["ECHO", id],
      ]);
      return { path: "/pipeline", body, answer: `[{"result":0},{"result":"${id}"}]` };
    }
    default:
      return { path: `/echo/${id}`, body: "", answer: `{"result":"${id}"}` };
  }
}

/** Before all of the body is sent, soon after it, or when the answer has begun. */
function leave(asked: ClientRequest, body: string, left: () => void): void {
  const go = (): void => {
    left();
    asked.destroy();
  };
  switch (Math.floor(Math.random() * 3)) {
    case 0:
      asked.write(body.slice(0, body.length / 2));
      setTimeout(go, Math.random() * 5);
      break;
    case 1:
      asked.end(body);
      setTimeout(go, Math.random() * 20);
      break;
    default:
      asked.prependOnceListener("response", go);
      asked.end(body);
  }
}

/** The status and the body, or `undefined` when the client has gone first. */
function ask(agent: Agent, { path, body }: Question, stays: boolean): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(
      it_.gateway.url + path,
      { agent, headers, method: body === "" ? "GET" : "POST" },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.once("end", () => resolve(`${response.statusCode} ${text}`));
        response.once("error", () => resolve(undefined));
        response.once("close", () => resolve(undefined));
      },
    );
    asked.once("error", (error) => (stays ? reject(error) : resolve(undefined)));
    asked.once("close", () => !stays && resolve(undefined));
    if (stays) asked.end(body);
    else leave(asked, body, () => resolve(undefined));
  });
}

it(
  "500 clients at once, of whom many leave in the middle: every answer belongs to its question",
  async () => {
    const before = (await it_.run("CLIENT", "ID")).text;
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const wrong: string[] = [];
    const counts = { answered: 0, left: 0, late: 0 };
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let round = 0; round < ROUNDS; round++) {
          const asked = question(`${client}.${round}`);
          const stays = Math.random() < 0.7;
          const answer = await ask(agent, asked, stays);
          if (answer === undefined) counts.left++;
          else if (answer === `200 ${asked.answer}`) counts.answered++;
          else if (answer === TOO_LATE) counts.late++;
          else if (!TOO_MANY.test(answer)) wrong.push(`${asked.body.slice(0, 100)}: ${answer.slice(0, 200)}`);
        }
      }),
    );
    agent.destroy();
    expect(wrong).toEqual([]);
    expect(counts.answered).toBeGreaterThan(CLIENTS * ROUNDS * 0.5);
    expect(counts.left).toBeGreaterThan(CLIENTS * ROUNDS * 0.1);
    expect(counts.late).toBeLessThan(CLIENTS * ROUNDS * 0.01);
    // Nobody's leaving has cost the others their connection, and those with WAIT are given back.
    expect((await it_.run("CLIENT", "ID")).text).toBe(before);
    await pause(1_000);
    await until(
      () => it_.redis.command("INFO", "clients"),
      (info) => /connected_clients:[12]\r/.test(info),
    );
  },
  30_000 + ROUNDS * 1_000,
);

/** Connections of their own for some requests, and all that were opened for them. */
async function ownConnections(): Promise<{ readonly own: OwnConnections; readonly opened: readonly Connection[] }> {
  const backend = createRedisBackend({ host: "127.0.0.1", port: it_.redis.port, db: 0 }, 1_000);
  onTestFinished(() => backend.close());
  await backend.opened;
  const opened: Connection[] = [];
  const own = createOwnConnections(() => {
    const connection = backend.dial();
    opened.push(connection);
    return connection;
  });
  onTestFinished(() => own.close());
  return { own, opened };
}

it("closed connections open no other", async () => {
  const { own, opened } = await ownConnections();
  expect(await own.send([["ECHO", "before"]], 1_000)).toEqual([Buffer.from("before")]);
  own.close();
  await expect(own.send([["ECHO", "after"]], 1_000)).rejects.toThrow(NotSent);
  expect(opened.length).toBe(1);
});

it("at most 8 connections stay open for later requests", async () => {
  const { own, opened } = await ownConnections();
  await Promise.all(Array.from({ length: 20 }, () => own.send([["ECHO", "at once"]], 20_000)));
  expect(opened.length).toBe(20);
  expect(opened.filter(({ isReady }) => isReady).length).toBeLessThanOrEqual(8);
});
