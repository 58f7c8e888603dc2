import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { freePort } from "../../tools/redis.ts";
import { answerLost } from "../faults/faults.ts";
import { program, ROOT, run } from "../support/command.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { useStack } from "../support/use-stack.ts";
import type { BunReport } from "./bun-host.ts";

const stack = useStack();

it("Bun's own client passes the lock's contract in Bun, and what the network does to it is overcome", async () => {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-bun-"));
  await using proxy = await startTcpProxy(stack.redis.port);
  proxy.next("lock-acquire", answerLost);
  proxy.next("lock-close", answerLost);
  try {
    const outfile = join(dir, "bun.js");
    const runner = join(ROOT, "test/platforms/runtime/vitest.ts");
    const alias = { vitest: runner };
    await build({
      entryPoints: [join(ROOT, "test/tcp/bun-host.ts")],
      outfile,
      bundle: true,
      format: "esm",
      target: "esnext",
      alias,
      logLevel: "silent",
    });
    const closed = `redis://127.0.0.1:${await freePort()}`;
    const long = process.env["EVERY_CLIENT"] ? "long" : "short";
    const printed = await run(program(".bin/bun"), ["run", outfile, stack.redis.url, proxy.url, closed, long], dir);
    const { runtime, results, nobody, tokens, replicated, woken, afterClose, reopened } = JSON.parse(
      printed,
    ) as BunReport;
    expect(runtime).toMatch(/^Bun 1\./);
    expect(results.length).toBeGreaterThan(20);
    expect(results.filter(({ state }) => state !== "pass")).toEqual([]);
    expect(proxy.unmet()).toBe(0);
    expect(tokens[1]).toBeGreaterThan(tokens[0] as number);
    // Nothing was sent, so nothing is in doubt.
    expect(nobody).toMatchObject({ code: "unreachable", message: expect.not.stringContaining("granted") });
    expect(nobody.ms).toBeLessThan(4000);
    expect(replicated).toBe("not_replicated");
    // Without messages, it would poll some 16 times; without this one, it would come after 5 s.
    expect(woken.gapMs).toBeLessThan(2500);
    expect(woken.polls).toBeLessThanOrEqual(9);
    // The application closed its client, so a request must not open it again (48.5).
    expect(afterClose).toMatchObject({ isOpen: false, message: expect.stringContaining("closed") });
    expect(reopened).toBeGreaterThan(0);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
