import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { onAbort } from "../../src/shared/abort.ts";

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

it("calls each callback of a signal once, by one listener, and none of another signal (E16)", () => {
  const [stop, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  const twice = (): number => called.push("a");
  for (const callback of [twice, twice, () => called.push("b")]) onAbort(stop.signal, callback);
  onAbort(other.signal, () => called.push("other"));
  expect(listenersOf(stop.signal)).toBe(1);
  stop.abort();
  expect(called).toEqual(["a", "a", "b"]);
  expect(listenersOf(stop.signal)).toBe(0);
});

it("does not call a callback that was removed, also by another callback of the same abort (E16)", () => {
  const stop = new AbortController();
  const called: string[] = [];
  const early = onAbort(stop.signal, () => called.push("early"));
  onAbort(stop.signal, () => late());
  const late = onAbort(stop.signal, () => called.push("late"));
  early();
  early();
  expect(listenersOf(stop.signal)).toBe(1);
  stop.abort();
  expect(called).toEqual([]);
});

it("removes the listener with the last callback, and adds a new one for the next (E16)", () => {
  const stop = new AbortController();
  const called: string[] = [];
  const [first, second] = [onAbort(stop.signal, () => {}), onAbort(stop.signal, () => {})];
  first();
  expect(listenersOf(stop.signal)).toBe(1);
  second();
  expect(listenersOf(stop.signal)).toBe(0);
  const third = onAbort(stop.signal, () => called.push("third"));
  // Those that are gone take nothing from those that came later.
  first();
  second();
  expect(listenersOf(stop.signal)).toBe(1);
  stop.abort();
  third();
  expect(called).toEqual(["third"]);
  expect(listenersOf(stop.signal)).toBe(0);
});
