import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../tools/redis.ts";
import { serveGateway } from "../../src/index.ts";
import { call, pause, stage, TOKEN, until } from "../support/harness.ts";
import { start, urlIn } from "../support/process.ts";

const it_ = stage();
const portOf = (url: string): number => Number(new URL(url).port);

const request = (...command: string[]): string => {
  const body = JSON.stringify(command);
  return `POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

interface Answered {
  readonly isLast: boolean;
  readonly body: string;
}

/** A connection that is kept: what is answered on it, and how it ended. */
interface Client {
  readonly socket: Socket;
  /** Bytes of answers, whole ones taken out of it by {@link Client.next}. */
  next(): Promise<Answered>;
  /** How it ended: `closed` in good order, or the code of an error. */
  readonly end: Promise<string>;
}

async function open(port: number): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  let failure = "closed";
  let wake = (): void => {};
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    wake();
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (failure = error.code ?? "error"));
  const end = new Promise<string>((resolve) => {
    socket.once("close", () => {
      resolve(failure);
      wake();
    });
  });
  /** The length of the text with the answer that has begun. It is not searched again before that has arrived. */
  let needed = 0;
  function take(): Answered | undefined {
    if (text.length < needed) return undefined;
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (head === -1) return undefined;
    needed = head + 4 + length;
    if (text.length < needed) return undefined;
    const isLast = /\r\nconnection: close\r\n/i.test(text.slice(0, head + 2));
    const body = text.slice(head + 4, needed);
    text = text.slice(needed);
    needed = 0;
    return { isLast, body };
  }
  return {
    socket,
    end,
    async next() {
      for (;;) {
        const answer = take();
        if (answer !== undefined) return answer;
        if (socket.destroyed) throw new Error(`no answer: ${failure}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

const serve = (options: object = {}) => serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, ...options });
const countOf = async (key: string): Promise<number> =>
  Number((await it_.redis.command("GET", key)).split("\r\n").at(-2) ?? Number.NaN);
const isHeld = () =>
  until(
    () => it_.redis.command("INFO", "clients"),
    (text) => /blocked_clients:[1-9]/.test(text),
  );

