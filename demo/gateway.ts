/** The gateway on a port of its own, with a counter of the requests that reach it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createGateway } from "../gateway/src/index.ts";

export interface CountingGateway {
  readonly url: string;
  readonly token: string;
  /** HTTP requests so far, re-sends included. */
  readonly requests: number;
  close(): Promise<void>;
}

export async function startCountingGateway(redisUrl: string): Promise<CountingGateway> {
  const token = crypto.randomUUID();
  const gateway = createGateway({ redis: redisUrl, token });
  let requests = 0;
  const server = createServer(
    getRequestListener((request) => {
      requests++;
      return gateway.fetch(request);
    }),
  );
  await Promise.all([new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)), gateway.opened]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        gateway.close();
      }),
  };
}
