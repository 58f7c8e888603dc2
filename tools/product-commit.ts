import { execFileSync } from "node:child_process";
import { join } from "node:path";

const PRODUCT = ["src", "lua", "engine/src", "gateway/src", "durable-object/src"];

/** The last commit that changed what runs on servers and in applications; one of tests or documents does not count. */
export function productCommit(): string {
  const args = ["log", "-1", "--format=%h", "--abbrev=10", "--", ...PRODUCT];
  return execFileSync("git", args, { cwd: join(import.meta.dirname, ".."), encoding: "utf8" }).trim();
}
