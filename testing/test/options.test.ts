import { describe, expect, it } from "vitest";
import { createMemoryRedis, createTestRedis } from "../src/index.ts";

/** Options that JavaScript, or an object of another type, lets through. */
const given = (options: object): never => options as never;

describe("an option that does not exist", () => {
  it.each([
    ["createTestRedis", "prefx", "time start seed prefix", () => createTestRedis(given({ prefx: "app:" }))],
    ["createTestRedis", "Time", "time start seed prefix", () => createTestRedis(given({ Time: "real" }))],
    [
      "createTestRedis",
      "starts",
      "time start seed prefix",
      () => createTestRedis(given({ seed: 1, starts: undefined })),
    ],
    ["createMemoryRedis", "tokens", "token dialect now random", () => createMemoryRedis(given({ tokens: "t" }))],
    ["fault", "time", "kind on name times by", () => createTestRedis().fault(given({ kind: "away", time: 2 }))],
    ["fault", "names", "kind on name times by", () => createTestRedis().fault(given({ kind: "away", names: "a" }))],
  ])("is refused by %s: %s, which are %s (E24)", (call, key, known, act) => {
    expect(act).toThrow(
      new TypeError(`${call}: no option "${key}": the options are "${known.replaceAll(" ", '", "')}"`),
    );
  });

  it.each([["leases"], ["lable"], ["kinds"]])(
    "is refused by hold, which then holds nothing: %s, (E24)",
    async (key) => {
      const redis = createTestRedis();
      await expect(redis.hold("invoice:42", given({ [key]: "1m" }))).rejects.toThrow(
        new TypeError(`hold: no option "${key}": the options are "kind", "lease", "label"`),
      );
      expect(redis.held()).toEqual([]);
    },
  );

  it("is refused with a value of another type, by its name (B30)", async () => {
    const wrong = [true, 1n, [], {}, new Date(0), Promise.resolve("a"), () => 1, Number.NaN, "no such word"];
    const isText = (value: unknown): boolean => typeof value === "string";
    const isFunction = (value: unknown): boolean => typeof value === "function";
    const none = (): boolean => false;
    const memory = (options: object) => async () => createMemoryRedis(given(options));
    const test = (options: object) => async () => createTestRedis(given(options));
    const fault = (options: object) => async () => createTestRedis().fault(given({ kind: "late", ...options }));
    const hold = (options: object) => () => createTestRedis().hold("a", given(options));
    for (const [make, option, accepts] of [
      [test, "time", none],
      [test, "start", none],
      [test, "seed", none],
      [test, "prefix", isText],
      [memory, "token", isText],
      [memory, "dialect", none],
      [memory, "now", isFunction],
      [memory, "random", isFunction],
      [fault, "kind", none],
      [fault, "on", none],
      [fault, "name", isText],
      [fault, "times", none],
      [fault, "by", none],
      [hold, "kind", none],
      [hold, "lease", none],
      [hold, "label", isText],
    ] as const)
      for (const value of wrong.filter((each) => !accepts(each)))
        await expect(make({ [option]: value }), `${option}: ${typeof value}`).rejects.toThrow(option);
  });

  it("is distinguished from options that are no object, and valid ones are accepted (E24)", async () => {
    for (const options of ["real", 1, null]) expect(() => createTestRedis(given(options as never))).toThrow(TypeError);
    const redis = createTestRedis({ time: "manual", start: 0, seed: 7, prefix: "app:" });
    await expect(redis.hold("a", given("1m" as never))).rejects.toThrow("hold: options must be an object");
    await redis.hold("a", { kind: "lock", lease: "1m", label: "theirs" });
    redis.fault({ kind: "late", on: "acquire", name: "a", times: 1, by: "1s" })();
    createMemoryRedis({ token: "t", dialect: "upstash", now: Date.now, random: Math.random });
    expect(redis.held()).toHaveLength(1);
  });
});
