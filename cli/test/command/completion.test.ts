import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command } from "../../../tools/run-command.ts";
import { COMMANDS } from "../../src/commands.ts";

const script = async (shell: string): Promise<string> => (await command(["completion", shell])).out;
const has = (shell: string): boolean => spawnSync(shell, ["--version"], { stdio: "ignore" }).status === 0;

/** The words that bash offers at the end of a line. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const words = line.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(leasehold ${words}); COMP_CWORD=${line.length}; _leasehold; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", `${await script("bash")}\n${ask}`], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe.runIf(has("bash"))("the completion in bash", () => {
  it("offers commands, then options, then the values of an option", async () => {
    expect(await offered("")).toEqual(
      expect.arrayContaining([...COMMANDS.map(({ name }) => name), "help", "--version"]),
    );
    expect(await offered("in")).toEqual(["inspect"]);
    expect(await offered("help", "w")).toEqual(["watch"]);
    expect(await offered("ls", "--h")).toEqual(["--held", "--help"]);
    expect(await offered("--json", "release", "x", "--f")).toEqual(["--fencing-token", "--forget"]);
    expect(await offered("ls", "--kind", "l")).toEqual(["lock", "latch"]);
    expect(await offered("watch", "--sort", "")).toEqual(["name", "age", "waiters"]);
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await offered("ls", "--prefix", "")).toEqual([]);
  });
});

it("the completion of every shell names every command and each of its options", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const text = await script(shell);
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(name);
      for (const option of Object.keys(options)) expect(text).toMatch(new RegExp(`(--|-l )${option}\\b`));
    }
  }
});

it.runIf(has("zsh"))("zsh takes its script", async () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], { input: await script("zsh"), encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it.runIf(has("fish"))("fish takes its script", async () => {
  // A file, since fish does not read the socket that Node passes as standard input.
  const folder = mkdtempSync(join(tmpdir(), "leasehold-fish-"));
  const file = join(folder, "leasehold.fish");
  writeFileSync(file, await script("fish"));
  const { status, stderr } = spawnSync("fish", ["--no-execute", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
