import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Running } from "../shape.ts";

/** What is running on a server of Node. */
export const runningOn = (server: Pick<Server, "address" | "close" | "closeAllConnections">): Running => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  close: () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
});

/** Serves a listener on a free port. */
export async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return runningOn(server);
}
