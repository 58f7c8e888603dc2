import { EdgeVM } from "@edge-runtime/vm";
import { beforeAll, expect, it } from "vitest";
import { freshName, useStack } from "../support/use-stack.ts";
import { bundle } from "./bundle.ts";

const stack = useStack();
let script: string;
beforeAll(async () => {
  script = await bundle(
    `import { createLocks } from "leasehold";
     import { cronRoute, lastRun } from "leasehold/cron";
     Object.assign(globalThis, { createLocks, cronRoute, lastRun });`,
    "iife",
  );
});

/** Vercel's edge runtime with the library in it; `set` comes before that. */
function edge(set = ""): EdgeVM {
  const vm = new EdgeVM();
  vm.evaluate(set);
  vm.evaluate(script);
  return vm;
}

/** A program that gives the statuses of its requests to one route, and what its `waitUntil` was given. */
const program = (name: string): string => `(async () => {
  const locks = createLocks(${JSON.stringify({ url: stack.url, token: stack.token })});
  const options = { locks, name: ${JSON.stringify(name)}, schedule: "0 3 * * *", maxDuration: 60 };
  const route = cronRoute(options, async ({ token, signal }) => {
    if (!(token > 0) || signal.aborted) throw new Error("no lease");
  });
  const call = async (authorization) => {
    const response = await route(new Request("https://app.example/cron", { headers: { authorization } }));
    return [response.status, (await response.json()).status];
  };
  const answers = [await call("Bearer undefined"), await call("Bearer the-secret"), await call("Bearer the-secret")];
  return JSON.stringify([answers, (await lastRun(locks, ${JSON.stringify(name)}))?.outcome ?? null]);
})()`;

it("runs once in Vercel's edge runtime, and finds its waitUntil there", async () => {
  const vm = edge(`globalThis.process = { env: { CRON_SECRET: "the-secret" } };
    globalThis.given = [];
    const context = { waitUntil(promise) { if (this !== context) throw new TypeError("Illegal invocation"); given.push(promise); } };
    globalThis[Symbol.for("@vercel/request-context")] = { get: () => context };`);
  expect(JSON.parse(await vm.evaluate(program(freshName("edge"))))).toEqual([
    [
      [401, "unauthorized"],
      [200, "ran"],
      [200, "skipped: already ran"],
    ],
    "ran",
  ]);
  expect(vm.evaluate("given.length")).toBe(2);
});

it("runs without a context", async () => {
  const vm = edge(`globalThis.process = { env: { CRON_SECRET: "the-secret" } };`);
  const [answers] = JSON.parse(await vm.evaluate(program(freshName("edge"))));
  expect(answers[1]).toEqual([200, "ran"]);
});

it("refuses everything where there is no process at all", async () => {
  const vm = edge();
  expect(vm.evaluate("typeof process")).toBe("undefined");
  const [answers, last] = JSON.parse(await vm.evaluate(program(freshName("edge"))));
  expect(answers).toEqual(answers.map(() => [500, "misconfigured"]));
  expect(last).toBeNull();
});
