import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MockLanguageModelV4, MockProviderV4 } from "ai/test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { gate } from "../../agents/test/turn/stage.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { bundle, ROOT } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

type Stream = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Stream extends ReadableStream<infer P> ? P : never;

const stack = useStack({ warm: true });
let restaurant: Upstream;
let dir: string;
let POST: (request: Request) => Promise<Response>;
/** The next answers of the model, each as long as its script says. */
const answers: MockLanguageModelV4["doStream"][] = [];
const model = new MockLanguageModelV4({
  doStream: (options) => {
    const next = answers.shift();
    if (!next) throw new Error("the model was asked once too often");
    return next(options);
  },
});
beforeAll(async () => {
  restaurant = await startUpstream();
  dir = mkdtempSync(join(ROOT, "test/workers/.examples-"));
  const file = join(dir, "route.mjs");
  writeFileSync(file, await bundle("next-agent.ts", "node"));
  ({ POST } = (await import(pathToFileURL(file).href)) as { POST: typeof POST });
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  vi.stubEnv("RESTAURANT_URL", restaurant.url);
  vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", new MockProviderV4({ languageModels: { scripted: model } }));
  vi.stubEnv("MODEL", "scripted");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await restaurant?.stop();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finish = (unified: "stop" | "tool-calls"): Part => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage,
});
const says = (text: string): Part[] => [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: text },
  { type: "text-end", id: "1" },
  finish("stop"),
];
const calls = (time: string): Part[] => [
  { type: "tool-call", toolCallId: `call ${time}`, toolName: "book", input: JSON.stringify({ time }) },
  finish("tool-calls"),
];
function streamed(parts: Part[]): MockLanguageModelV4["doStream"] {
  const start = (to: ReadableStreamDefaultController<Part>): void => {
    for (const part of parts) to.enqueue(part);
    to.close();
  };
  return async () => ({ stream: new ReadableStream({ start }) });
}

/** An answer that begins, and then goes on until its request is aborted. */
function endless() {
  const begun = gate();
  const aborted = gate<unknown>();
  const answer: MockLanguageModelV4["doStream"] = async ({ abortSignal }) => ({
    stream: new ReadableStream<Part>({
      start(to) {
        to.enqueue({ type: "text-start", id: "1" });
        to.enqueue({ type: "text-delta", id: "1", delta: "I think" });
        begun.open();
        abortSignal?.addEventListener("abort", () => {
          aborted.open(abortSignal.reason);
          to.error(abortSignal.reason);
        });
      },
    }),
  });
  return { answer, begun: begun.opened, aborted: aborted.opened };
}

/** Sends the message of a conversation; the events of the answer. */
async function say(id: string, message: string, signal?: AbortSignal): Promise<{ type: string; delta?: string }[]> {
  const messages = [{ id: message, role: "user", parts: [{ type: "text", text: message }] }];
  const body = JSON.stringify({ id, messages });
  const answer = await POST(
    new Request("https://app.example/api/chat", { method: "POST", body, signal: signal ?? null }),
  );
  const text = await answer.text();
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, event = ""]) => JSON.parse(event));
}
const textOf = (events: readonly { delta?: string }[]): string => events.map(({ delta = "" }) => delta).join("");

it("answers, and calls a tool once with its token, also when the message comes again", async () => {
  const id = freshName();
  restaurant.reply("/book/8pm", "table 5");
  for (const _ of [1, 2]) {
    answers.push(streamed(calls("8pm")), streamed(says("You have table 5.")));
    expect(textOf(await say(id, "a table at 8"))).toContain("You have table 5.");
  }
  const booked = restaurant.asked("/book/8pm");
  expect(booked).toHaveLength(1);
  expect(Number(booked[0]?.headers["fencing-token"])).toBeGreaterThan(0);
});

it("ends the answer that is streaming, and its request to the model, when a newer message comes", async () => {
  const id = freshName();
  const slow = endless();
  answers.push(slow.answer, streamed(says("Hello again.")));
  const first = say(id, "hello");
  await slow.begun;
  expect(textOf(await say(id, "hello?"))).toBe("Hello again.");
  expect(await slow.aborted).toMatchObject({ code: "lease_lost", reason: "forced" });
  const events = await first;
  expect(textOf(events)).toBe("I think");
  expect(events.map(({ type }) => type)).toContain("abort");
  expect(events.at(-1)).toMatchObject({ type: "error", errorText: "A newer message is being answered." });
});

it("calls no tool once it was overtaken", async () => {
  const id = freshName();
  const late = gate();
  answers.push(
    async (options) => {
      await late.opened;
      return streamed(calls("9pm"))(options);
    },
    streamed(says("Another table.")),
  );
  const first = say(id, "a table at 9");
  while (answers.length > 1) await pause(5);
  expect(textOf(await say(id, "no, another one"))).toBe("Another table.");
  late.open();
  await first;
  expect(restaurant.asked("/book/9pm")).toEqual([]);
});

it("ends with the connection of its user", async () => {
  const slow = endless();
  answers.push(slow.answer);
  const left = new AbortController();
  const ended = say(freshName(), "hello", left.signal);
  await slow.begun;
  left.abort(new Error("the user left"));
  expect(await slow.aborted).toMatchObject({ message: "the user left" });
  await ended;
});
