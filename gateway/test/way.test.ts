import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startRedis } from "../../tools/redis.ts";

it("the picture of the path of one EVALSHA names every file that runs", async () => {
  const redis = await startRedis();
  try {
    const script = fileURLToPath(new URL("support/way.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, redis.url]);
    const files = JSON.parse(stdout) as string[];
    expect(files).toContain("rest/app.ts");
    expect(files).toContain("redis/reply-reader.ts");
    const architecture = await readFile(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");
    const picture = /^## The path of one EVALSHA$(.*?)^## /ms.exec(architecture)?.[1] ?? "";
    const words = new Set(picture.match(/[\w-]+/g));
    for (const file of files) {
      expect(words, "the picture in ARCHITECTURE.md").toContain(basename(file, ".ts"));
    }
  } finally {
    await redis.stop();
  }
});
