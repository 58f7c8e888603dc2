import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

let server: RawServer;
let gateway: GatewayServer;
const ask = (...command: string[]): Promise<Answer> => call(gateway.url, command);

beforeEach(async () => {
  server = await startRawServer();
  gateway = await serveGateway({ redis: server.url, token: TOKEN, port: 0, timeoutMs: 3_000 });
  await until(
    () => ask("PING"),
    ({ status }) => status === 200,
  );
});
afterEach(async () => {
  await gateway.close();
  await server.close();
});

it.each([
  ["a string as long as no buffer can be", "$9007199254740991\r\nx"],
  ["a string of more digits than a number has", `$${"9".repeat(400)}\r\n`],
  ["an array of as many", "*9007199254740991\r\n:1\r\n"],
  ["a string whose length is no number", "$1x\r\nx\r\n"],
  ["a string of a negative length that is not null's (W20)", "$-5x\r\n"],
  ["a string that is longer than its length", "$1\r\nxyz\r\n"],
  ["a number without an end", `:${"1".repeat(100_000)}`],
  ["a type that there is not", "%1\r\n+a\r\n+b\r\n"],
])("%s ends its connection only, and its callers get 504 with the reason", async (_, bytes) => {
  // It comes when three of them are waiting.
  let waiting = 0;
  const wait = (_: unknown, socket: Socket): undefined => {
    waiting++;
    if (waiting === 3) socket.write(bytes);
  };
  for (const name of ["get", "bad", "echo"]) server.answer(name, wait);
  const before = server.connections;
  const answers = await Promise.all([ask("BAD"), call(`${gateway.url}/pipeline`, [["BAD"]])]);
  server.answer("get", () => "+VALUE\r\n");
  server.answer("echo", ([, text = ""]) => `$${text.length}\r\n${text}\r\n`);
  for (const answer of answers) {
    expect(answer.status).toBe(504);
    expect(answer.text).toMatch(/^\{"error":"Redis sent no valid reply \([^)]+\): what was sent may have run"\}$/);
  }
  await until(
    () => ask("GET", "a"),
    ({ text }) => text === '{"result":"VALUE"}',
  );
  expect(server.connections).toBe(before + 1);
});

it.each(["resp2", "json"])("such a reply in %s reaches only the caller who has asked for it", async (format) => {
  server.answer("bad", () => "*3\r\n$5\r\nhello\r\n$9007199254740991\r\n");
  const headers = { "upstash-response-format": format };
  const { status, text } = await call(gateway.url, ["BAD"], { headers });
  expect([status, text]).toEqual([504, expect.stringContaining("Redis sent no valid reply")]);
  await until(
    () => ask("GET", "a"),
    (answer) => answer.status === 200,
  );
});

/** How the rest of an answer that nobody asked for arrives. */
const RESTS: Readonly<Record<string, (socket: Socket) => void>> = {
  "together with the next answer": (socket) => void socket.write("ret\r\n+VALUE\r\n"),
  "before the next answer": (socket) => {
    socket.write("ret\r\n");
    setTimeout(() => socket.write("+VALUE\r\n"), 20);
  },
};

it.each(Object.keys(RESTS))(
  "a second answer that is still arriving when nothing is due goes to nobody: its rest comes %s",
  async (when) => {
    for (const secret of ["$6\r\nsec", "+sec", "*2\r\n$6\r\nsecret\r\n", "$6\r\nsecret\r"]) {
      server.answer("twice", (_, socket) => {
        socket.write("+first\r\n");
        setTimeout(() => socket.write(secret), 20);
        return undefined;
      });
      server.answer("get", (_, socket) => {
        RESTS[when]?.(socket);
        return undefined;
      });
      expect((await ask("TWICE")).body).toEqual({ result: "first" });
      await pause(60);
      const next = await ask("GET", "a");
      expect(next.text).not.toContain("sec");
      server.answer("get", () => "+VALUE\r\n");
      await until(
        () => ask("GET", "a"),
        ({ text }) => text === '{"result":"VALUE"}',
      );
    }
  },
);

it("a second answer that comes with the first goes to nobody, and neither does the first", async () => {
  server.answer("twice", () => "+first\r\n$6\r\nsec");
  const before = server.connections;
  expect((await ask("TWICE")).status).toBe(504);
  await until(
    () => ask("GET", "a"),
    ({ text }) => text === '{"result":"VALUE"}',
  );
  expect(server.connections).toBe(before + 1);
});
