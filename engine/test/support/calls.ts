import fc from "fast-check";
import { buildAll } from "../../../tools/lua-scripts.ts";

/** One step of a run: time goes on, and a command is sent to both servers. */
export interface Step {
  /** Whole seconds before the command. */
  readonly seconds: number;
  /** The words, given the times of all steps so far in µs, the present one last. */
  readonly words: (times: readonly number[]) => readonly string[];
  readonly text: string;
}

/** Scripts read this key instead of the server's clock. */
export const CLOCK_KEY = "clock";
const TIME = "redis.call('TIME')";

const built = buildAll();
/** The SDK's scripts, with the clock's key in place of the clock. */
const texts: ReadonlyMap<string, string> = new Map(
  built.map(({ name, lua }) => [name, lua.replace(TIME, `redis.call('LRANGE','${CLOCK_KEY}',0,-1)`)]),
);

const ids = Array.from({ length: 5 }, (_, n) => [8, 4, 4, 4, 12].map((size) => String(n).repeat(size)).join("-"));
const records = ["{a}", "{b}"];
/** Every key that a run can touch. */
export const KEYS: readonly string[] = [
  ...records,
  "{a}%crowd",
  "{b}%crowd",
  "{a}%inbox",
  "{b}%inbox",
  "{a}%fence",
  "{a}/slot",
  "{b}/slot",
  "s",
  "n",
  "h",
  "l",
  "m",
  "z",
  "i",
];

type Draw = fc.Arbitrary<(times: readonly number[]) => string>;
const fixed = (arbitrary: fc.Arbitrary<string | number>): Draw => arbitrary.map((value) => () => String(value));
const of = (...values: (string | number)[]): Draw => fixed(fc.constantFrom(...values));
/** The time of an earlier step: tokens, tickets and generations are such times. */
const earlier: Draw = fc.nat({ max: 12 }).map((back) => (times) => String(times[Math.max(times.length - 1 - back, 0)]));
const now = (offsets: readonly number[]): Draw =>
  fc.constantFrom(...offsets).map((offset) => (times) => String((times.at(-1) as number) + offset));
const oneOf = (...draws: Draw[]): Draw => fc.oneof(...draws);

const id = of(...ids);
const duration = of(1000, 2000, 5000, 30_000);
const text = fixed(fc.constantFrom("", "a b", "=x", '\0\x01\n"\\', "\xc3\xa9", "{}", "1.50"));

/** An id with an end. */
const ending = (...ends: string[]): Draw =>
  fc.tuple(id, of(...ends)).map(
    ([a, b]) =>
      (t) =>
        a(t) + b(t),
  );
const PERMITS = ["#1", "#2", "#3", "#2@a%20note@host"];
/** What a spend takes of one name: ID, token, count, number and ttl. */
const spend: Draw = fc
  .tuple(ending(...PERMITS), earlier, of(0, 1, 1, 2), of("", 3, 5))
  .map((draws) => (t) => [...draws.map((draw) => draw(t)), "5000"].join(" "));
const READERS = ["", "", "owner1", "@@host", "owner1@a%20note"];

function idOf(script: string): Draw {
  switch (script) {
    case "semaphore-acquire":
    case "semaphore-queue":
      return ending(...PERMITS);
    case "rw-acquire":
    case "rw-close":
      return ending(...READERS);
    case "crowd-extend":
      return ending(...READERS, ...PERMITS);
    case "semaphore-close":
      return fc.tuple(ending(...PERMITS), fc.option(fc.tuple(id, of("1", "1,2", "3")))).map(
        ([a, b]) =>
          (t) =>
            a(t) + (b ? `,${b[0](t)},${b[1](t)}` : ""),
      );
    default:
      return id;
  }
}

