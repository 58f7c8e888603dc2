/** The examples of docs/chat.md with the real package, on two servers over one Redis. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter, Chat, StateAdapter } from "chat";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { blocksOf, ROOT, textOf } from "../../../test/documents/markdown.ts";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { chatState } from "../../src/chat/index.ts";
import { gate } from "../turn/stage.ts";
import { createPlatform, deliver } from "./platform.ts";

interface Model {
  answer(text: string, signal: AbortSignal): Promise<string>;
  store(answer: string, token: number): Promise<void>;
}
interface Example {
  createBot(slack: Adapter): Chat;
  createFencedBot(slack: Adapter, model: Model): Chat;
}

const stack = useStack({ warm: true });
let folder: string;
let example: Example;
beforeAll(async () => {
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  folder = mkdtempSync(join(ROOT, "agents/test/chat/.examples-"));
  const blocks = blocksOf(textOf("docs/chat.md")).filter(({ language }) => language === "ts");
  const modules = blocks.map(({ text }, at) => {
    const file = join(folder, `example-${at}.ts`);
    // The program's own log says what the tests provoke.
    writeFileSync(file, text.replace('userName: "helper",', 'userName: "helper", logger: "silent",'));
    return import(/* @vite-ignore */ file) as Promise<Partial<Example>>;
  });
  example = Object.assign({}, ...(await Promise.all(modules))) as Example;
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** One platform, and bots on two servers. */
function startBots(make: (slack: Adapter) => Chat) {
  const [one, two] = [createPlatform(), createPlatform()];
  return { one, two, bots: [make(one.adapter), make(two.adapter)] as const };
}
const posted = (...platforms: readonly { readonly posted: readonly string[] }[]): string[] =>
  platforms.flatMap((each) => each.posted.map((text) => /[^"]*: [^"]*/.exec(text)?.[0] ?? text));

it("chatState is a StateAdapter of chat, by its type", () => {
  const state: StateAdapter = chatState(createLocks({ url: stack.url, token: stack.token }));
  expect(Object.keys(state)).toHaveLength(18);
});

it("answers a message once, whichever server gets the duplicate, and remembers the subscription", async () => {
  const { one, two, bots } = startBots((slack) => example.createBot(slack));
  const thread = freshName("slack:C1");
  const first = { thread, id: freshName("m1"), text: "hello" };
  await Promise.all([deliver(bots[0], first), deliver(bots[1], first), deliver(bots[0], first)]);
  await expect.poll(() => posted(one, two)).toEqual(["You said: hello"]);
  await deliver(bots[1], { thread, id: freshName("m2"), text: "again" });
  await expect.poll(() => posted(one, two).sort()).toEqual(["And then: again", "You said: hello"]);
});

it("queues what arrives on the other server while a message is answered", async () => {
  const { one, two, bots } = startBots((slack) => example.createBot(slack));
  const [begun, goOn] = [gate(), gate()];
  bots[0].onSubscribedMessage(async () => {
    begun.open();
    await goOn.opened;
  });
  const thread = freshName("slack:C2");
  await deliver(bots[0], { thread, id: freshName("m1"), text: "hello" });
  await expect.poll(() => posted(one)).toEqual(["You said: hello"]);
  const busy = deliver(bots[0], { thread, id: freshName("m2"), text: "two" });
  await begun.opened;
  await deliver(bots[1], { thread, id: freshName("m3"), text: "three" });
  const state = chatState(createLocks({ url: stack.url, token: stack.token }));
  await state.connect();
  await expect.poll(() => state.queueDepth(thread)).toBe(1);
  expect(posted(two)).toEqual([]);
  goOn.open();
  await busy;
  await expect.poll(() => posted(one)).toEqual(["You said: hello", "And then: two", "And then: three"]);
  expect(posted(two)).toEqual([]);
  expect(await state.queueDepth(thread)).toBe(0);
});

it("a newer message ends the turn of the older one, which stores nothing", async () => {
  const stored: [answer: string, token: number][] = [];
  const asked = gate();
  const reasons: unknown[] = [];
  const model: Model = {
    async answer(text, signal) {
      if (text !== "old") return `answer: ${text}`;
      asked.open();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return "never";
    },
    async store(answer, token) {
      stored.push([answer, token]);
    },
  };
  const watched: Model = {
    ...model,
    answer: (text, signal) =>
      model.answer(text, signal).catch((error: unknown) => {
        reasons.push(error);
        throw error;
      }),
  };
  const { one, two, bots } = startBots((slack) => example.createFencedBot(slack, watched));
  const thread = freshName("slack:C3");
  const old = deliver(bots[0], { thread, id: freshName("m1"), text: "old" }).catch(() => undefined);
  await asked.opened;
  await deliver(bots[1], { thread, id: freshName("m2"), text: "new" });
  await old;
  await expect.poll(() => reasons).toEqual([expect.objectContaining({ code: "lease_lost", reason: "forced" })]);
  await expect.poll(() => posted(one, two)).toEqual(["answer: new"]);
  expect(stored).toEqual([["answer: new", expect.any(Number)]]);
});
