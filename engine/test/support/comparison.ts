import { createEngine } from "../../src/redis/engine.ts";
import { ErrorReply, type Reply, Status } from "../../src/redis/reply.ts";
import { CLOCK_KEY, KEYS, type Step } from "./calls.ts";
import type { RespClient } from "./resp.ts";

/** The replies come in no order, or in one that nobody promises. */
const UNORDERED = /^(KEYS|SMEMBERS|SINTER|SUNION|SDIFF|HKEYS|HVALS)$/i;

/** Everything there is, as both servers can tell it; without the clock. */
const CONTENTS = `
local all = {}
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  local value = {}
  if kind == 'string' then value = { redis.call('GET', key) }
  elseif kind == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  elseif kind == 'hash' then value = redis.call('HGETALL', key)
  elseif kind == 'set' then value = redis.call('SMEMBERS', key)
  elseif kind == 'list' then value = redis.call('LRANGE', key, 0, -1) end
  table.insert(all, { key, kind, redis.call('PTTL', key), value })
end
return all`;
/** Moves the end of every key nearer by ARGV[1] ms: time that goes by. */
const AGE = `
for _, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  if left >= 0 then redis.call('PEXPIRE', key, left - ARGV[1]) end
end`;

const evaluate = (script: string, ...args: string[]): string[] => [
  "EVAL",
  script,
  String(KEYS.length),
  ...KEYS,
  ...args,
];

function shown(reply: Reply, words: readonly string[], isExact: boolean): unknown {
  if (reply instanceof Status) return { status: reply.text };
  if (reply instanceof ErrorReply) return { error: isExact ? reply.message : reply.message.split(" ")[0] };
  if (typeof reply === "bigint") return { integer: String(reply) };
  if (!Array.isArray(reply)) return reply;
  const items = reply.map((item) => shown(item as Reply, [], isExact));
  if (/^HGETALL$/i.test(words[0] ?? "")) return pairsOf(items as string[]).sort();
  return UNORDERED.test(words[0] ?? "") ? items.sort() : items;
}

const pairsOf = (list: readonly string[]): string[] =>
  list.flatMap((_, at) => (at % 2 === 0 ? [list.slice(at, at + 2).join("=")] : []));

type Stored = readonly [key: string, kind: string, left: number, value: readonly string[]];

/** The real server's own time goes by during a run, beside the steps. */
const TOLERANCE_MS = 900;

/** Contents with sets and hashes in order, and the TTLs of others where they are as good as the same. */
function stored(contents: Reply, others: Reply): unknown[] {
  return (contents as Reply[]).map((entry, n) => {
    const [key, kind, left, value] = entry as unknown as Stored;
    const [, , theirs] = (others as unknown as Stored[])[n] as Stored;
    const isSame = left >= 0 && theirs >= 0 && Math.abs(left - theirs) < TOLERANCE_MS;
    const items = kind === "hash" ? pairsOf(value).sort() : kind === "set" ? [...value].sort() : value;
    return [key, kind, isSame ? theirs : left, items];
  });
}

const START_MS = 1_795_000_000_000;
/** Steps are that far apart, so that no key ends at the very moment in which it is asked for. */
const STEP_MS = 7;

interface Sent {
  readonly step: Step;
  readonly words: readonly string[];
  readonly at: number;
}

/**
 * The commands that the real server is sent for a step. The last reply is that of the command, the one before tells
 * the contents.
 */
function real({ step, words, at }: Sent): string[][] {
  const micros = at * 1000;
  const before = [
    evaluate(AGE, String(step.seconds * 1000 + STEP_MS)),
    ["DEL", CLOCK_KEY],
    ["RPUSH", CLOCK_KEY, String(Math.floor(micros / 1e6)), String(micros % 1e6)],
  ];
  const [name] = words;
  if (name === "FULL" || name === "FREE")
    return [...before, ["CONFIG", "SET", "maxmemory", name === "FULL" ? "1" : "0"]];
  return [...before, [...words]];
}

