import { describe, expect, it } from "vitest";
import { assertFresh, guardedUpdate, guardedUpsert, StaleTokenError } from "../../src/fence/index.ts";

const row = { table: "invoices", key: { id: 42 }, set: { paid: 1, note: null }, token: 7 };

describe("guardedUpdate and guardedUpsert", () => {
  it("write statements with quoted names and parameters in order", () => {
    expect(guardedUpdate(row)).toEqual({
      sql: 'UPDATE "invoices" SET "paid" = ?, "note" = ?, "token" = ? WHERE "id" = ? AND COALESCE("token", 0) <= ?',
      params: [1, null, 7, 42, 7],
    });
    expect(
      guardedUpsert({ ...row, dialect: "postgres", table: "a.b", column: "seen", key: { 'x"y': 1, z: 2 } }),
    ).toEqual({
      sql: 'INSERT INTO "a"."b" AS held ("seen", "x""y", "z", "paid", "note") VALUES ($1, $2, $3, $4, $5) ON CONFLICT ("x""y", "z") DO UPDATE SET "paid" = excluded."paid", "note" = excluded."note", "seen" = excluded."seen" WHERE COALESCE(held."seen", 0) <= excluded."seen"',
      params: [7, 1, 2, 1, null],
    });
  });

  it.each([
    ["no key", { key: {} }, TypeError],
    ["a key that is null", { key: { id: null } }, TypeError],
    ["a key that is undefined", { key: { id: undefined } }, TypeError],
    ["a value that is undefined", { set: { paid: undefined } }, TypeError],
    ["the token's own column", { set: { token: 1 } }, TypeError],
    ["the token's own column by another name", { set: { seen: 1 }, column: "seen" }, TypeError],
    ["a table that is none", { table: "" }, TypeError],
    ["no table", { table: undefined }, TypeError],
    ["another dialect", { dialect: "mysql" }, TypeError],
    ["a token of text", { token: "7" }, TypeError],
    ["a token of 0", { token: 0 }, RangeError],
  ])("refuse %s", (_, change, error) => {
    for (const make of [guardedUpdate, guardedUpsert])
      expect(() => make({ ...row, ...change } as never)).toThrow(error);
  });
});

it("assertFresh refuses no rows, however they are counted", () => {
  const lease = { name: "n", token: 7 };
  expect(() => assertFresh(0, lease)).toThrow(StaleTokenError);
  expect(() => assertFresh(0n, lease)).toThrow(StaleTokenError);
  expect(() => assertFresh(1n, lease)).not.toThrow();
  expect(() => assertFresh(1, lease)).not.toThrow();
  for (const rows of [undefined, null, { changes: 0 }, "0", true, Number.NaN, 0.5])
    expect(() => assertFresh(rows as never, lease), `${rows}`).toThrow(TypeError);
});
