/**
 * Every command of `@upstash/redis` that Redis 7.0 has, through the client: one by one, in a pipeline and in a
 * transaction.
 */
import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { createScripts } from "../../src/rest/upstash-scripts.ts";
import { stage, TOKEN } from "../support/harness.ts";
import { EXEC, LATER, STEPS } from "../support/upstash-steps.ts";

const it_ = stage();

type Methods = Readonly<Record<string, (...args: unknown[]) => unknown>>;

const open = (plain = false): Redis =>
  new Redis({
    url: it_.gateway.url,
    token: TOKEN,
    enableTelemetry: false,
    retry: false,
    ...(plain ? { enableAutoPipelining: false, responseEncoding: false as const } : {}),
  });

/** A method by its name, `functions.load` too. */
function call(on: object, name: string, args: readonly unknown[]): unknown {
  const path = name.split(".");
  const method = path.pop() ?? "";
  const target = path.reduce((it, part) => (it as Record<string, object>)[part] as object, on) as Methods;
  if (name === "bitfield") return (on as Redis).bitfield("bits").get("u8", 0).set("u4", 0, 1).incrby("u2", 2, 3).exec();
  if (typeof target[method] !== "function") throw new TypeError(`no method ${name}`);
  return target[method](...args);
}

describe.each([
  ["as it is", false],
  ["without auto-pipelining and base64", true],
])("@upstash/redis %s", (_, plain) => {
  it("has every command work, one by one", async () => {
    const redis = open(plain);
    await redis.flushall();
    const failed: unknown[] = [];
    for (const [method, args, expected] of STEPS) {
      // The client's own auto-pipelining has no BITFIELD to go on with.
      const client = method === "bitfield" ? open(true) : redis;
      const result = await Promise.resolve(call(client, method, args)).catch(String);
      try {
        expect(result).toEqual(expected);
      } catch {
        failed.push({ method, args, expected, result });
      }
    }
    expect(failed).toEqual([]);
  });

  it.each(["pipeline", "multi"] as const)("has every command work in one %s", async (kind) => {
    const redis = open(plain);
    await redis.flushall();
    const batch = redis[kind]();
    const steps = STEPS.filter(([method]) => method !== EXEC);
    for (const [method, args] of steps) call(batch, method, args);
    const results: unknown[] = await batch.exec();
    expect(results).toEqual(steps.map(([, , expected]) => expected));
  });
});

it.each(LATER)("%s is answered by the server: that it has it, or that it does not", async (method, args) => {
  // Without auto-pipelining, where the client makes something else of an error.
  const answer = Promise.resolve(call(open(true), method, args));
  const error = await answer.then(() => undefined, String);
  if (error !== undefined) expect(error).toMatch(/ERR unknown (sub)?command/i);
});

it("leaves no command of the client untried", () => {
  const redis = open();
  const tried = new Set([...STEPS, ...LATER].map(([method]) => method));
  // Of no Redis that there is; and what is no command of its own.
  const isApart = (name: string): boolean =>
    /^ar[a-z]+$/.test(name) ||
    [
      "addTelemetry",
      "autoPipeline",
      "constructor",
      "createScript",
      "multi",
      "pipeline",
      "psubscribe",
      "subscribe",
      "use",
    ].includes(name);
  const names = new Set<string>();
  for (let it: object = redis; it !== Object.prototype; it = Object.getPrototypeOf(it) as object) {
    for (const name of Object.getOwnPropertyNames(it)) names.add(name);
  }
  const methods = [...names].filter(
    (name) => typeof (redis as unknown as Record<string, unknown>)[name] === "function",
  );
  expect(methods.length).toBeGreaterThan(150);
  expect(methods.filter((name) => !tried.has(name) && !isApart(name))).toEqual([]);
});

it.each(["return 1", "#!lua\nreturn 1", "#!lua flags=no-writes\nreturn 1"])(
  "a script without Upstash's flag is sent unchanged: %j",
  (text) => {
    const { adapt } = createScripts();
    for (const command of [
      ["EVAL", text, "0"],
      ["SCRIPT", "LOAD", text],
    ] as const)
      expect(adapt(command)).toEqual(command);
  },
);