/** A server in this process that is compared with a real one. */
export interface Compared {
  isFull: boolean;
  run(words: readonly string[]): Reply | Promise<Reply>;
}

/** Makes a server with this clock, empty. */
export type MakeCompared = (now: () => number) => Compared;

const inMemory: MakeCompared = (now) => createEngine({ dialect: "redis", now, random: Math.random });

/** Where the two were not the same. */
export interface Difference {
  readonly story: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/**
 * Sends one run to both and compares everything after every step; gives the first difference. `isExact`: errors are
 * compared by their text, otherwise by their code.
 */
export async function difference(
  client: RespClient,
  run: readonly Step[],
  isExact: boolean,
  make: MakeCompared = inMemory,
): Promise<Difference | undefined> {
  let at = START_MS;
  const times: number[] = [];
  const sent = run.map((step): Sent => {
    at += step.seconds * 1000 + STEP_MS;
    times.push(at * 1000);
    return { step, words: step.words(times), at };
  });
  // What fills the memory must not keep the test itself from writing.
  const full = ["CONFIG", "SET", "maxmemory", "0"];
  const batches = [[full, ["FLUSHALL"], ["SCRIPT", "FLUSH"]]];
  let isFull = false;
  for (const each of sent) {
    const [name] = each.words;
    if (name === "FULL" || name === "FREE") isFull = name === "FULL";
    const list = real(each);
    const own = list.pop() as string[];
    batches.push([full, ...list, ["CONFIG", "SET", "maxmemory", isFull ? "1" : "0"], own, evaluate(CONTENTS)]);
  }
  const replies = await client.send(batches.flat());
  let now = START_MS;
  const engine = make(() => now);
  let from = batches[0]?.length as number;
  for (const [n, { words, at: then }] of sent.entries()) {
    now = then;
    const size = batches[n + 1]?.length as number;
    const [theirs, contents] = replies.slice(from + size - 2, from + size);
    from += size;
    const ours = await play(engine, words, then);
    const story = `step ${n}: ${words.map((word) => JSON.stringify(word.slice(0, 60))).join(" ")}`;
    const both = [
      [shown(ours, words, isExact), shown(theirs as Reply, words, isExact)],
      [stored(await told(engine), contents as Reply), stored(contents as Reply, contents as Reply)],
    ];
    for (const [one, other] of both)
      if (JSON.stringify(one) !== JSON.stringify(other)) return { story, ours: one, theirs: other };
  }
  return undefined;
}

async function play(engine: Compared, words: readonly string[], at: number): Promise<Reply> {
  const micros = at * 1000;
  const wasFull = engine.isFull;
  engine.isFull = false;
  await engine.run(["DEL", CLOCK_KEY]);
  await engine.run(["RPUSH", CLOCK_KEY, String(Math.floor(micros / 1e6)), String(micros % 1e6)]);
  engine.isFull = wasFull;
  if (words[0] !== "FULL" && words[0] !== "FREE") return engine.run(words);
  engine.isFull = words[0] === "FULL";
  return new Status("OK");
}

/** The engine's contents, by commands instead of a script. */
async function told(engine: Compared): Promise<Reply> {
  const readers: Record<string, (key: string) => readonly string[]> = {
    string: (key) => ["GET", key],
    zset: (key) => ["ZRANGE", key, "0", "-1", "WITHSCORES"],
    hash: (key) => ["HGETALL", key],
    set: (key) => ["SMEMBERS", key],
    list: (key) => ["LRANGE", key, "0", "-1"],
  };
  const all: Reply[] = [];
  for (const key of KEYS) {
    const kind = ((await engine.run(["TYPE", key])) as Status).text;
    const read = readers[kind]?.(key);
    const value = read ? await engine.run(read) : [];
    all.push([key, kind, await engine.run(["PTTL", key]), kind === "string" ? [value] : value]);
  }
  return all;
}
