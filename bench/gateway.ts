/**
 * The gateway in its own process, so that client and server do not share an event loop. It counts the incoming
 * requests, and the bytes of each connection with their headers.
 *
 *   node gateway.ts REDIS_URL TOKEN     asked and answering over IPC, ends with its parent
 */

import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type GatewayServer, serveGateway } from "../gateway/src/index.ts";

/** Totals since the start, seen from the client. */
export interface Counted {
  readonly requests: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export type FromGateway =
  /**
   * At `farUrl`, everything that a client sends arrives later, as from far away. At `pollingUrl`, no request is held,
   * as by a server that does not support holding.
   */
  | { readonly type: "listening"; readonly url: string; readonly farUrl: string; readonly pollingUrl: string }
  | { readonly type: "counted"; readonly counted: Counted };

const open = new Set<Socket>();
const total = { bytesSent: 0, bytesReceived: 0 };

function add(socket: Socket): void {
  total.bytesSent += socket.bytesRead;
  total.bytesReceived += socket.bytesWritten;
}

const gatewayPorts = new Set<number>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  // The relay also accepts connections.
  if (!gatewayPorts.has(socket.localPort ?? 0)) return;
  open.add(socket);
  socket.once("close", () => {
    open.delete(socket);
    add(socket);
  });
});

/** A gateway counts its requests itself; its metrics are read on another port. */
async function requestsAt({ adminUrl }: GatewayServer): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return [...text.matchAll(/^leasehold_gateway_requests_total\{.*\} (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

function counted(): Omit<Counted, "requests"> {
  const before = { ...total };
  for (const socket of open) add(socket);
  const now = { ...total };
  Object.assign(total, before);
  return now;
}

/** Listens on its own port, and forwards data with a delay. Returns the URL. */
async function delayed(port: number, delayMs: number): Promise<string> {
  const relay = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    near.on("data", (chunk) => setTimeout(() => far.write(chunk), delayMs));
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
}

const [redis = "", token = "", awayMs] = process.argv.slice(2);
const server = await serveGateway({ redis, token, port: 0, adminPort: 0 });
const polling = await serveGateway({ redis, token, port: 0, adminPort: 0, maxHeldInAll: 0 });
for (const { port } of [server, polling]) gatewayPorts.add(port);
const farUrl = await delayed(Number(new URL(server.url).port), Number(awayMs));
const tell = (message: FromGateway): unknown => process.send?.(message);

process.on("message", async () => {
  const requests = (await requestsAt(server)) + (await requestsAt(polling));
  tell({ type: "counted", counted: { ...counted(), requests } });
});
process.once("disconnect", () => process.exit());
// Ctrl-C is sent to the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {});
tell({ type: "listening", url: server.url, farUrl, pollingUrl: polling.url });
