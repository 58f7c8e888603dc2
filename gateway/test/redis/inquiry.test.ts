import { expect, it, onTestFinished, vi } from "vitest";
import { startRedis } from "../../../tools/redis.ts";
import type { Reply } from "../../src/redis/backend.ts";
import { createBelief, createInquiry } from "../../src/redis/inquiry.ts";
import { createNodes } from "../../src/redis/nodes.ts";
import { received } from "../../src/shared/receiver.ts";

it("a node gets one question at a time, however often it is to be asked", async () => {
  const redis = await startRedis();
  const nodes = createNodes([{ host: "127.0.0.1", port: redis.port, db: 0 }], 1_000);
  onTestFinished(async () => {
    nodes.close();
    await redis.stop();
  });
  const answers: string[] = [];
  const { ask } = createInquiry(
    nodes,
    1_000,
    async ({ backend }) => {
      const [reply] = await received<readonly Reply[]>((to) => backend.send([["INCR", "questions"]], to));
      return String(reply);
    },
    (answer) => void answers.push(answer),
  );
  const [node] = nodes.seeds;
  if (node === undefined) throw new Error("no seed");
  await node.backend.opened;
  await Promise.all([ask(node), ask(node)]);
  expect(answers).toEqual(["1"]);
  await ask(node);
  expect(answers).toEqual(["1", "2"]);
});

it("an answer with an earlier epoch is behind, until the current answer is 10 s old", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const belief = createBelief();
  const compared = (): string[] => [4, 5, 6].map((epoch) => belief.compare(epoch));
  expect(compared()).toEqual(["ahead", "ahead", "ahead"]);
  belief.renew(5);
  expect(compared()).toEqual(["behind", "same", "ahead"]);
  vi.advanceTimersByTime(10_001);
  expect(compared()).toEqual(["ahead", "ahead", "ahead"]);
});
