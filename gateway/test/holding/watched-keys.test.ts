import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { nameIn, prefixesOf } from "../../src/holding/prefixes.ts";
import { WatchedKeys } from "../../src/holding/watched-keys.ts";

const [A, B] = ["app:{a}", "app:{b}crowd"];
/** A key is forgotten at most so long after its last waiter left. */
const FORGOTTEN_MS = 11_000;

let keys: WatchedKeys;
let lessCount: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  lessCount = 0;
  keys = new WatchedKeys(() => lessCount++);
});
afterEach(() => {
  keys.close();
  vi.useRealTimers();
});

it("a key is awaited until the last of its waiters leaves", () => {
  keys.add(A);
  const { version } = keys;
  keys.add(A);
  keys.add(B);
  expect(keys.version).toBe(version + 1);
  keys.remove(A);
  expect(keys.awaited()).toEqual([A, B]);
  keys.remove(A);
  expect([keys.awaited(), keys.has(A)]).toEqual([[B], true]);
});

it("at most a thousand keys are watched without a waiter, those that had one last (W10)", () => {
  const all = Array.from({ length: 3_000 }, (_, at) => `app:{${at}}`);
  for (const key of all) keys.add(key);
  for (const key of all) keys.remove(key);
  expect(keys.names(() => true).size).toBe(1_000);
  expect([keys.has("app:{0}"), keys.has("app:{2999}")]).toEqual([false, true]);
});

it("the writes of a key count on when another waiter comes, and those of all keys count for each", () => {
  keys.add(A);
  keys.add(B);
  keys.written(A);
  keys.add(A);
  keys.written();
  keys.written("app:{c}");
  expect([A, B, "app:{c}"].map((key) => keys.writesOf(key))).toEqual([2, 1, 0]);
});

it("a key is forgotten some seconds after its last waiter left, and others are not", () => {
  for (const key of [A, B, A]) keys.add(key);
  keys.remove(A);
  keys.remove(B);
  vi.advanceTimersByTime(4_000);
  expect([keys.has(B), lessCount]).toEqual([true, 0]);
  const { version } = keys;
  vi.advanceTimersByTime(FORGOTTEN_MS);
  expect([keys.has(A), keys.has(B), keys.nameOf(B), lessCount]).toEqual([true, false, undefined, 1]);
  expect(keys.version).toBeGreaterThan(version);
  vi.advanceTimersByTime(FORGOTTEN_MS);
  expect([keys.has(A), lessCount]).toEqual([true, 1]);
});

it("no timer runs while no key is watched, and the next key starts it again", () => {
  expect(vi.getTimerCount()).toBe(0);
  for (let round = 0; round < 2; round++) {
    keys.add(A);
    keys.remove(A);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(FORGOTTEN_MS);
    expect([keys.has(A), vi.getTimerCount()]).toEqual([false, 0]);
  }
});

it("a key without a name in braces is not watched, and removing an unknown key changes nothing", () => {
  for (const key of ["plain", "a}b{c", "{open"]) {
    keys.add(key);
    keys.remove(key);
    expect(keys.has(key)).toBe(false);
  }
  expect([keys.version, keys.awaited(), vi.getTimerCount()]).toEqual([0, [], 0]);
});

it("the names are those of the matching keys", () => {
  for (const key of [A, B, "app:{b}"]) keys.add(key);
  expect(keys.names(() => true)).toEqual(new Set(["app:{a}", "app:{b}"]));
  expect(keys.names((key) => key === B)).toEqual(new Set(["app:{b}"]));
});

it("up to a hundred names are prefixes themselves; of more, the parts before their braces are", () => {
  const names = Array.from({ length: 101 }, (_, at) => nameIn(`app${at % 2}:{${at}}rest`) ?? "");
  expect(names[3]).toBe("app1:{3}");
  expect(prefixesOf(new Set(names.slice(1)))).toEqual(new Set(names.slice(1)));
  expect(prefixesOf(new Set(names))).toEqual(new Set(["app0:{", "app1:{"]));
});
