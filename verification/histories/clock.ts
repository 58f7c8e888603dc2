/**
 * A clock for redis-server that can be set while it runs: libfaketime, installed from Debian where it is missing. It
 * must be loaded before the allocator: jemalloc reads the clock during its start, which makes libfaketime recurse
 * endlessly.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SettableClock {
  /** For the server's process. */
  readonly env: NodeJS.ProcessEnv;
  /** Sets its offset from the machine's clock, in ms. */
  shift(ms: number): void;
  remove(): void;
}

const find = (): string | undefined => globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];

function install(): string {
  const found = find();
  if (found) return found;
  console.error("installing libfaketime with apt-get …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-q"], { env, stdio: "ignore" });
  spawnSync("apt-get", ["install", "-q", "-y", "--no-install-recommends", "libfaketime"], { env, stdio: "ignore" });
  const installed = find();
  if (installed) return installed;
  throw new Error("No libfaketime: install it with `apt-get install libfaketime`.");
}

export function createClock(): SettableClock {
  const library = install();
  const [libc = ""] = globSync("/usr/lib/*-linux-gnu/libc.so.6");
  const dir = mkdtempSync(join(tmpdir(), "leasehold-clock-"));
  const file = join(dir, "offset");
  const shift = (ms: number): void => writeFileSync(file, `${ms < 0 ? "-" : "+"}${Math.abs(ms) / 1000}`);
  shift(0);
  return {
    env: {
      LD_PRELOAD: `${library}:${libc}`,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    shift,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
