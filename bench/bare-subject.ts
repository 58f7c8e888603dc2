/** The minimum cost of waiting over HTTP: two fetches to a server in another process that does nothing else. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Subject } from "./subjects.ts";

export interface BareServer {
  readonly subject: Subject;
  stop(): Promise<void>;
}

export async function startBareServer(): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL("bare-server.ts", import.meta.url)), { execArgv: [] });
  const [port] = (await once(child, "message")) as [number];
  const post = async (action: string, name: string): Promise<unknown> => {
    const path = `http://127.0.0.1:${port}/${action}/${encodeURIComponent(name)}`;
    const response = await fetch(path, { method: "POST", body: JSON.stringify(["EVALSHA", name]) });
    return response.json();
  };
  return {
    subject: {
      label: "bare HTTP server",
      open: (_endpoint, name) => ({
        async acquire() {
          await post("acquire", name);
          return {
            async release() {
              await post("release", name);
              return true;
            },
          };
        },
      }),
      isHeld: () => Promise.reject(new Error("a bare server does not say who holds a name")),
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
