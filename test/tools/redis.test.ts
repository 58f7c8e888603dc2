import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { findRedis, installedRedis, startRedis } from "../../tools/redis.ts";

const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder with a program of that name, which is the server of this machine. */
function folderWith(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-path-"));
  folders.push(folder);
  const server = execFileSync("which", [findRedis()], { encoding: "utf8" }).trim();
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${server} "$@"\n`, { mode: 0o755 });
  return folder;
}

test.each(["redis-server", "valkey-server"])("the tests run on the first server on the PATH: %s", async (name) => {
  const other = name === "redis-server" ? "valkey-server" : "redis-server";
  const path = [folderWith(name), folderWith(other), process.env["PATH"]].join(delimiter);
  vi.stubEnv("PATH", path);
  expect(installedRedis()).toBe(name);
  const server = await startRedis();
  expect(await server.command("PING")).toContain("PONG");
  await server.stop();
});
