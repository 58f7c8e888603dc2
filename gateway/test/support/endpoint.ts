import { connect, createServer, type Server, type Socket } from "node:net";

/** A name that leads to one server after another, as a cloud's primary endpoint does: open connections stay. */
export interface Endpoint {
  readonly url: string;
  leadTo(port: number): void;
  close(): Promise<void>;
}

export async function startEndpoint(first: number): Promise<Endpoint> {
  let target = first;
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    leadTo(port) {
      target = port;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
