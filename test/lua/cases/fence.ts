import { type Case, id } from "./case.ts";

const [A, B, C] = [id("a"), id("b"), id("c")];
const KEYS = ["fence", "value"] as const;

const written: readonly Case[] = [
  {
    what: "a fence accepts no token after a larger one, and no write twice",
    run({ expect, ttl, same, at, now }) {
      const began = { began: now() };
      const read = (token: number, value: string): unknown =>
        expect("fence-read", {}, "seen", { token, value: `=${value}` }, "fence");
      read(0, "");
      expect("fence-write", { ...began, id: A, token: 5, value: "=one" }, "written", {}, "fence");
      same("the time to live", ttl("fence"), 600_000);
      read(5, "one");
      expect("fence-write", { ...began, id: B, token: 7, value: "=two words" }, "written", {}, "fence");
      expect("fence-write", { ...began, id: C, token: 6, value: "=three" }, "stale", { seen: 7 }, "fence");
      // Sent again it is written and changes nothing.
      expect("fence-write", { ...began, id: A, token: 5, value: "=one" }, "written", {}, "fence");
      read(7, "two words");
      at(1);
      // Without a value the one that is there stays; the same token may write again.
      expect("fence-write", { ...began, id: C, token: 7 }, "written", {}, "fence");
      read(7, "two words");
      expect("fence-write", { ...began, id: id("d"), token: 7, value: "=" }, "written", {}, "fence");
      read(7, "");
      expect("fence-write", { ...began, notAfter: now() - 1, id: id("e"), token: 9 }, "late", {}, "fence");
    },
  },
  {
    what: "a fence remembers the last 64 writes of the last minute",
    run({ expect, at, now }) {
      const ids = Array.from({ length: 65 }, (_, at) => `${"x".repeat(34)}${String(at).padStart(2, "0")}`);
      const began = now();
      for (const [index, each] of ids.entries()) {
        at(index);
        expect("fence-write", { began: now(), id: each, token: 5, value: `=${index}` }, "written", {}, "fence");
      }
      expect("fence-write", { began, id: ids[0] ?? "", token: 5, value: "=0" }, "forgotten", { seen: 5 }, "fence");
      expect("fence-write", { began: began + 1000, id: ids[1] ?? "", token: 5 }, "written", {}, "fence");
      expect("fence-read", {}, "seen", { value: "=64" }, "fence");
      // One that began after the last that was forgotten cannot be among those.
      expect("fence-write", { began: began + 1, id: A, token: 4 }, "stale", {}, "fence");
      expect("fence-write", { began, id: A, token: 4 }, "forgotten", {}, "fence");
    },
  },
  {
    what: "a write of a minute ago is forgotten, and comes before stale",
    run({ expect, at, now }) {
      const began = now();
      expect("fence-write", { began, id: A, token: 5, value: "=one" }, "written", {}, "fence");
      at(60_000);
      expect("fence-write", { began: now(), id: B, token: 6, value: "=two" }, "written", {}, "fence");
      expect("fence-write", { began, id: A, token: 5, value: "=one" }, "written", {}, "fence");
      at(60_001);
      expect("fence-write", { began: now(), id: C, token: 7, value: "=three" }, "written", {}, "fence");
      expect("fence-write", { began, id: A, token: 5, value: "=one" }, "forgotten", { seen: 7 }, "fence");
      // A caller whose clock is ahead may have begun at any time.
      expect("fence-write", { began: now() + 1, id: id("d"), token: 8 }, "forgotten", {}, "fence");
      expect("fence-write", { began: now(), id: id("d"), token: 8 }, "written", {}, "fence");
    },
  },
  {
    what: "after the clock was set back most writes have not run",
    run({ expect, at, now }) {
      expect("fence-write", { began: now(), id: A, token: 5 }, "written", {}, "fence");
      at(61_000);
      expect("fence-write", { began: now(), id: B, token: 5 }, "written", {}, "fence");
      at(-10_000);
      expect("fence-write", { began: now(), id: C, token: 5 }, "written", {}, "fence");
      // Nothing is forgotten of what ran by a clock that was ahead.
      expect("fence-write", { began: now(), id: B, token: 5 }, "written", {}, "fence");
    },
  },
  {
    what: "a write that ran in the very moment at which the list was full is not run again",
    run({ expect, now }) {
      const began = now();
      const each = (at: number): string => `${"x".repeat(34)}${String(at).padStart(2, "0")}`;
      for (let at = 0; at < 65; at++) expect("fence-write", { began, id: each(at), token: 5 }, "written", {}, "fence");
      expect("fence-write", { began, id: each(0), token: 5 }, "forgotten", { seen: 5 }, "fence");
      expect("fence-write", { began, id: each(64), token: 5 }, "written", {}, "fence");
    },
  },
  {
    what: "what was forgotten stays so when the clock was set back and forward again",
    run({ expect, at, now }) {
      const each = (at: number): string => `${"x".repeat(33)}${String(at).padStart(3, "0")}`;
      const write = (n: number): unknown =>
        expect("fence-write", { began: now(), id: each(n), token: 5 }, "written", {}, "fence");
      at(50_000);
      const began = now();
      at(55_000);
      for (let n = 0; n < 65; n++) write(n);
      at(10_000);
      for (let n = 65; n < 130; n++) write(n);
      at(55_001);
      expect("fence-write", { began, id: each(0), token: 5 }, "forgotten", { seen: 5 }, "fence");
    },
  },
  {
    what: "a fence of another form is not touched",
    run({ expect, redis, same, now }) {
      for (const [value, kind] of [
        ["hello", "foreign"],
        ["fence 2 1 1 1 x", "fence/2"],
      ] as const) {
        redis("SET", "fence", value);
        for (const script of ["fence-read", "fence-write"])
          expect(script, { began: now(), token: 5 }, "kind", { kind }, "fence");
        expect("fence-call", { began: now(), token: 5, command: "GET" }, "kind", { kind }, ...KEYS);
        same("the value", redis("GET", "fence"), value);
      }
    },
  },
];

