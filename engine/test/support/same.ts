import { expect } from "vitest";
import { createEngine } from "../../src/redis/engine.ts";
import { ErrorReply, type Reply, Status } from "../../src/redis/reply.ts";
import type { RealRedis } from "./use-redis.ts";

/** A script, with its arguments. */
export type Script = readonly [text: string, ...args: string[]];

function shown(reply: Reply, isExact: boolean): unknown {
  if (reply instanceof Status) return { status: reply.text };
  if (reply instanceof ErrorReply) return { error: isExact ? reply.message : reply.message.split(" ")[0] };
  if (typeof reply === "bigint") return { integer: String(reply) };
  return Array.isArray(reply) ? reply.map((item) => shown(item as Reply, isExact)) : reply;
}

/** Runs scripts in memory and on the real server, and expects the same of each. */
export async function same(real: RealRedis, scripts: readonly Script[]): Promise<void> {
  const engine = createEngine({ dialect: "redis", now: Date.now, random: Math.random });
  const commands = scripts.map(([text, ...args]) => ["EVAL", text, "0", ...args]);
  const theirs = await real.client.send([["FLUSHALL"], ...commands]);
  const ours = commands.map((words) => engine.run(words));
  for (const [at, [text, ...args]] of scripts.entries()) {
    const story = [text.slice(0, 2_000), ...args.map((arg) => JSON.stringify(arg))].join("  ");
    const both = [ours[at], theirs[at + 1]].map((reply) => shown(reply as Reply, real.isExact));
    expect(both[0], story).toEqual(both[1]);
  }
}
