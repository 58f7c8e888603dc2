import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

it.each(["hono", "hono-oldest"])("compiles with the types of %s", (hono) => {
  const path = join(root, "tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    dirname(path),
  );
  const paths = { hono: [join(root, "node_modules", hono, "dist/types/index.d.ts")] };
  const file = join(import.meta.dirname, "mounting.ts");
  const program = ts.createProgram([file], { ...options, paths });
  const types = program.getSourceFiles().filter(({ fileName }) => fileName.includes("/node_modules/hono"));
  expect(types.every(({ fileName }) => fileName.includes(`/node_modules/${hono}/`)) && types.length > 0).toBe(true);
  const said = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(said).toEqual([]);
});
