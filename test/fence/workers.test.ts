import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName } from "../support/names.ts";
import { attacks } from "./attacks.ts";
import type { Resource } from "./deed.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";

let workerd: Workerd;
beforeAll(async () => {
  workerd = await startWorkerd();
  await workerd.ask("d1", "", "setup");
});
afterAll(() => workerd?.stop());

attacks("d1Fence, in workerd", async () => workerd.resource("d1", freshName()));

describe("d1Fence", () => {
  it("is undone with the write that fails, and passes its error on", async () => {
    const [at, name] = [freshName(), freshName()];
    const failed = workerd.ask("d1", at, "fail", { lease: { name, token: 5 } });
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/NOT NULL constraint failed: log\.value/),
    });
    await workerd.ask("d1", at, "claim", { lease: { name, token: 4 } });
    await workerd.ask("d1", at, "session", { lease: { name, token: 4 }, value: "a" });
    expect(await workerd.ask("d1", at, "values")).toEqual(["a"]);
  });

  it("takes a batch of statements, all or none, and counts the rows of each", async () => {
    const [at, name] = [freshName(), freshName()];
    const batch = (token: number, value: string, what = "batch") =>
      workerd.ask("d1", at, what, { lease: { name, token }, value });
    expect(await batch(5, "a")).toEqual([2, 0, 1]);
    await expect(batch(4, "stale")).rejects.toMatchObject({ code: "stale_token", seen: 5, lockName: name });
    await expect(batch(9, "broken", "failing batch")).rejects.toMatchObject({
      message: expect.stringMatching(/NOT NULL constraint failed: log\.value/),
    });
    // Nothing of it is left, the token included.
    expect(await batch(6, "b")).toEqual([2, 0, 1]);
    expect(await workerd.ask("d1", at, "values")).toEqual(["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"]);
  });

  it("keeps the token in the row itself, where it is wanted", async () => {
    const at = freshName();
    const write = (what: "update" | "upsert", token: number) =>
      workerd.ask("d1", at, what, { lease: { name: "n", token }, value: `${token}` });
    expect(await write("update", 1)).toBe(0);
    await write("upsert", 5);
    await expect(write("upsert", 4)).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    await expect(write("update", 4)).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    expect(await write("update", 6)).toBe(1);
    expect(await workerd.ask("d1", at, "row")).toEqual({ id: at, value: "6", token: 6 });
  });
});

attacks("guard, a Durable Object with SQLite", async () => workerd.resource("SQLITE", freshName()));
attacks("guard, a Durable Object without storage.sql", async () => workerd.resource("KV", freshName()));

describe.each(["SQLITE", "KV"] as const)("guard, %s", (on) => {
  it("forgets nothing when the object is evicted", async () => {
    const [at, name] = [freshName(), freshName()];
    await workerd.ask(on, at, "claim", { lease: { name, token: 2 } });
    await expect(workerd.ask(on, at, "evict")).rejects.toThrow();
    const stale = workerd.ask(on, at, "write", { lease: { name, token: 1 }, value: "stale" });
    await expect(stale).rejects.toMatchObject({ code: "stale_token", seen: 2 });
  });

  it("undoes work that throws, and the token with it", async () => {
    const [at, name] = [freshName(), freshName()];
    const failed = workerd.ask(on, at, "fail", { lease: { name, token: 2 }, value: "half" });
    await expect(failed).rejects.toMatchObject({ name: "RangeError", message: "failed" });
    await workerd.ask(on, at, "write", { lease: { name, token: 1 }, value: "whole" });
    expect(await workerd.ask(on, at, "values")).toEqual(["whole"]);
  });

  it("undoes the token with a rollback, but not that of a claim before", async () => {
    const [at, name] = [freshName(), freshName()];
    await workerd.ask(on, at, "rollback", { lease: { name, token: 2 }, value: "undone" });
    await workerd.ask(on, at, "write", { lease: { name, token: 1 }, value: "whole" });
    expect(await workerd.ask(on, at, "values")).toEqual(["whole"]);
    await workerd.ask(on, at, "claim", { lease: { name, token: 4 } });
    await workerd.ask(on, at, "rollback", { lease: { name, token: 4 }, value: "undone" });
    await expect(workerd.ask(on, at, "claim", { lease: { name, token: 3 } })).rejects.toMatchObject({ seen: 4 });
  });
});