const called: readonly Case[] = [
  {
    what: "a command runs once under its token, and its reply is given again",
    run({ expect, redis, same, ttl, now }) {
      const call = { began: now(), command: "INCRBY", rest: "5" };
      expect("fence-call", { ...call, token: 5 }, "called", { reply: "=5" }, ...KEYS);
      same("the time to live", ttl("fence"), 600_000);
      expect("fence-call", { ...call, token: 5 }, "called", { reply: "=5" }, ...KEYS);
      expect("fence-call", { ...call, id: B, token: 4 }, "stale", { seen: 5 }, ...KEYS);
      same("the number", redis("GET", "value"), "5");
      expect("fence-call", { ...call, id: B, token: 6 }, "called", { reply: "=10" }, ...KEYS);
      expect("fence-read", {}, "seen", { token: 6, value: "=" }, "fence");
      expect("fence-call", { ...call, id: C, token: 7, notAfter: now() - 1 }, "late", {}, ...KEYS);
    },
  },
  {
    what: "replies are JSON that keeps long integers and bytes",
    run({ expect, redis, now }) {
      const began = now();
      const call = (letter: string, command: string, rest: string, reply: string): unknown =>
        expect(
          "fence-call",
          { began, id: id(letter), token: 5, command, rest },
          "called",
          { reply: `=${reply}` },
          ...KEYS,
        );
      redis("SET", "value", "9007199254740991");
      call("a", "INCRBY", "0", "9007199254740991");
      redis("SET", "value", 'a"b\\c\n\u00ff');
      call("b", "GETRANGE", "0 -1", '"a\\u0022b\\u005cc\\u000a\u00ff"');
      redis("DEL", "value");
      call("c", "LINDEX", "5", "null");
      redis("RPUSH", "value", "1", "two");
      call("d", "LRANGE", "0 -1", '["1","two"]');
      redis("DEL", "value");
      call("e", "SET", "x", '"OK"');
    },
  },
  {
    what: "a long reply is not kept",
    run({ expect, redis, now }) {
      const call = { began: now(), token: 5, command: "GETRANGE", rest: "0 -1" };
      redis("SET", "value", "x".repeat(253));
      expect("fence-call", call, "called", { reply: `="${"x".repeat(253)}"` }, ...KEYS);
      expect("fence-call", call, "called", { reply: `="${"x".repeat(253)}"` }, ...KEYS);
      redis("SET", "value", "x".repeat(254));
      expect("fence-call", { ...call, id: B }, "called", { reply: `="${"x".repeat(254)}"` }, ...KEYS);
      expect("fence-call", { ...call, id: B }, "called", { reply: "=" }, ...KEYS);
      redis("SET", "value", "y");
      expect("fence-call", { ...call, id: C }, "called", { reply: '="y"' }, ...KEYS);
      expect("fence-call", call, "called", { reply: `="${"x".repeat(253)}"` }, ...KEYS);
    },
  },
  {
    what: "a failure is remembered, and raises no token",
    run({ expect, redis, now, ttl, same }) {
      const began = now();
      redis("SET", "value", "text");
      const why = "ERR value is not an integer or out of range";
      expect("fence-call", { began, token: 5, command: "INCRBY", rest: "1" }, "failed", { why }, ...KEYS);
      same("the time to live", ttl("fence"), 600_000);
      redis("SET", "value", "1");
      expect("fence-call", { began, token: 5, command: "INCRBY", rest: "1" }, "failed", { why }, ...KEYS);
      expect("fence-read", {}, "seen", { token: 0 }, "fence");
      expect(
        "fence-call",
        { began, id: B, token: 4, command: "INCRBY", rest: "1" },
        "called",
        { reply: "=2" },
        ...KEYS,
      );
    },
  },
  {
    what: "a failure is remembered while memory is full, and the command runs no more",
    run({ expect, call, redis, now, setFull, same }) {
      const began = now();
      expect("fence-call", { began, id: B, token: 5, command: "SET", rest: "1" }, "called", {}, ...KEYS);
      setFull(true);
      const again = { began, token: 5, command: "APPEND", rest: "2" };
      const told = call("fence-call", again, ...KEYS);
      same("the status", [told["status"], /OOM/.test(String(told["why"]))], ["failed", true]);
      setFull(false);
      expect("fence-call", again, "failed", {}, ...KEYS);
      same("the value", redis("GET", "value"), "1");
    },
  },
  {
    what: "an error of the server itself is given as it is",
    run({ call, expect, now, same, setReadOnly, redis }) {
      const again = { began: now(), token: 5, command: "SET", rest: "1" };
      setReadOnly(true);
      same("the error", /^READONLY/.test(String(call("fence-call", again, ...KEYS)["message"])), true);
      setReadOnly(false);
      same("what is stored", redis("DBSIZE"), 0);
      expect("fence-call", again, "called", { reply: '="OK"' }, ...KEYS);
    },
  },
];

export const fenceCases: readonly Case[] = [...written, ...called];
