import { expect, it } from "vitest";
import { A, B, C, clusterStage } from "../support/cluster.ts";
import { TOKEN, until } from "../support/harness.ts";
import { listen } from "../support/listen.ts";

const it_ = clusterStage();

async function raw(path: string, body: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" };
  const response = await fetch(it_.gateway.url + path, { method: "POST", body: JSON.stringify(body), headers });
  return response.text();
}

it("resp2: the replies of all nodes, in the order of the commands", async () => {
  await raw(
    "/pipeline",
    [A, B, C].map((key, i) => ["SET", key, "x".repeat(i + 1)]),
  );
  const commands = [["GET", C], ["GET", A], ["LPUSH", B, 1], ["GET", B], ["PING"], ["GET", `${A}none`]];
  const replies = await raw("/pipeline", commands);
  expect(replies).toMatch(/^\$3\r\nxxx\r\n\$1\r\nx\r\n-WRONGTYPE [^\r]*\r\n\$2\r\nxx\r\n\+PONG\r\n\$-1\r\n$/);
});

it("a subscription hears what is published to any node", async () => {
  const heard = await listen(`${it_.gateway.url}/subscribe/chat`);
  expect(await heard.first(1)).toEqual(["subscribe,chat,1"]);
  for (const [i, server] of it_.cluster.servers.entries()) await server.command("PUBLISH", "chat", `${i}`);
  const count = it_.cluster.servers.length;
  const events = (await heard.first(1 + count)).slice(1);
  expect(events.toSorted()).toEqual(Array.from({ length: count }, (_, i) => `message,chat,${i}`));
  heard.leave();
  await until(
    async () => Promise.all(it_.cluster.servers.map((server) => server.command("PUBSUB", "NUMSUB", "chat"))),
    (answers) => answers.every((answer) => answer.endsWith(":0\r\n")),
  );
});

it("a script for Upstash's Redis runs on the node of its keys", async () => {
  for (const key of [A, B, C]) {
    const script = "#!lua flags=allow-key-locking\nreturn redis.call('SET', KEYS[1], ARGV[1])";
    expect((await it_.run("EVAL", script, 1, key, "by-script")).body).toEqual({ result: "OK" });
    expect((await it_.run("GET", key)).body).toEqual({ result: "by-script" });
  }
});
