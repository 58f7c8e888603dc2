import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../support/command.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leasehold-limits-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const linesOf = (count: number): string => "// a line\n".repeat(count);
/** A function of so many lines. */
const functionOf = (lines: number): string => `export function long(): void {\n${linesOf(lines - 2)}}\n`;
const arrowOf = (lines: number): string => `export const arrow = (): void => {\n${linesOf(lines - 2)}};\n`;
const methodOf = (lines: number): string => `export const made = {\nmethod() {\n${linesOf(lines - 2)}},\n};\n`;

/** What the check says of the planted files, by its lines. */
function check(): { readonly status: number | null; readonly said: readonly string[] } {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "tools/code-limits.ts"), folder]);
  const said = `${stderr}`.split("\n").flatMap((line) => line.replace(`${folder}/`, "") || []);
  return { status, said };
}

test("files of 300 lines and functions of 60 are within the limits", () => {
  plant("file.ts", linesOf(300));
  plant("script.lua", linesOf(300));
  plant("function.ts", functionOf(60));
  expect(check()).toEqual({ status: 0, said: [] });
});

test.each([
  ["a file of 301 lines", "deep/file.ts", linesOf(301), "deep/file.ts has 301 lines, more than 300"],
  ["a script of 301 lines", "script.lua", linesOf(301), "script.lua has 301 lines, more than 300"],
  ["a function of 61 lines", "code.ts", functionOf(61), "code.ts: long has 61 lines, more than 60"],
  ["an arrow function of 61 lines", "code.ts", arrowOf(61), "code.ts: arrow has 61 lines, more than 60"],
  ["a method of 61 lines", "code.ts", methodOf(61), "code.ts: method has 61 lines, more than 60"],
])("%s is found", (_, file, text, found) => {
  plant(file, text);
  expect(check()).toEqual({ status: 1, said: [found] });
});

test("a function inside a function counts, too, and tests and generated files do not", () => {
  plant("outer.ts", `export function outer(): void {\n${functionOf(61).replace("export ", "")}}\n`);
  plant("made.gen.ts", functionOf(61));
  plant("test/long.ts", functionOf(61));
  const { said } = check();
  expect([...said].sort()).toEqual([
    "outer.ts: long has 61 lines, more than 60",
    "outer.ts: outer has 63 lines, more than 60",
  ]);
});
