import { join } from "node:path";
import { expect, it } from "vitest";
import { program } from "../support/command.ts";
import { typeCheck } from "../support/typescript.ts";

// Those of the newest Hono are checked with all sources.
it("compiles with the types of the oldest Hono", async () => {
  const hono = "hono-oldest";
  const paths = { hono: [program(`${hono}/dist/types/index.d.ts`)] };
  const { problems, read } = await typeCheck([join(import.meta.dirname, "mounting.ts")], "tsconfig.json", { paths });
  const types = read.filter((file) => /[/\\]node_modules[/\\]hono/.test(file));
  const own = types.filter((file) => file.includes(join("node_modules", hono, "/")));
  expect([own.length > 0, types.length]).toEqual([true, own.length]);
  expect([...problems].filter(([, said]) => said.length > 0)).toEqual([]);
});
