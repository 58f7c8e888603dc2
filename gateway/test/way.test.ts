import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startRedis } from "../../tools/redis.ts";

/** The most files that one command passes on its way to Redis and back; those of `shared/` are words that many use. */
const MOST_FILES = 34;
const MOST_WORDS = 8;

it("one EVALSHA passes through a number of files that can be read", async () => {
  const redis = await startRedis();
  try {
    const script = fileURLToPath(new URL("support/way.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, redis.url]);
    const files = JSON.parse(stdout) as string[];
    const words = files.filter((file) => file.startsWith("shared/"));
    expect(files).toContain("rest/protocol.ts");
    expect(files).toContain("redis/reply-reader.ts");
    expect(words.length, words.join(", ")).toBeLessThanOrEqual(MOST_WORDS);
    expect(files.length - words.length, files.join(", ")).toBeLessThanOrEqual(MOST_FILES);
  } finally {
    await redis.stop();
  }
});
