/** Replaces `vitest` in virtual time: collects tests for another module to run. */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
export const expect: typeof chai.expect = chai.expect;

type Body = (...values: readonly never[]) => unknown;
export interface Collected {
  readonly name: string;
  readonly run: () => unknown;
}
/** The hooks, and the tests described so far. */
export const tests: Collected[] = [];
export const before: Body[] = [];
export const beforeEachOf: { readonly path: string; readonly run: Body }[] = [];

let path: readonly string[] = [];
/** JSON cannot express some values, such as a bigint. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)) ?? String(value);
const filled = (name: string, values: readonly unknown[]): string => `${name} ${values.map(textOf).join(" ")}`;
const bodyOf = (parts: readonly unknown[]): Body => parts.find((part) => typeof part === "function") as Body;

function collect(name: string, ...parts: readonly unknown[]): void {
  // A name is one line, even if it contains the source of a function.
  const whole = [...path, name].join(" > ").replace(/\s+/g, " ");
  const hooks = beforeEachOf.filter(({ path: of }) => whole.startsWith(of.replace(/\s+/g, " ")));
  tests.push({
    name: whole,
    async run() {
      for (const hook of hooks) await hook.run();
      await bodyOf(parts)();
    },
  });
}
function group(name: string, ...parts: readonly unknown[]): void {
  const outer = path;
  path = [...path, name];
  bodyOf(parts)();
  path = outer;
}
/** Calls the function of a test or a group with each row of a table. */
const eachOf =
  (describeOne: typeof collect) =>
  (rows: readonly unknown[]) =>
  (name: string, ...parts: readonly unknown[]): void => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      describeOne(filled(name, values), () => (bodyOf(parts) as (...given: unknown[]) => unknown)(...values));
    }
  };
type Describe = typeof collect & { each: ReturnType<typeof eachOf>; concurrent: typeof collect };
const withEach = (describeOne: typeof collect): Describe => {
  const each = eachOf(describeOne);
  const all = Object.assign((...parts: Parameters<typeof collect>) => describeOne(...parts), { each });
  return Object.assign(all, { concurrent: Object.assign(describeOne.bind(undefined), { each }) }) as Describe;
};

export const it: Describe = withEach(collect);
export const describe: Describe = withEach(group);
export const beforeAll = (run: Body): void => void before.push(run);
export const beforeEach = (run: Body): void => void beforeEachOf.push({ path: path.join(" > "), run });
export const afterAll = (): void => {};
export const afterEach = (): void => {};
/** A test with spies fails without a change, and is skipped. */
export const vi: Readonly<Record<string, never>> = {};
