/**
 * Prints the files of the gateway in which any function runs while one EVALSHA is answered, as JSON. The request is one
 * of many on a kept connection.
 *
 *   node way.ts REDIS_URL
 */
import { Agent, request } from "node:http";
import { Session } from "node:inspector/promises";
import { TOKEN } from "./client.ts";

const SOURCE = "/gateway/src/";
const WARM_UP = 30;

const session: Session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
// Only what is loaded from here on is counted.
const { serveGateway } = await import("../../src/index.ts");
const [, , redis = ""] = process.argv;
const server = await serveGateway({ redis, token: TOKEN, port: 0 });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function evalSha(): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = request(server.url, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 400) reject(new Error(`status ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    asked.on("error", reject);
    // Redis does not know it, which makes no difference to its way.
    asked.end(JSON.stringify(["EVALSHA", "0".repeat(40), "1", "key"]));
  });
}

for (let times = 0; times < WARM_UP; times++) await evalSha();
// Counts from here on.
await session.post("Profiler.takePreciseCoverage");
await evalSha();
const { result } = await session.post("Profiler.takePreciseCoverage");
const files: string[] = result
  .filter(({ url, functions }) => url.includes(SOURCE) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  .map(({ url }) => url.split(SOURCE)[1] ?? "");
console.log(JSON.stringify(files.sort()));
agent.destroy();
await server.close();
