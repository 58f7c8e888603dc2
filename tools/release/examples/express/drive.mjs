// Serves workers/express-api.ts and sends it one order three times: twice at once, then again. A lock in memory besides.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createLocks } from "leasehold";
import { createMemoryRedis } from "leasehold-testing";

const listen = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)));

let reserved = 0;
const stock = createServer((_request, response) => {
  reserved++;
  response.end("{}");
});
process.env.STOCK_URL = await listen(stock);

const { app } = await import("./app.ts");
const server = createServer(app);
const url = `${await listen(server)}/orders`;
const headers = {
  "Content-Type": "application/json",
  "Idempotency-Key": `${process.pid}-${Date.now()}`,
  Authorization: "Bearer ann",
};
const order = () => fetch(url, { method: "POST", headers, body: '{"item":"chair","amount":2}' });

const statuses = (await Promise.all([order(), order()])).map(({ status }) => status);
assert.ok(statuses.includes(201), `one of two at once is answered 201: ${statuses}`);
const again = await order();
assert.deepEqual([again.status, again.headers.get("Idempotent-Replayed")], [201, "true"]);
assert.equal(reserved, 1);

const { url: inMemory, token, fetch: sent } = createMemoryRedis();
const memory = createLocks({ url: inMemory, token, fetch: sent }).lock("rehearsal");
await memory.acquire();
assert.equal(await memory.tryAcquire(), null);
for (const each of [server, stock]) {
  each.close();
  each.closeAllConnections();
}
