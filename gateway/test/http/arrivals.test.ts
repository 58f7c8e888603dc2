import { expect, it } from "vitest";
import { Arrivals } from "../../src/http/arrivals.ts";

it("a request may wait until another one arrives behind it", () => {
  const arrivals = new Arrivals();
  const heard: string[] = [];
  const first = arrivals.next();
  arrivals.whenUnwanted(first, () => heard.push("first"));
  expect(heard).toEqual([]);
  const second = arrivals.next();
  expect(heard).toEqual(["first"]);
  arrivals.whenUnwanted(first, () => heard.push("first, too late"));
  arrivals.whenUnwanted(second, () => heard.push("second"));
  expect(heard).toEqual(["first", "first, too late"]);
});

it("a request may wait while its client is connected, and is notified of the disconnect once", () => {
  const arrivals = new Arrivals();
  let heard = 0;
  const only = arrivals.next();
  arrivals.whenUnwanted(only, () => heard++);
  arrivals.end();
  arrivals.end();
  expect(heard).toBe(1);
  arrivals.whenUnwanted(only, () => heard++);
  expect(heard).toBe(2);
});

it("a listener that was removed hears nothing", () => {
  const arrivals = new Arrivals();
  let heard = 0;
  arrivals.whenUnwanted(arrivals.next(), () => heard++)();
  arrivals.end();
  expect(heard).toBe(0);
});
