import { createServer, type Socket } from "node:net";
import { createRequestReader } from "./request-reader.ts";

/** A server that speaks to the gateway as Redis does, and answers some commands with whatever bytes it is given. */
export interface RawServer {
  readonly url: string;
  /** How many connections there have been. */
  readonly connections: number;
  /** Answers a command by its name in lower case from now on; it may write by itself, too, and give nothing. */
  answer(name: string, reply: (words: readonly string[], socket: Socket) => Buffer | string | undefined): void;
  close(): Promise<void>;
}

const bulk = (text = ""): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const answers = new Map<string, Parameters<RawServer["answer"]>[1]>([
    ["ping", () => "+PONG\r\n"],
    ["echo", ([, text]) => bulk(text)],
    ["get", () => "+VALUE\r\n"],
    ["command", () => "*1\r\n*3\r\n$3\r\nget\r\n:2\r\n*1\r\n+readonly\r\n"],
  ]);
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    const read = createRequestReader();
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      for (const words of read(chunk)) {
        const [name = ""] = words;
        const reply = answers.get(name.toLowerCase());
        const bytes = reply === undefined ? `-ERR unknown command '${name}'\r\n` : reply(words, socket);
        if (bytes !== undefined) socket.write(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    get connections() {
      return connections;
    },
    answer: (name, reply) => void answers.set(name, reply),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
