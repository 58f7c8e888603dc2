import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryBackend } from "../../src/memory/backend.ts";
import {
  type Backend,
  elementsOf,
  type Feed,
  type Listener,
  overridden,
  type Reply,
  repliesOf,
} from "../../src/redis/backend.ts";
import { LongList } from "../../src/redis/long-list.ts";
import { holdOf } from "../../src/shared/budget.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../../src/shared/error-answers.ts";

let backend: Backend;
beforeEach(async () => {
  backend = createMemoryBackend();
  await backend.opened;
});

const run = async (...command: [string, ...string[]]): Promise<Reply | undefined> =>
  (await repliesOf(backend, [command]))[0];

function feed(...command: [string, ...string[]]): Feed {
  const made = backend.feed(command);
  if (made instanceof Error) throw made;
  return made;
}

/** What a feed tells its listener. */
function listener(): Listener & { readonly replies: string[]; readonly events: string[] } {
  const replies: string[] = [];
  const events: string[] = [];
  return {
    ...{ replies, events },
    onReply: (reply) => replies.push(elementsOf(reply).map(String).join(" ")),
    onTooLarge: () => events.push("too large"),
    onEnd: () => events.push("end"),
  };
}
const LIMITS = { withinMs: 1_000, maxPending: 100 };

describe("the backend of --memory", () => {
  it("gives the replies in the gateway's own form", async () => {
    await run("SET", "n", "9007199254740993");
    expect(await run("INCR", "n")).toBe("9007199254740994");
    expect(await run("SET", "é", "漢\0")).toEqual(Buffer.from("OK"));
    expect(await run("GET", "é")).toEqual(Buffer.from("漢\0"));
    expect(await run("GET", "none")).toBeNull();
    expect(await run("GET")).toEqual(new Error("ERR wrong number of arguments for 'get' command"));
    expect(await run("é")).toEqual(new Error("ERR unknown command 'é', with args beginning with: "));
  });

  it("packs the short texts of a long list", async () => {
    const items = Array.from({ length: 2_000 }, (_, at) => `item ${at}`);
    await run("RPUSH", "list", ...items);
    const list = await run("LRANGE", "list", "0", "-1");
    expect(list).toBeInstanceOf(LongList);
    expect(elementsOf(list).map(String)).toEqual(items);
  });

  it("replaces arrays in more than 512 arrays by an error, as for a server", async () => {
    const nested = async (depth: number): Promise<Reply | undefined> => {
      const script = "local t = {} for _ = 1, tonumber(ARGV[1]) do t = {t} end return t";
      let reply = await run("EVAL", script, "0", String(depth));
      for (let level = 0; level < 512; level++) [reply] = elementsOf(reply);
      return reply;
    };
    expect(await nested(512)).toEqual(new Error("ERR arrays in more than 512 arrays are left out"));
    expect(await nested(511)).toBeUndefined();
  });

  it("fails a request whose replies have no room, once they have run", async () => {
    const sent = (form: "values" | "bytes") =>
      repliesOf(
        backend,
        [
          ["ECHO", "x".repeat(30_000)],
          ["INCR", "runs"],
        ],
        { room: holdOf(20_000), form },
      );
    for (const form of ["values", "bytes"] as const) await expect(sent(form)).rejects.toThrow(ReplyTooLarge);
    await expect(backend.transact([["ECHO", "x".repeat(30_000)]], holdOf(20_000))).rejects.toThrow(ReplyTooLarge);
    expect(await run("GET", "runs")).toEqual(Buffer.from("2"));
  });

  it("ends its feeds when it is closed, and then sends nothing", async () => {
    const heard = listener();
    // As by the wrappers that count, and that refuse what may not be read.
    const wrapped = overridden(backend, {});
    const made = wrapped.feed(["SUBSCRIBE", "a", "b", "a"]);
    if (made instanceof Error) throw made;
    expect(await made.open(heard, LIMITS)).toBeUndefined();
    expect(heard.replies).toEqual(["subscribe a 1", "subscribe b 2", "subscribe a 2"]);
    expect(wrapped.isReady).toBe(true);
    backend.close();
    expect([heard.events, wrapped.isReady]).toEqual([["end"], false]);
    await expect(run("PING")).rejects.toThrow(NotSent);
    await expect(backend.transact([["PING"]])).rejects.toThrow(NotSent);
    expect(() => backend.feed(["MONITOR"])).toThrow(NotSent);
  });

  it("is not ready when it was closed before it opened", async () => {
    const early = createMemoryBackend();
    early.close();
    await early.opened;
    expect(early.isReady).toBe(false);
  });

  it("tells a feed of a message that is too large instead of passing it on", async () => {
    const heard = listener();
    await feed("PSUBSCRIBE", "c*").open(heard, LIMITS);
    expect(await run("PUBLISH", "chat", "x".repeat(80))).toBe("1");
    expect([heard.replies.length, heard.events]).toEqual([2, []]);
    expect(await run("PUBLISH", "chat", "x".repeat(100))).toBe("1");
    expect([heard.replies.length, heard.events]).toEqual([2, ["too large"]]);
  });

  it("passes nothing to a feed that is closed meanwhile", async () => {
    const heard = listener();
    const closing = feed("SUBSCRIBE", "first", "second");
    const opened = closing.open({ ...heard, onReply: () => closing.close() }, LIMITS);
    await expect(opened).rejects.toThrow(NoAnswer);
    expect([await run("PUBLISH", "first", "m"), await run("PUBLISH", "second", "m")]).toEqual(["0", "0"]);
    expect(heard.events).toEqual(["end"]);
  });

  it("gives the error of a command that is refused, and no feed", async () => {
    const heard = listener();
    expect(await feed("SUBSCRIBE").open(heard, LIMITS)).toEqual(
      new Error("ERR wrong number of arguments for 'subscribe' command"),
    );
    expect([heard.replies, heard.events]).toEqual([[], []]);
  });
});
