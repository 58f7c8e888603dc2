import { type ClientRequest, request } from "node:http";
import { createLocks, type Locks } from "../../../src/index.ts";

/** A client on sockets of its own, which a test can freeze or end. */
export interface MortalClient {
  readonly locks: Locks;
  /** Resolves when it has a request on its way that has not been answered for so long. */
  untilHeld(ms: number): Promise<void>;
  /** Sends and hears nothing from now on. Its sockets stay open. */
  freeze(): void;
  /** Closes its sockets, as the end of its process does. */
  die(): void;
}

/** Makes a client of a server that speaks the REST protocol. */
export function mortalClient(url: string, token: string): MortalClient {
  const open = new Map<ClientRequest, number>();
  let isSilent = false;

  const send = (target: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      if (isSilent) return;
      const sent = request(target, { method: "POST", headers: init.headers as Record<string, string>, agent: false });
      open.set(sent, performance.now());
      sent.on("close", () => open.delete(sent));
      sent.on("error", (error) => isSilent || reject(error));
      sent.on("response", async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
        if (!isSilent) resolve(new Response(Buffer.concat(parts), { status: answer.statusCode ?? 500, headers }));
      });
      sent.end(init.body);
    });

  return {
    locks: createLocks({ url, token, fetch: send as typeof fetch }),
    async untilHeld(ms) {
      const isHeld = (): boolean => [...open.values()].some((since) => performance.now() - since > ms);
      while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    freeze() {
      isSilent = true;
    },
    die() {
      isSilent = true;
      for (const sent of open.keys()) sent.destroy();
    },
  };
}
