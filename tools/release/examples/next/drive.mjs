// Builds workers/vercel-cron.ts as a Route Handler, starts Next.js, and calls the cron twice.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const shop = createServer((_request, response) => response.end('{"total":3}'));
await new Promise((resolve) => shop.listen(0, "127.0.0.1", resolve));
const next = "node_modules/next/dist/bin/next";
const env = { ...process.env, SHOP_URL: `http://127.0.0.1:${shop.address().port}`, NEXT_TELEMETRY_DISABLED: "1" };

const { status, stdout, stderr } = spawnSync(process.execPath, [next, "build"], { env, encoding: "utf8" });
assert.equal(status, 0, stdout + stderr);

const child = spawn(process.execPath, [next, "start", "--port", "0", "--hostname", "127.0.0.1"], {
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  let url;
  for await (const line of createInterface(child.stdout)) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  const call = async (secret) => {
    const response = await fetch(`${url}/api/report`, { headers: { Authorization: `Bearer ${secret}` } });
    return [response.status, response.status === 200 ? (await response.json()).status : undefined];
  };
  assert.deepEqual(await call("wrong"), [401, undefined]);
  assert.deepEqual(await call(env.CRON_SECRET), [200, "ran"]);
  assert.deepEqual(await call(env.CRON_SECRET), [200, "skipped: already ran"]);
} finally {
  child.kill();
  await once(child, "exit");
  shop.close();
  shop.closeAllConnections();
}
