/**
 * A proxy between clients and the gateway, as a program: it cuts connections before and after a request is executed,
 * delays requests and responses, retries requests, and repeats answered ones.
 */
import { Agent, createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { isRefusal } from "./refusals.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const [target = "", share = "0.05"] = process.argv.slice(2);
/** The share of requests with a fault. */
const FAULTY = Number(share);
const LONGEST_MS = 1500;
const { hostname, port } = new URL(target);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const bodyOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function forward(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, method: "POST", headers }, (response) => {
      const { statusCode: status = 502, headers: given } = response;
      bodyOf(response).then((text) => resolve({ status, headers: given, body: text }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const server = createServer(async (incoming, response) => {
  try {
    const body = await bodyOf(incoming);
    const { connection, ...headers } = incoming.headers;
    const ask = (): Promise<Answer> => forward(incoming.url ?? "/", headers, body);
    const cut = (): unknown => incoming.socket.destroy();
    const fault = Math.random() < FAULTY ? Math.floor(Math.random() * 6) : -1;
    if (fault === 0) return void cut();
    if (fault === 1) await pause(Math.random() * LONGEST_MS);
    let answer = await ask();
    if (fault === 2) return void cut();
    if (fault === 3) await pause(Math.random() * LONGEST_MS);
    if (fault === 4) {
      await pause(Math.random() * LONGEST_MS);
      answer = await ask();
    }
    if (fault === 5 && !isRefusal(answer.body.toString()))
      setTimeout(() => ask().catch(() => {}), Math.random() * LONGEST_MS);
    const { "transfer-encoding": _, connection: own, ...kept } = answer.headers;
    response.writeHead(answer.status, { ...kept, "content-length": answer.body.length }).end(answer.body);
  } catch {
    response.destroy();
  }
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.on("end", () => process.exit()).resume();
