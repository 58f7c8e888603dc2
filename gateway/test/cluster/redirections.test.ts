import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { createSlotTable } from "../../src/redis/cluster/slot-table.ts";
import { NotSent } from "../../src/shared/error-answers.ts";
import { A, NOT_SENT, tagIn } from "../support/cluster.ts";
import { type Answer, call, pause, TOKEN } from "../support/harness.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

// The nodes are raw servers, since a real cluster agrees on its slots too soon for these tests. By their own account,
// x is the primary of every slot.
const NAMES = ["x", "y", "z"] as const;
type Name = (typeof NAMES)[number];

const TIMEOUT_MS = 5_000;

/** Another slot of the same node. */
const A2 = tagIn(101);

let nodes: Record<Name, RawServer>;
/** The nodes that the cluster reports. */
let members: readonly Name[];
/** The commands of callers that the nodes received, each as `x GET`. */
let received: string[];
/** How often a node was asked for the slots. */
let questions: number;
const open: GatewayServer[] = [];
let url: string;

const run = (...command: string[]): Promise<Answer> => call(url, command);
const post = (path: string, commands: readonly unknown[][]): Promise<Answer> => call(url + path, commands);

const addressOf = (name: Name): string => new URL(nodes[name].url).host;
const redirection = (word: "ASK" | "MOVED", to: Name): string => `-${word} 100 ${addressOf(to)}\r\n`;
const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

function topology([, question]: readonly string[]): string {
  const [host = "", port] = addressOf("x").split(":");
  if (question !== "SLOTS")
    return bulk(members.map((name) => `${name} ${addressOf(name)}@1 master - 0 0 1 connected\n`).join(""));
  questions++;
  return `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n${bulk(host)}:${port}\r\n`;
}

/** Sets the reply of a node to a command, which may depend on the key. */
function answer(name: Name, command: string, reply: (key: string) => string): void {
  nodes[name].answer(command.toLowerCase(), ([, key = ""]) => {
    received.push(`${name} ${command}`);
    return reply(key);
  });
}

beforeEach(async () => {
  const [x, y, z] = await Promise.all([startRawServer(), startRawServer(), startRawServer()]);
  nodes = { x, y, z };
  members = NAMES;
  received = [];
  questions = 0;
  for (const name of NAMES) {
    nodes[name].answer("cluster", topology);
    for (const command of ["ASKING", "MULTI"]) answer(name, command, () => "+OK\r\n");
    answer(name, "EXEC", () => "-EXECABORT Transaction discarded because of previous errors.\r\n");
    answer(name, "INCR", () => ":1\r\n");
    answer(name, "WAIT", () => ":0\r\n");
  }
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
  await Promise.all(NAMES.map((name) => nodes[name].close()));
});

async function serve(...seeds: readonly Name[]): Promise<void> {
  const redis = `redis+cluster://${seeds.map(addressOf).join(",")}`;
  const gateway = await serveGateway({ redis, token: TOKEN, port: 0, timeoutMs: TIMEOUT_MS });
  open.push(gateway);
  url = gateway.url;
}

it("a slot on its way to a node that joined just now: only that node receives ASKING", async () => {
  members = ["x"];
  await serve("x");
  members = ["x", "y"];
  answer("x", "INCR", () => redirection("ASK", "y"));
  expect((await run("INCR", A)).body).toEqual({ result: 1 });
  expect(received).toEqual(["x INCR", "y ASKING", "y INCR"]);
});

it("nodes that redirect in a circle: each is asked once, a transaction six times, then 503", async () => {
  await serve("x");
  answer("x", "INCR", () => redirection("MOVED", "y"));
  answer("y", "INCR", () => redirection("MOVED", "x"));
  const circle = ["x", "y", "x", "y", "x", "y"];
  expect(await run("INCR", A)).toMatchObject(NOT_SENT);
  expect(received).toEqual(["x INCR", "y INCR"]);
  received = [];
  expect(await post("/multi-exec", [["INCR", A]])).toMatchObject(NOT_SENT);
  expect(received.filter((command) => command.endsWith("INCR"))).toEqual(circle.map((name) => `${name} INCR`));
});

it("a transaction that is redirected to no node of the cluster: Redis's error, and nothing is sent there", async () => {
  members = ["x", "y"];
  await serve("x");
  answer("x", "INCR", () => redirection("MOVED", "z"));
  const discarded = { status: 400, body: { error: expect.stringMatching(/^EXECABORT /) } };
  expect(await post("/multi-exec", [["INCR", A]])).toMatchObject(discarded);
  expect(nodes.z.connections).toBe(0);
});

it("a pipeline with WAIT whose slots moved to two nodes: 503, and neither write runs", async () => {
  await serve("x");
  answer("x", "INCR", (key) => redirection("MOVED", key === A ? "y" : "z"));
  expect(
    await post("/pipeline", [
      ["INCR", A],
      ["INCR", A2],
      ["WAIT", 0, 0],
    ]),
  ).toMatchObject(NOT_SENT);
  expect(received).toEqual(["x INCR", "x INCR", "x WAIT"]);
});

it("MOVED in a pipeline and in a transaction: the node is asked for the slots again", async () => {
  await serve("x");
  answer("x", "INCR", () => redirection("MOVED", "y"));
  for (const path of ["/pipeline", "/multi-exec"]) {
    questions = 0;
    await post(path, [["INCR", A]]);
    // Its reply follows the one to the question, since both are sent on one connection.
    expect((await run("GET", A)).body).toEqual({ result: "VALUE" });
    expect(questions, path).toBeGreaterThan(0);
  }
});

it("a redirection after the time limit: 503, and it is not followed", async () => {
  await serve("x", "y");
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
  answer("x", "INCR", () => {
    aheadMs += TIMEOUT_MS;
    return redirection("MOVED", "y");
  });
  try {
    for (const path of ["/pipeline", "/multi-exec"])
      expect(await post(path, [["INCR", A]]), path).toMatchObject(NOT_SENT);
  } finally {
    clock.mockRestore();
  }
  expect(received).not.toContain("y INCR");
});

it("a cluster without redirections is asked for the slots every 2 s at most", async () => {
  await serve("x");
  questions = 0;
  const start = performance.now();
  await pause(1_500);
  expect(questions).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 2_000));
});

it("a node that knows no slots is not believed, even with a later epoch", async () => {
  nodes.y.answer("cluster", ([, question]) =>
    question === "SLOTS" ? "*0\r\n" : bulk(`y ${addressOf("y")}@1 master - 0 0 2 connected\n`),
  );
  await serve("x", "y");
  expect((await run("INCR", A)).body).toEqual({ result: 1 });
});

it("a redirection after the close opens no connection", async () => {
  const [host = "", port] = addressOf("x").split(":");
  const table = createSlotTable([{ host, port: Number(port), db: 0 }], TIMEOUT_MS);
  await table.opened;
  const x = table.primary(100);
  if (x === undefined) throw new Error("x is not reachable");
  table.close();
  await expect(table.redirected(addressOf("y"), x, performance.now() + TIMEOUT_MS)).rejects.toBeInstanceOf(NotSent);
  expect(nodes.y.connections).toBe(0);
});