describe("the end", () => {
  it("SIGTERM under 100 busy keep-alive clients: no reset, no request lost, and each last answer has Connection: close", async () => {
    const { child, firstLine, ended } = start(["--redis", it_.redis.url, "--port", "0"], {
      LEASEHOLD_TOKEN: TOKEN,
    });
    const port = portOf(urlIn(await firstLine));
    let ok = 0;
    let isOver = false;
    async function busy(at: number): Promise<string> {
      const client = await open(port);
      for (;;) {
        client.socket.write(request("INCR", "busy"));
        const { isLast, body } = await client.next();
        expect(body).toMatch(/^\{"result":\d+\}$/);
        ok++;
        if (isLast) return `${isOver ? "told" : "early"}, ${await client.end}`;
        // A client of each kind, from one that asks without a pause to one that asks ten times a second.
        await pause(at % 10 === 0 ? 0 : at);
      }
    }
    const clients = Array.from({ length: 100 }, (_, at) => busy(at).catch((error: unknown) => String(error)));
    await until(
      async () => ok,
      (count) => count > 500,
    );
    isOver = true;
    child.kill("SIGTERM");
    expect(new Set(await Promise.all(clients))).toEqual(new Set(["told, closed"]));
    expect(await ended).toMatchObject({ code: 0 });
    expect(await countOf("busy")).toBe(ok);
  });

  it("answers a request that arrives on an idle connection just after it, and ends those without one", async () => {
    const gateway = await serve();
    const [late, idle, silent, slow] = await Promise.all([1, 2, 3, 4].map(() => open(gateway.port)));
    if (!late || !idle || !silent || !slow) throw new Error("four clients");
    for (const client of [late, idle]) {
      client.socket.write(request("INCR", "late"));
      expect((await client.next()).isLast).toBe(false);
    }
    const text = request("INCR", "late");
    slow.socket.write(text.slice(0, 40));
    await until(
      () => call(gateway.url, ["PING"]),
      ({ status }) => status === 200,
    );
    const closed = gateway.close();
    await pause(50);
    late.socket.write(text);
    expect(await late.next()).toEqual({ isLast: true, body: '{"result":3}' });
    // One that was opened to have it at hand.
    silent.socket.write(text);
    expect(await silent.next()).toEqual({ isLast: true, body: '{"result":4}' });
    expect(await idle.end).toBe("closed");
    // Half a request is no idle connection.
    slow.socket.write(text.slice(40));
    expect(await slow.next()).toEqual({ isLast: true, body: '{"result":5}' });
    expect(await Promise.all([late.end, silent.end, slow.end])).toEqual(["closed", "closed", "closed"]);
    await closed;
  });

  it("answers all requests that were sent one behind the other, and only the last answer says so", async () => {
    const gateway = await serve();
    const client = await open(gateway.port);
    await it_.redis.command("CLIENT", "PAUSE", "60000", "WRITE");
    client.socket.write(request("INCR", "piped").repeat(3));
    await isHeld();
    const closed = gateway.close();
    client.socket.write(request("INCR", "piped"));
    await pause(50);
    await it_.redis.command("CLIENT", "UNPAUSE");
    const answers = [await client.next(), await client.next(), await client.next(), await client.next()];
    expect(answers).toEqual([1, 2, 3, 4].map((result) => ({ isLast: result === 4, body: JSON.stringify({ result }) })));
    expect(await client.end).toBe("closed");
    await closed;
    expect(await countOf("piped")).toBe(4);
  });

  it("answers what comes together with a request that is refused", async () => {
    const gateway = await serve();
    const client = await open(gateway.port);
    const closed = gateway.close();
    const refused = "GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n";
    client.socket.write(refused + request("INCR", "refused"));
    expect(await client.next()).toEqual({ isLast: false, body: expect.stringContaining("Host") });
    expect(await client.next()).toEqual({ isLast: true, body: '{"result":1}' });
    await closed;
  });

  it("runs nothing that comes behind the last answer", async () => {
    const gateway = await serve();
    const client = await open(gateway.port);
    const closed = gateway.close();
    client.socket.write(request("INCR", "behind"));
    expect((await client.next()).isLast).toBe(true);
    client.socket.write(request("INCR", "behind"));
    await client.end;
    await closed;
    expect(await countOf("behind")).toBe(1);
  });

  it("lets a large answer arrive whole, however slowly it is read", async () => {
    const gateway = await serve();
    const size = 12_000_000;
    await it_.redis.command("EVAL", "return redis.call('SET', 'large', string.rep('x', ARGV[1]))", "0", String(size));
    const client = await open(gateway.port);
    client.socket.write(request("GET", "large"));
    await once(client.socket, "data");
    client.socket.pause();
    const closed = gateway.close();
    await pause(1_000);
    client.socket.resume();
    expect((await client.next()).body).toHaveLength(size + '{"result":""}'.length);
    expect(await client.end).toBe("closed");
    await closed;
  });

  it("tells those who ask whether it is ready, too, and resets none of them", async () => {
    const adminPort = await freePort();
    const gateway = await serve({ adminPort });
    const [watcher, user] = [await open(adminPort), await open(gateway.port)];
    const ask = "GET /ready HTTP/1.1\r\nHost: h\r\n\r\n";
    watcher.socket.write(ask);
    expect(await watcher.next()).toEqual({ isLast: false, body: '{"status":"ready"}' });
    await it_.redis.command("CLIENT", "PAUSE", "60000", "WRITE");
    user.socket.write(request("INCR", "watched"));
    await isHeld();
    const closed = gateway.close();
    watcher.socket.write(ask);
    expect(await watcher.next()).toEqual({ isLast: true, body: '{"status":"closing"}' });
    expect(await watcher.end).toBe("closed");
    await it_.redis.command("CLIENT", "UNPAUSE");
    expect((await user.next()).isLast).toBe(true);
    await closed;
  });
});