it("guard undoes SQL of work that throws", async () => {
  const [at, name] = [freshName(), freshName()];
  await workerd.ask("SQLITE", at, "sql", { lease: { name, token: 2 }, value: "a" });
  await expect(workerd.ask("SQLITE", at, "sqlFail", { lease: { name, token: 3 }, value: "b" })).rejects.toThrow();
  await expect(workerd.ask("SQLITE", at, "sql", { lease: { name, token: 1 }, value: "c" })).rejects.toMatchObject({
    seen: 2,
  });
  expect(await workerd.ask("SQLITE", at, "rows")).toEqual([{ v: "a" }]);
});

attacks(
  "r2Fence, in workerd",
  async (): Promise<Resource> => {
    const at = freshName("folder/ü ");
    const values = async (): Promise<string[]> => {
      const found = (await workerd.ask("r2", at, "get")) as { body: string | null } | null;
      return found?.body ? [found.body] : [];
    };
    return { ...workerd.resource("r2", at), values };
  },
  { single: true },
);

describe("r2Fence", () => {
  it("has its token in the content, since an ETag does not change with the metadata", async () => {
    const [one, two] = (await workerd.ask("r2", freshName(), "etags", { value: "same" })) as string[];
    expect(one).toBe(two);
  });

  it("reads only the fence's part of the object for a put", async () => {
    const at = freshName();
    const lease = { name: "n", token: 1 };
    await workerd.ask("r2", at, "write", { lease, value: "x".repeat(5000) });
    const [ofPut, ofGet] = (await workerd.ask("r2", at, "reads", { lease, value: "short" })) as (number | null)[];
    expect(ofPut).toBeLessThan(100);
    expect(ofGet).toBeNull();
  });

  it.each([
    ["the first", null],
    ["a later", "same"],
  ])("refuses %s write that is overtaken between its read and its put", async (_, before) => {
    const [at, lease] = [freshName(), { name: "n", token: 1 }];
    if (before !== null) await workerd.ask("r2", at, "write", { lease, value: before });
    const stale = workerd.ask("r2", at, "overtaken", { lease, value: "stale" });
    await expect(stale).rejects.toMatchObject({ code: "stale_token", seen: 2 });
    expect(await workerd.ask("r2", at, "get")).toEqual({ token: 2, body: before });
  });

  it("does not say stale, which is not written, of a write that may have been there before a newer claim", async () => {
    const at = freshName();
    const lost = workerd.ask("r2", at, "lost", { lease: { name: "n", token: 1 }, value: "mine" });
    await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await workerd.ask("r2", at, "get")).toEqual({ token: 2, body: "mine" });
  });

  it("takes over an object that was there before, empty ones too, and tells what was never written", async () => {
    for (const value of ["", "short", "x".repeat(1000)]) {
      const at = freshName();
      await workerd.ask("r2", at, "raw", { value });
      expect(await workerd.ask("r2", at, "get")).toEqual({ token: 0, body: value });
      await workerd.ask("r2", at, "claim", { lease: { name: "n", token: 2 } });
      expect(await workerd.ask("r2", at, "get")).toEqual({ token: 2, body: value });
      const stale = workerd.ask("r2", at, "write", { lease: { name: "n", token: 1 }, value: "stale" });
      await expect(stale).rejects.toMatchObject({ code: "stale_token", seen: 2 });
      const other = freshName();
      await workerd.ask("r2", other, "raw", { value });
      await workerd.ask("r2", other, "write", { lease: { name: "n", token: 1 }, value: "new" });
      expect(await workerd.ask("r2", other, "get")).toEqual({ token: 1, body: "new" });
    }
    const at = freshName();
    expect(await workerd.ask("r2", at, "get")).toBeNull();
    await workerd.ask("r2", at, "claim", { lease: { name: "n", token: 2 } });
    expect(await workerd.ask("r2", at, "get")).toEqual({ token: 2, body: null });
    await workerd.ask("r2", at, "claim", { lease: { name: "n", token: 3 } });
    expect(await workerd.ask("r2", at, "get")).toEqual({ token: 3, body: null });
    await workerd.ask("r2", at, "write", { lease: { name: "n", token: 3 }, value: "" });
    expect(await workerd.ask("r2", at, "get")).toEqual({ token: 3, body: "" });
  });
});
