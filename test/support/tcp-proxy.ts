import { connect, createServer, type Socket } from "node:net";
import { type Answer, type Arrived, createBook, type FaultProxy, listen } from "./proxy.ts";
import { parseRequest } from "./wire.ts";

/** The end of the RESP frame that begins at `from`, a command or a reply; -1 while some of it is missing. */
function frameEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let missing = 1; missing > 0; missing--) {
    const line = bytes.indexOf("\r\n", at);
    if (line === -1) return -1;
    const type = String.fromCharCode(bytes[at] as number);
    const count = Number(bytes.toString("latin1", at + 1, line));
    at = line + 2;
    if ("$=!".includes(type) && count >= 0) at += count + 2;
    if ("*~>".includes(type) && count > 0) missing += count;
    if (type === "%") missing += 2 * count;
  }
  return at <= bytes.length ? at : -1;
}

/** Calls `take` with each whole frame of what arrives. */
function frames(socket: Socket, take: (frame: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    for (let end = frameEnd(pending, 0); end !== -1; end = frameEnd(pending, 0)) {
      const frame = pending.subarray(0, end);
      pending = pending.subarray(end);
      take(frame);
    }
  });
}

/** The parts of a command, which is an array of bulk strings; or the first part of a reply. */
function partsOf(frame: Buffer): string[] {
  const parts: string[] = [];
  for (let at = frame.indexOf("\r\n") + 2; at < frame.length; ) {
    const line = frame.indexOf("\r\n", at);
    const size = Number(frame.toString("latin1", at + 1, line));
    if (frame[at] !== 0x24) return [...parts, String(size)];
    parts.push(frame.toString("utf8", line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return parts;
}

/** A reply in a word or two. */
function statusOf(reply: Buffer): string {
  const line = reply.toString("utf8", 1, reply.indexOf("\r\n"));
  if (reply[0] === 0x2d) return `error ${line.split(" ", 1)[0]}`;
  return reply[0] === 0x2a ? (partsOf(reply)[0] ?? "") : line;
}

/** A connection to Redis, which answers in order. */
function dial(port: number): { ask(command: Buffer): Promise<Buffer>; end(): void } {
  const socket = connect(port, "127.0.0.1");
  const asked: ((reply: Buffer) => void)[] = [];
  socket.on("error", () => {});
  // Not what a server says unasked.
  frames(socket, (reply) => reply[0] !== 0x3e && asked.shift()?.(reply));
  return {
    ask: (command) =>
      new Promise((resolve) => {
        asked.push(resolve);
        socket.write(command);
      }),
    end: () => socket.destroy(),
  };
}

/**
 * A TCP proxy between a client library and Redis. Faults meet the commands that run our scripts; others pass. Redis
 * answers in order: a command that is never answered silences its connection.
 */
export async function startTcpProxy(redisPort: number): Promise<FaultProxy> {
  const nears = new Set<Socket>();
  const fars = new Set<{ end(): void }>();
  const open = (): ReturnType<typeof dial> => {
    const far = dial(redisPort);
    fars.add(far);
    return far;
  };

  async function forwardTo(far: ReturnType<typeof dial>, request: Arrived): Promise<Answer> {
    const reply = await far.ask(Buffer.from(request.body, "latin1"));
    request.answers.push(statusOf(reply));
    return { status: 200, headers: {}, body: reply.toString("latin1") };
  }
  // A copy may come over a connection that its sender never had.
  const { meet, told } = createBook((copy) => forwardTo(spare, copy));
  const spare = open();
  let closed = false;

  async function away(ms: number): Promise<void> {
    server.close();
    for (const near of nears) near.destroy();
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (!closed) await listen(server, port);
  }

  const server = createServer((near) => {
    nears.add(near);
    near.on("error", () => {});
    near.on("close", () => nears.delete(near));
    const far = open();
    let before: Promise<unknown> = Promise.resolve();
    frames(near, (command) => {
      const body = command.toString("latin1");
      const parsed = parseRequest(JSON.stringify(partsOf(command)));
      let answered: (write: () => unknown) => void = () => {};
      const turn = new Promise<() => unknown>((resolve) => {
        answered = resolve;
      });
      before = Promise.all([turn, before]).then(([write]) => write());
      const answer = ({ body }: Answer): void => answered(() => near.write(Buffer.from(body, "latin1")));
      const request: Arrived = { path: "", headers: {}, body, answers: [], ...parsed };
      if (parsed.script === "") return void forwardTo(far, request).then(answer);
      meet(request, {
        forward: () => forwardTo(far, request),
        answer,
        answerHalf: ({ body }) =>
          answered(() => near.write(Buffer.from(body.slice(0, body.length / 2), "latin1"), () => near.destroy())),
        cut: () => near.destroy(),
        away,
      });
    });
  });
  const port = await listen(server, 0);

  const proxy: FaultProxy = {
    ...told,
    url: `redis://127.0.0.1:${port}`,
    async close() {
      closed = true;
      server.close();
      for (const near of nears) near.destroy();
      for (const far of fars) far.end();
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
  return proxy;
}
