import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { stage, until } from "../support/harness.ts";

const TIMEOUT_MS = 400;
const it_ = stage({ timeoutMs: TIMEOUT_MS });

it("takes an answer that arrived in time when the process was frozen until after it, and keeps the connection", async () => {
  const id = (await it_.run("CLIENT", "ID")).text;
  // A counter of its own for each attempt, so that a retry begins at 1 as well.
  const counter = randomUUID();
  await it_.redis.command("CLIENT", "PAUSE", "150", "WRITE");
  const held = Array.from({ length: 5 }, () => it_.run("INCR", counter));
  await until(
    () => it_.redis.command("INFO", "clients"),
    (text) => /blocked_clients:[1-9]/.test(text),
  );
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUT_MS);
  expect((await Promise.all(held)).map(({ status, body }) => [status, body])).toEqual(
    [1, 2, 3, 4, 5].map((result) => [200, { result }]),
  );
  expect((await it_.run("CLIENT", "ID")).text).toBe(id);
});
