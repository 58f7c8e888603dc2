import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let services: Upstream;
let worker: ExampleWorker;
let locks: Locks;
beforeAll(async () => {
  services = await startUpstream();
  const vars = { MODEL_URL: `${services.url}/model`, TOOLS_URL: `${services.url}/tools`, LEASE: "1500ms" };
  worker = await startWorker("agent-turn", stack, { vars, database: "DB" });
  locks = createLocks({ url: stack.url, token: stack.token });
});
afterAll(async () => {
  await worker?.stop();
  await services?.stop();
});

const conversationOf = (): string => freshName().replace(/\W/g, "_");
const say = async (conversation: string, id: string): Promise<readonly [number, unknown]> => {
  const body = JSON.stringify({ id, text: id });
  const answer = await worker.fetch(`/conversations/${conversation}`, { method: "POST", body });
  return [answer.status, answer.ok ? ((await answer.json()) as { answer: string }).answer : await answer.text()];
};
const OVERTAKEN = [409, "a newer message is being answered\n"];
const text = (text: string): string => JSON.stringify({ text });
const CALL = JSON.stringify({ tool: { name: "weather" } });
const database = () => worker.mf.getD1Database("DB");
/** The conversation so far: `user hello`. */
async function said(conversation: string): Promise<string[]> {
  const sql = "SELECT role, content FROM messages WHERE conversation = ? ORDER BY seq";
  const { results } = await (await database()).prepare(sql).bind(conversation).all();
  return results.map(({ role, content }) => `${role} ${content}`);
}
const tokensOf = (path: string): number[] =>
  services.asked(path).map(({ headers }) => Number(headers["fencing-token"]));

describe("a turn of an agent", () => {
  it("calls a tool with its token, answers, and gives a message that comes again the same answer", async () => {
    const conversation = conversationOf();
    const before = services.asked("/model").length;
    const held = services.hold("/model");
    services.reply("/model", text("rain"));
    services.reply("/tools", '{"sky":"grey"}');
    const turn = say(conversation, "weather?");
    await held.arrived;
    held.answer(CALL);
    expect(await turn).toEqual([200, "rain"]);
    const all = ["user weather?", 'call {"name":"weather"}', 'result {"sky":"grey"}', "agent rain"];
    expect(await said(conversation)).toEqual(all);
    expect(new Set([...tokensOf("/tools"), ...tokensOf("/model").slice(before)]).size).toBe(1);

    expect(await say(conversation, "weather?")).toEqual([200, "rain"]);
    expect(await said(conversation)).toEqual(all);
    expect(services.asked("/model")).toHaveLength(before + 2);
    expect(await locks.fairLock(`conversation:${conversation}`).inspect()).toMatchObject({ state: "free" });
  });

  it("ends when a newer message takes the conversation, whose run answers both", async () => {
    const conversation = conversationOf();
    const held = services.hold("/model");
    const first = say(conversation, "one");
    await held.arrived;
    services.reply("/model", text("both"));
    expect(await say(conversation, "two")).toEqual([200, "both"]);
    // The model has not answered it, and never does: its request was aborted.
    expect(await first).toEqual(OVERTAKEN);
    expect(await said(conversation)).toEqual(["user one", "user two", "agent both"]);
  });

  it("calls no tool and writes nothing once it was overtaken, also before it notices", async () => {
    const conversation = conversationOf();
    const before = services.asked("/tools").length;
    const held = services.hold("/model");
    const turn = say(conversation, "one");
    await held.arrived;
    // A later run's first act, and nothing more yet.
    const claim = "UPDATE leasehold_fence SET token = token + 1 WHERE name = ?";
    await (await database()).prepare(claim).bind(`conversation:${conversation}`).run();
    held.answer(CALL);
    expect(await turn).toEqual(OVERTAKEN);
    expect(await said(conversation)).toEqual(["user one"]);
    expect(services.asked("/tools")).toHaveLength(before);
  });

  it("leaves a message that it has not read to the run of that message", async () => {
    const conversation = conversationOf();
    const held = services.hold("/model");
    const turn = say(conversation, "one");
    await held.arrived;
    // Its request is on its way to the lock.
    const insert = "INSERT INTO messages (conversation, id, role, content) VALUES (?, 'two', 'user', 'two')";
    await (await database()).prepare(insert).bind(conversation).run();
    held.answer(text("to the first only"));
    expect(await turn).toEqual(OVERTAKEN);
    services.reply("/model", text("both"));
    expect(await say(conversation, "two")).toEqual([200, "both"]);
    expect(await said(conversation)).toEqual(["user one", "user two", "agent both"]);
  });

  it("runs for longer than its lease", async () => {
    const conversation = conversationOf();
    const held = services.hold("/model");
    const turn = say(conversation, "slow");
    await held.arrived;
    await pause(2000);
    held.answer(text("done"));
    expect(await turn).toEqual([200, "done"]);
  });
});
