import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, run } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "leasehold-commits-"));
const AFTER = "2026-12-01T00:00:00Z";
const BEFORE = "2026-11-01T00:00:00Z";

const git = (...args: string[]): Promise<string> =>
  run("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], folder, {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_COMMITTER_DATE: AFTER,
  });
const commit = (...messages: string[]): Promise<string> =>
  git("commit", "-q", "--allow-empty", ...messages.flatMap((message) => ["-m", message]));
const check = (where: string, ...range: string[]): Promise<string> =>
  run(process.execPath, [join(ROOT, "tools/commits.ts"), ...range], where);

beforeAll(async () => {
  await git("init", "-q", "-b", "main");
  await commit("test(lua): who is woken when a run ends");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [["docs: wrap a paragraph"]],
  [["feat(engine)!: count the work of every request", "A caller can then limit it."]],
  [[`test(lua): ${"x".repeat(61)}`]],
])("commits of the form are accepted: %j", async (messages) => {
  await commit(...messages);
  expect(await check(folder, "HEAD~1..HEAD")).toBe("");
  expect(await check(folder)).toBe("");
});

it.each([
  [["Stories of outages have teeth"], "not of the form"],
  [["feet(lua): walk"], "not of the form"],
  [["docs(lua): end with a full stop."], "not of the form"],
  [[`test(lua): ${"x".repeat(62)}`], "73 characters, more than 72"],
  [["fix(lua): wake one waiter"], "no body that says why"],
])("a commit %j is rejected: %s", async (messages, problem) => {
  await commit(...messages);
  await expect(check(folder)).rejects.toThrow(problem);
  await git("reset", "-q", "--hard", "HEAD~1");
});

it("a merge is rejected, whatever its subject", async () => {
  await git("checkout", "-q", "-b", "side", "HEAD~1");
  await commit("docs: say it aside");
  await git("checkout", "-q", "main");
  await git("merge", "-q", "side", "-m", "docs: join the two");
  await expect(check(folder)).rejects.toThrow("a merge");
  await git("reset", "-q", "--hard", "HEAD~1");
});

it("older commits are left alone, unless a range names them", async () => {
  const old = { GIT_COMMITTER_DATE: BEFORE, GIT_CONFIG_GLOBAL: "/dev/null" };
  const args = ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "Old"];
  await git("checkout", "-q", "--orphan", "old");
  await run("git", args, folder, old);
  expect(await check(folder)).toBe("");
  await expect(check(folder, "HEAD")).rejects.toThrow("not of the form");
  await git("checkout", "-q", "main");
});

it("a clone without history says that nothing was checked", async () => {
  const clone = join(folder, "clone");
  await git("clone", "-q", "--depth", "1", `file://${folder}`, clone);
  expect(await check(clone)).toMatch(/no commit was checked/);
});