function argument(name: string, script: string): Draw {
  switch (name) {
    case "notAfter":
      return oneOf(now([5e6]), now([5e6]), now([5e6]), now([-1, 0]));
    case "id":
      return idOf(script);
    case "token":
      return oneOf(earlier, earlier, earlier, of(0));
    case "lease":
    case "retention":
    case "ttl":
    case "grace":
    case "kept":
      return duration;
    case "duration":
      return oneOf(duration, of(0));
    case "reentryKey":
      return of("", "", "owner1", "owner2");
    case "note":
      return of("", "a%20label", "a%20label@host", "@host");
    case "most":
      return of(0, 2, 100);
    case "scope":
      return of("one", "all", "forget");
    case "reentrant":
      return of(1, 1, 0);
    case "waited":
      return of(0, 0, 150, 2500);
    case "asked":
      return oneOf(of(""), now([0, 6e6]));
    case "due":
      return oneOf(of(0), now([0, 5e6, -5e6]));
    case "kind":
      return /^semaphore/.test(script)
        ? of("semaphore", "semaphore", "counter")
        : of("lock", "fair", "rw", "once", "semaphore", "counter", "latch");
    case "ticket":
      return oneOf(of(0, 0, -1), earlier);
    case "generation":
    case "holdToken":
      return earlier;
    case "hold":
    case "former":
      return oneOf(of(""), id);
    case "formerToken":
      return earlier;
    case "upTo":
      return oneOf(earlier, of("9000000000000000"));
    case "key":
      return of("", "k".repeat(22), "l".repeat(22), "m".repeat(22));
    case "quiet":
      return of(0, 0, 2000);
    case "begins":
      return of(0, 1, 1);
    case "anew":
      return of(0, 1);
    case "count":
      return of(0, 1, 2, 3);
    case "permits":
    case "permits…":
      return of("", 3, 5);
    case "change":
      return of("set", "try", "add", "give", "drain");
    case "maxAttempts":
      return of(2, 10);
    case "fingerprint":
      return of("", "", "abc");
    case "mode":
      return script === "rw-acquire" ? of("read", "read", "write", "write", "steal") : of("read", "write");
    case "after":
      return oneOf(of(0), earlier);
    case "back":
      return of(0, 1000);
    case "listens":
      return of(0, 0, 5000);
    case "ownPace":
      return of(0, 1);
    case "began":
      return now([-1000, -5e6, 1000]);
    case "command":
      return of("SET", "GET", "INCR", "LPUSH", "NOPE", "TYPE");
    case "rest…":
      return text;
    case "spends…":
      return fc.tuple(spend, spend).map(
        ([a, b]) =>
          (t) =>
            `${a(t)} ${b(t)}`,
      );
    default:
      return text;
  }
}

/** A call of one of the SDK's scripts, with its arguments by name. */
export interface ScriptCall {
  /** Whole seconds before the call. */
  readonly seconds: number;
  readonly name: string;
  readonly keys: readonly string[];
  /** The arguments, given the times of all steps so far in µs, the present one last. */
  readonly args: (times: readonly number[]) => ReadonlyMap<string, string>;
}

/** The keys of a script for one of the records. */
const keysFor = (keys: readonly string[], record: string): string[] =>
  keys.flatMap((key) => {
    if (key === "record…") return records;
    if (key === "keys…") return records.flatMap((each) => [each, `${each}%crowd`]);
    if (key === "fence") return ["{a}%fence"];
    if (key === "slot" || key === "once") return [`${record}/slot`];
    if (key === "key") return ["s"];
    return key === "crowd" || key === "inbox" ? [`${record}%${key}`] : [record];
  });

const scriptCall = ({ name, keys, args }: (typeof built)[number]): fc.Arbitrary<ScriptCall> =>
  fc
    .tuple(
      fc.constantFrom(0, 0, 0, 1, 1, 3, 40),
      fc.constantFrom("{a}", "{a}", "{a}", "{b}"),
      fc.tuple(...args.map((arg) => argument(arg, name))),
    )
    .map(([seconds, record, values]) => ({
      seconds,
      name,
      keys: keysFor(keys, record),
      args: (times) => new Map(args.map((arg, at) => [arg, (values[at] as (typeof values)[number])(times)])),
    }));

/** Arguments as they are sent: a list of them is in one text, and its arguments may be empty. */
const wordsOf = (args: ReadonlyMap<string, string>): readonly string[] =>
  [...args].flatMap(([name, value]) => (name === "spends…" ? value.split(" ") : value));

/** A call of any script. */
export const scriptCalls: fc.Arbitrary<ScriptCall> = fc.oneof(...built.map(scriptCall));

