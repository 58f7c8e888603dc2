import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import type { Command } from "../../src/redis/backend.ts";
import { encodeCommands } from "../../src/redis/command-encoding.ts";
import { refusal } from "../../src/redis/commands.ts";
import { cut, itemsOf } from "../support/cut.ts";

/** They wait, and are answered all the same: WAIT has a connection of its own. */
const WAITS = new Set(["WAIT"]);
const MARK = "the-end-of-it";
const END: Command = ["ECHO", MARK];
/** What the first argument is: a number, or words after which some command or other says nothing. */
const FIRST = ["1", "CAPA", "ACK", "OFF", "SKIP"];
/** How many arguments each command is tried with beyond the fewest that it takes. */
const MORE = [0, 1, 2];

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis(["--cluster-enabled", "yes"]);
});
afterAll(() => redis.stop());

/** What one connection is answered, until the last of the replies is the answer to {@link END}. */
async function answers(commands: readonly Command[]): Promise<readonly Buffer[]> {
  const socket = connect(redis.port, "127.0.0.1");
  let bytes = Buffer.alloc(0);
  socket.setTimeout(5_000, () => socket.destroy(new Error("no answer")));
  socket.write(encodeCommands(commands));
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
    const { replies, rest } = cut(bytes);
    if (rest.length > 0 || !replies.at(-1)?.includes(MARK)) continue;
    socket.destroy();
    return replies;
  }
}

/** All commands and subcommands, each with how many words it takes at least, its name included. */
async function known(): Promise<{ words: string[]; min: number }[]> {
  const [list = Buffer.alloc(0)] = await answers([["COMMAND", "LIST"], END]);
  const names = (itemsOf(list) ?? []).map(String);
  const [info = Buffer.alloc(0)] = await answers([["COMMAND", "INFO", ...names], END]);
  const entries = info.toString("latin1").matchAll(/\*\d+\r\n\$\d+\r\n([\w.|-]+)\r\n:(-?\d+)\r\n/g);
  return [...entries].map(([, name = "", arity]) => ({ words: name.split("|"), min: Math.abs(Number(arity)) }));
}

it("each command that this server knows and that is not refused is answered once", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { words, min } of await known()) {
    const [name = "", ...sub] = words;
    for (const [first, more] of FIRST.flatMap((it) => MORE.map((count) => [it, count] as const))) {
      const rest = Array.from({ length: Math.max(min - words.length, 0) + more }, (_, at) => (at === 0 ? first : "1"));
      const command: Command = [name, ...sub, ...rest];
      if (WAITS.has(name.toUpperCase()) || refusal(command) !== undefined) continue;
      tried++;
      const replies = await answers([command, END]);
      if (replies.length !== 2) wrong.push(`${command.join(" ")}: ${replies.length - 1}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(3_000);
}, 60_000);
