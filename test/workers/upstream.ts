import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}
/** A request that waits until it is told what to be answered. */
interface HeldRequest {
  readonly arrived: Promise<Asked>;
  answer(body: string, status?: number): void;
}

/** The service that an example asks in the middle of its work. */
export interface Upstream {
  readonly url: string;
  /** All that it was asked for under a path. */
  asked(path: string): readonly Asked[];
  /** Lets the next request for a path wait. Others are answered at once, with `{}` unless `reply` said otherwise. */
  hold(path: string): HeldRequest;
  reply(path: string, body: string, status?: number): void;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  type Reply = readonly [body: string, status: number];
  const all: Asked[] = [];
  const replies = new Map<string, Reply>();
  const waiting = new Map<string, (asked: Asked) => Promise<Reply>>();
  const server = createServer(async ({ url: path = "", headers }, response) => {
    const asked = { path, headers };
    all.push(asked);
    const held = waiting.get(path);
    waiting.delete(path);
    const [body, status] = held ? await held(asked) : (replies.get(path) ?? ["{}", 200]);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (path) => all.filter((asked) => asked.path === path),
    hold(path) {
      let answer: (reply: Reply) => void = () => {};
      const reply = new Promise<Reply>((resolve) => {
        answer = resolve;
      });
      const arrived = new Promise<Asked>((resolve) => {
        waiting.set(path, (asked) => {
          resolve(asked);
          return reply;
        });
      });
      return { arrived, answer: (body, status = 200) => answer([body, status]) };
    },
    reply: (path, body, status = 200) => void replies.set(path, [body, status]),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