const scripts: fc.Arbitrary<Step> = scriptCalls.map(({ seconds, name, keys, args }) => ({
  seconds,
  words: (times) => ["EVAL", texts.get(name) as string, String(keys.length), ...keys, ...wordsOf(args(times))],
  text: name,
}));

const key = fc.constantFrom("s", "n", "h", "l", "m", "z", "i", "{a}", "{a}%crowd");
const member = fc.constantFrom("a", "b", "c", "d\0e", "\xff", "10", "-3", "2.5", "");
const whole = fc.constantFrom(
  "0",
  "1",
  "-1",
  "2",
  "-2",
  "5",
  "-100",
  "100",
  "x",
  "1.5",
  "",
  "9223372036854775807",
  "01",
);
const score = fc.constantFrom("0", "1", "-1", "2.5", "1e3", "inf", "-inf", "(1", "(2.5", "+inf", "nan", "x", "3", "-0");
const lex = fc.constantFrom("-", "+", "[a", "(a", "[b", "(c", "a", "[d");
const seconds = fc.constantFrom("1", "5", "100", "0", "-1", "x", "9223372036854775807");
const command = (...parts: (string | fc.Arbitrary<string> | fc.Arbitrary<readonly string[]>)[]): fc.Arbitrary<Step> =>
  fc
    .tuple(
      fc.constantFrom(0, 0, 0, 1, 3),
      fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))),
    )
    .map(([delay, drawn]) => {
      const words = (drawn as (string | readonly string[])[]).flat();
      return { seconds: delay, words: () => words, text: words.join(" ") };
    });
const some = (arbitrary: fc.Arbitrary<string>, min = 1): fc.Arbitrary<readonly string[]> =>
  fc.array(arbitrary, { minLength: min, maxLength: 4 });
const pairs = (one: fc.Arbitrary<string>, other: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.tuple(one, other), { minLength: 1, maxLength: 3 }).map((list) => list.flat());
const options = (...list: string[]): fc.Arbitrary<readonly string[]> =>
  fc
    .subarray(list, { maxLength: Math.min(list.length, 3) })
    .map((chosen) => chosen.flatMap((option) => option.split(" ")));
const up = fc.constantFrom("EX 5", "PX 5000", "KEEPTTL", "NX", "XX", "GET", "EX", "EX 0", "PXAT 1", "NOPE");

