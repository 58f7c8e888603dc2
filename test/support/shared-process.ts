/** Runs before each test file: those that share a process must not find what others have left in it. */
import { createRequire } from "node:module";
import { afterAll, expect } from "vitest";
import { STANDARD_GLOBALS } from "./standard-globals.ts";

// Fastify reads every module in the cache of `require`, in which some loaders leave names without a module.
const { cache } = createRequire(import.meta.url);
for (const [name, module] of Object.entries(cache)) if (!module) delete cache[name];

/** The variables of the environment, the names of the globals, and the values of those of the web's standards. */
const outside = (): Map<string, unknown> =>
  new Map([
    ...Object.entries(process.env).map(([name, value]): [string, unknown] => [`env ${name}`, value]),
    ...Object.getOwnPropertyNames(globalThis).map((name): [string, unknown] => [`global ${name}`, undefined]),
    ...STANDARD_GLOBALS.map((name): [string, unknown] => [`the value of ${name}`, Reflect.get(globalThis, name)]),
  ]);

/**
 * What a package keeps for all of its copies, from the first import on: the registries of zod, which wrangler brings, and
 * the helpers of tslib, which Nest brings; what Powertools for Lambda, Effect and Prisma set.
 */
const isOfPackage = (name: string): boolean =>
  /^(global __(zod_|[a-z]+([A-Z][a-zA-Z]*)?$)|global (awslambda|~effect\/.*|DEBUG|DEBUG_COLORS|NODE_CLIENT|PRISMA_\w+)$|env AWS_SDK_UA_APP_ID$)/.test(
    name,
  );

const before = outside();
// The first hook that is registered is the last that runs.
afterAll(() => {
  const after = outside();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const left = names.filter((name) => before.has(name) !== after.has(name) || before.get(name) !== after.get(name));
  expect(left.filter((name) => !isOfPackage(name))).toEqual([]);
});
