import { describe, expect, it } from "vitest";
import { cronRoute, lastRun } from "../../src/cron/index.ts";
import { describe as inWords } from "../../src/cron/last-run.ts";
import { createLocks } from "../../src/index.ts";

const locks = createLocks({ url: "http://127.0.0.1:9", token: "t" });

describe("what a run says of the error that ended it", () => {
  it.each<[error: unknown, text: string]>([
    [new RangeError("too far"), "RangeError: too far"],
    ["out of paper", "out of paper"],
    [5, "number"],
    [undefined, "undefined"],
    [{ message: "secret" }, "object"],
    ["x".repeat(400), "x".repeat(300)],
  ])("%s", (error, text) => {
    expect(inWords(error)).toBe(text);
  });

  it("whatever was thrown", () => {
    const hostile = new Error("");
    Object.defineProperty(hostile, "message", { get: () => expect.fail("a getter that throws") });
    expect(inWords(hostile)).toBe("object");
  });
});

describe("wrong options of a cron job", () => {
  it.each<[maxDuration: unknown, message: string]>([
    ["25h", 'maxDuration "25h" is too long: 1 s to 24 h'],
    [3601, "maxDuration 3601 must be 1 to 3"],
  ])("maxDuration %j", (maxDuration, message) => {
    const options = { locks, name: "a", slot: () => "today", secret: "secret", maxDuration };
    expect(() => cronRoute(options as never, () => {})).toThrow(RangeError);
    expect(() => cronRoute(options as never, () => {})).toThrow(message);
  });

  it("lastRun without its locks", async () => {
    await expect(async () => lastRun("a" as never, "b" as never)).rejects.toThrow(
      "lastRun: the locks come before the name",
    );
  });
});
