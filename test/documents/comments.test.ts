import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./markdown.ts";

const WIDTH = 120;
const COMMENT = /^\s*(\/\/|\/\*|\*|--)/;
/** Lines that cannot be broken: directives, commands and addresses. */
const WHOLE = /biome-ignore|https?:\/\//;

it("no comment is wider than code may be", () => {
  const folders = "{src,lua,gateway,testing,tools,sim,mutation,spec,bench,demo,docs,test,workers}";
  const files = globSync(`${folders}/**/*.{ts,lua,qnt}`, {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.gen.ts"],
  });
  expect(files.length).toBeGreaterThan(400);
  const wide = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        line.length > WIDTH && COMMENT.test(line) && !WHOLE.test(line) ? [`${file}:${at + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
