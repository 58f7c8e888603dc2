import { describe, expect, it } from "vitest";
import { connect } from "../../src/index.ts";
import { sharedRoutes } from "../../src/redis/batch.ts";
import { MAX_REQUESTS } from "../../src/redis/retry-policy.ts";
import { pause } from "../support/names.ts";

const { signal } = new AbortController();

/** Two routes of one operation to an endpoint that answers everything, and the bodies that came there. */
function twoRoutes() {
  const bodies: unknown[] = [];
  const connection = connect({
    url: "https://redis.example",
    token: "t",
    async fetch(_, { body }) {
      const commands = JSON.parse(body) as unknown[];
      bodies.push(commands);
      return Response.json(Array.isArray(commands[0]) ? commands.map(() => ({ result: "OK" })) : { result: "OK" });
    },
  });
  const routes = sharedRoutes();
  return { bodies, one: routes(connection, 60_000), other: routes(connection, 60_000) };
}

describe("the routes of an operation that asks for several names", () => {
  it("send what is asked at once in one pipeline, and a script's text once", async () => {
    const { bodies, one, other } = twoRoutes();
    await Promise.all([one.port(["EVALSHA", "sha", 1, "a"], signal), other.port(["EVALSHA", "sha", 1, "b"], signal)]);
    await Promise.all([one.port(["EVAL", "text", 1, "a"], signal), other.port(["EVAL", "text", 1, "b"], signal)]);
    expect(bodies).toEqual([
      [
        ["EVALSHA", "sha", 1, "a"],
        ["EVALSHA", "sha", 1, "b"],
      ],
      [
        ["EVAL", "text", 1, "a"],
        ["EVALSHA", "sha", 1, "b"],
      ],
    ]);
  });

  it("a repeated command that no other joins is sent alone", async () => {
    const { bodies, one, other } = twoRoutes();
    await Promise.all([one.port(["GET", "a"], signal), other.port(["GET", "b"], signal)]);
    void one.port(["GET", "c"], signal);
    await pause(50);
    expect(bodies.slice(1)).toEqual([[["GET", "c"]]]);
  });

  it("the first that wakes wakes the others, and their next attempts travel together", async () => {
    const { bodies, one, other } = twoRoutes();
    await Promise.all([one.port(["GET", "a"], signal), other.port(["GET", "b"], signal)]);
    const start = performance.now();
    await Promise.all(
      [one, other].map(async (route, at) => {
        await route.pause(at === 0 ? 30 : 30_000, signal);
        await route.port(["GET", at], signal);
      }),
    );
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(bodies.slice(1)).toEqual([
      [
        ["GET", 0],
        ["GET", 1],
      ],
    ]);
  });

  it("count only what they send: routes that wake and send nothing leave the others all of their requests", async () => {
    const { bodies, one, other } = twoRoutes();
    await Promise.all([one.port(["GET", "a"], signal), other.port(["GET", "b"], signal)]);
    for (let times = 0; times < MAX_REQUESTS; times++) {
      await one.pause(1, signal);
      one.leave();
    }
    expect(await one.port(["GET", "c"], signal)).toMatchObject({ type: "answered" });
    expect(bodies.slice(1)).toEqual([[["GET", "c"]]]);
  });

  it("one pipeline is given up once all who sent it have given up", async () => {
    const sent: AbortSignal[] = [];
    const connection = connect({
      url: "https://redis.example",
      token: "t",
      fetch: (_, init) => {
        sent.push(init.signal);
        return new Promise((_resolve, reject) => {
          init.signal.addEventListener("abort", () => reject(init.signal.reason));
        });
      },
    });
    const routes = sharedRoutes();
    const callers = [new AbortController(), new AbortController()];
    const joined = callers.map((caller) => [routes(connection, 60_000), caller.signal] as const);
    const answers = joined.map(([route, own], at) => route.port(["GET", at], own));
    await pause(20);
    expect(sent).toHaveLength(1);
    callers[0]?.abort();
    expect(sent[0]?.aborted).toBe(false);
    callers[1]?.abort();
    expect(sent[0]?.aborted).toBe(true);
    expect(await Promise.all(answers)).toMatchObject([{ type: "unknown" }, { type: "unknown" }]);
  });

  it("one that is aborted wakes nobody", async () => {
    const { one, other } = twoRoutes();
    const [leaving, staying] = [new AbortController(), new AbortController()];
    let isAwake = false;
    const asleep = other.pause(30_000, staying.signal).then(
      () => {
        isAwake = true;
      },
      () => {},
    );
    const left = one.pause(30_000, leaving.signal);
    leaving.abort(new Error("given up"));
    await expect(left).rejects.toThrow("given up");
    await pause(20);
    expect(isAwake).toBe(false);
    staying.abort();
    await asleep;
    expect(isAwake).toBe(false);
  });
});