/** Commands beside the scripts', on keys of all types, wrong ones too. */
const commands: fc.Arbitrary<Step> = fc.oneof(
  command(
    "SET",
    key,
    member,
    fc.array(up, { maxLength: 2 }).map((list) => list.flatMap((each) => each.split(" "))),
  ),
  command(fc.constantFrom("GET", "STRLEN", "TYPE", "GETDEL", "LLEN", "HLEN", "SCARD", "ZCARD", "PERSIST", "get"), key),
  command(fc.constantFrom("INCR", "DECR"), fc.constantFrom("n", "s", "l")),
  command(fc.constantFrom("INCRBY", "DECRBY", "INCRBYFLOAT"), fc.constantFrom("n", "s"), whole),
  command(fc.constantFrom("DEL", "UNLINK", "EXISTS", "TOUCH", "MGET"), some(key)),
  command(fc.constantFrom("SETNX", "GETSET", "APPEND"), key, member),
  command("SETEX", key, seconds, member),
  command("PSETEX", key, fc.constantFrom("1000", "5000", "0", "x"), member),
  command(fc.constantFrom("MSET", "MSETNX"), pairs(key, member)),
  command("MSET", some(key)),
  command("GETEX", key, options("EX 5", "PERSIST", "PX 9000")),
  command(fc.constantFrom("GETRANGE", "LRANGE", "LTRIM", "ZREMRANGEBYRANK"), key, whole, whole),
  command("SETRANGE", key, whole, member),
  command(fc.constantFrom("EXPIRE", "EXPIREAT"), key, seconds, options("NX", "XX", "GT", "LT", "BAD")),
  command("PEXPIRE", key, fc.constantFrom("1000", "5000", "-5", "x"), options("NX", "XX", "GT", "LT")),
  command(fc.constantFrom("KEYS"), fc.constantFrom("*", "?", "{*", "[hl]", "[^a-m]", "\\{a}", "*%crowd")),
  command(fc.constantFrom("RENAME", "RENAMENX"), key, key),
  command("HSET", key, pairs(member, member)),
  command(fc.constantFrom("HDEL", "HMGET", "SREM", "SADD", "SMISMEMBER", "ZREM", "ZMSCORE"), key, some(member)),
  command(fc.constantFrom("HGET", "HEXISTS", "HSTRLEN", "SISMEMBER", "ZSCORE", "ZRANK", "ZREVRANK"), key, member),
  command(fc.constantFrom("HGETALL", "HKEYS", "HVALS", "SMEMBERS"), key),
  command("HSETNX", key, member, member),
  command(fc.constantFrom("HINCRBY", "HINCRBYFLOAT"), key, member, whole),
  command(fc.constantFrom("LPUSH", "RPUSH", "LPUSHX", "RPUSHX"), key, some(member)),
  command(
    fc.constantFrom("LPOP", "RPOP"),
    key,
    fc.oneof(
      fc.constant([]),
      whole.map((n) => [n]),
    ),
  ),
  command("LINDEX", key, whole),
  command("LSET", key, whole, member),
  command("LREM", key, whole, member),
  command("LINSERT", key, fc.constantFrom("BEFORE", "after", "x"), member, member),
  command("LMOVE", key, key, fc.constantFrom("LEFT", "right", "x"), fc.constantFrom("LEFT", "RIGHT")),
  command("RPOPLPUSH", key, key),
  command("SMOVE", key, key, member),
  command(fc.constantFrom("SINTER", "SUNION", "SDIFF"), some(key)),
  command(fc.constantFrom("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), key, some(key)),
  command("ZADD", key, options("NX", "XX", "GT", "LT", "CH", "INCR"), pairs(score, member)),
  command("ZINCRBY", key, score, member),
  command(fc.constantFrom("ZCOUNT", "ZREMRANGEBYSCORE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE"), key, score, score),
  command(
    fc.constantFrom("ZRANGEBYSCORE", "ZREVRANGEBYSCORE"),
    key,
    score,
    score,
    options("WITHSCORES", "LIMIT 1 2", "LIMIT 0 -1", "LIMIT -1 1", "x"),
  ),
  command(
    fc.constantFrom("ZRANGE", "ZREVRANGE"),
    key,
    whole,
    whole,
    options("WITHSCORES", "REV", "BYSCORE", "LIMIT 0 2"),
  ),
  command("ZRANGE", key, score, score, "BYSCORE", options("WITHSCORES", "REV", "LIMIT 0 2")),
  command(fc.constantFrom("ZRANGEBYLEX", "ZREVRANGEBYLEX"), key, lex, lex, options("LIMIT 1 2", "WITHSCORES")),
  command("ZRANGE", key, lex, lex, "BYLEX", options("WITHSCORES", "REV", "LIMIT 0 2")),
  command(fc.constantFrom("ZLEXCOUNT", "ZREMRANGEBYLEX"), key, lex, lex),
  command(
    fc.constantFrom("ZPOPMIN", "ZPOPMAX"),
    key,
    fc.oneof(
      fc.constant([]),
      whole.map((n) => [n]),
    ),
  ),
  command(
    fc.constantFrom("PING", "ECHO", "DBSIZE", "GET", "NOPE", "SCRIPT", "EVAL", "FLUSHALL x y", "WAIT"),
    fc.array(member, { maxLength: 2 }),
  ),
  command(
    "SCRIPT",
    fc.constantFrom("EXISTS", "LOAD", "FLUSH", "nope", "exists"),
    fc.array(fc.constantFrom("sync", "return 1", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), { maxLength: 2 }),
  ),
  command(
    "EVALSHA",
    fc.constantFrom("e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "x"),
    fc.constantFrom("0", "1", "-1", "x"),
    fc.array(member, { maxLength: 2 }),
  ),
);

/** A run: mostly scripts, some commands, and memory that is full for a while. */
export const steps = (max: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: scripts },
      { weight: 8, arbitrary: commands },
      {
        weight: 1,
        arbitrary: fc.constantFrom("FULL", "FREE", "FREE").map((text) => ({ seconds: 0, words: () => [text], text })),
      },
    ),
    { minLength: 1, maxLength: max, size: "max" },
  );
