import { Redis } from "@upstash/redis";
import { expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { isRefusal } from "../../verification/histories/refusals.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });

/** What the gateway answers to one acquire. */
async function answerTo(isInBase64: boolean, name: string): Promise<string> {
  const answers: string[] = [];
  const real = globalThis.fetch;
  const listening: typeof fetch = async (...request) => {
    const response = await real(...request);
    answers.push(await response.clone().text());
    return response;
  };
  const { url, token } = stack;
  globalThis.fetch = listening;
  try {
    const locks = isInBase64
      ? createLocks({ redis: new Redis({ url, token, enableTelemetry: false }) })
      : createLocks({ url, token, fetch: listening });
    await locks.lock(name).tryAcquire();
  } finally {
    globalThis.fetch = real;
  }
  return answers.at(-1) ?? "";
}

it.each([false, true])("the proxy of the histories knows a refusal, in base64: %s", async (isInBase64) => {
  const name = freshName();
  expect(isRefusal(await answerTo(isInBase64, name))).toBe(false);
  expect(isRefusal(await answerTo(isInBase64, name))).toBe(true);
});
