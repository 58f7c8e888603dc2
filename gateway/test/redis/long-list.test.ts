import fc from "fast-check";
import { expect, it } from "vitest";
import { LongList } from "../../src/redis/long-list.ts";
import { stage } from "../support/harness.ts";

const it_ = stage();

const item = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  // Around the longest one that is packed, and so that blocks are full at different places.
  fc.integer({ min: 1_000, max: 1_100 }).map((length) => Buffer.alloc(length, "x")),
  fc.constantFrom<string | null>("1", null),
);

it("a long list has the items of an array, in their order, at every reading", () => {
  const property = fc.property(
    fc.array(item, { minLength: 0, maxLength: 400 }),
    fc.integer({ min: 1, max: 5 }),
    (items, times) => {
      const all = Array.from({ length: times }, () => items).flat();
      const list = new LongList<string | null>();
      for (const one of all) list.push(one);
      expect(list.length).toBe(all.length);
      for (let round = 0; round < 2; round++) expect([...list]).toEqual(all);
    },
  );
  fc.assert(property, { numRuns: 100 });
});

it("a transaction of more commands than a short array has items gives each its answer", async () => {
  const commands = Array.from({ length: 1_500 }, (_, at) => ["ECHO", `text ${at}`]);
  const { status, body } = await it_.post("/multi-exec", commands);
  expect(status).toBe(200);
  expect(body).toEqual(commands.map(([, text]) => ({ result: text })));
});

it("a script's long array may have anything between its strings", async () => {
  const script =
    "local t = {} for i = 1, 3000 do t[3*i-2] = 's' .. i t[3*i-1] = i t[3*i] = {'a', {ok = 'b'}} end return t";
  const { body } = await it_.run("EVAL", script, "0");
  const wanted = Array.from({ length: 3_000 }, (_, at) => [`s${at + 1}`, at + 1, ["a", "b"]]).flat();
  expect(body).toEqual({ result: wanted });
});
