/** The table of shapes in Bun and Deno. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useStack } from "../support/use-stack.ts";
import { ask } from "./questions.ts";
import { IMPOSSIBLE, OWN } from "./runtimes/own.ts";
import { type Started, startIn } from "./runtimes/started.ts";
import { send } from "./send.ts";
import { SHAPES } from "./shapes/index.ts";

describe.each(["Bun", "Deno"] as const)("in %s", (runtime) => {
  const stack = useStack();
  let started: Started;
  beforeAll(async () => {
    started = await startIn(runtime, stack);
  });
  afterAll(() => started?.stop());

  it("every shape starts", () => {
    expect(started.failed).toEqual({});
  });
  const impossible = Object.entries(IMPOSSIBLE[runtime]);
  for (const shape of [...OWN, ...SHAPES]) {
    const url = (): string => started.urls[shape.name] ?? "";
    const [, because] = impossible.find(([library]) => shape.name.startsWith(library)) ?? [];
    if (because)
      it(`${shape.name} is not possible: its library fails`, async () => {
        const { status, text } = await send(url(), { path: "/echo" });
        expect([status, text]).toEqual([500, expect.stringMatching(because)]);
      });
    else describe(shape.name, () => ask(shape, async () => ({ url: url(), close: async () => {} })));
  }
});
