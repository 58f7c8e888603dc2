/** The gateway on its own port, which counts the requests and records their keys. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createGateway } from "../gateway/src/index.ts";
import type { ChosenRedis } from "../tools/redis-choice.ts";

export interface CountingGateway {
  readonly url: string;
  readonly token: string;
  /** HTTP requests so far, including retries. */
  readonly requests: number;
  /** Removes all keys that scripts have used, since the Redis may be the user's own. */
  close(): Promise<void>;
}

/** The keys of a request for a script: its name, the text or its hash, the number of keys, the keys. */
function keysIn(body: string): string[] {
  const [, , count, ...rest] = JSON.parse(body) as unknown[];
  return rest.slice(0, Number(count) || 0).map(String);
}

/** @throws if Redis does not answer */
export async function startCountingGateway({ database }: Pick<ChosenRedis, "database">): Promise<CountingGateway> {
  const token = crypto.randomUUID();
  const gateway = createGateway({ ...database, token });
  const keys = new Set<string>();
  let requests = 0;
  const server = createServer(
    getRequestListener(
      async (request) => {
        requests++;
        const copy = request.clone();
        const answer = await gateway.fetch(request);
        for (const key of keysIn(await copy.text())) keys.add(key);
        return answer;
      },
      { overrideGlobalObjects: false },
    ),
  );
  await Promise.all([new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)), gateway.opened]);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      gateway.close();
    });
  if (!(await gateway.isReady())) {
    await stop();
    throw new Error("Redis does not answer");
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    get requests() {
      return requests;
    },
    async close() {
      const headers = { authorization: `Bearer ${token}` };
      const body = JSON.stringify(["DEL", ...keys]);
      if (keys.size > 0) await gateway.fetch("http://gateway", { method: "POST", headers, body });
      await stop();
    },
  };
}
