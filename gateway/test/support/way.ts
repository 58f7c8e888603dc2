/**
 * Prints the files of the gateway in which any function runs while one EVALSHA is answered, as JSON. The request is one
 * of many on a kept connection.
 *
 *   node way.ts REDIS_URL
 */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { Session } from "node:inspector/promises";
import { text } from "node:stream/consumers";
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

/** Sends one command, and returns its result. */
async function run(command: readonly string[]): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const asked = request(server.url, { method: "POST", agent, headers });
  asked.end(JSON.stringify(command));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const said = await text(response);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${said}`);
  return (JSON.parse(said) as { readonly result: unknown }).result;
}

// Its reply has values of each type that leasehold's scripts return.
const sha = String(await run(["SCRIPT", "LOAD", "return {1, KEYS[1], {false, 'ok'}}"]));
const evalSha = (): Promise<unknown> => run(["EVALSHA", sha, "1", "key"]);

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
