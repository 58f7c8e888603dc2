import type { Case } from "./case.ts";

const KEYS = ["value", "done"] as const;
/** Another request. */
const NEXT = ["value", "done next"] as const;

/** Calls of the script that changes an application's own state. */
export const stateCases: readonly Case[] = [
  {
    what: "a value is set, added only where there is none, and deleted, each once",
    run({ expect, redis, same, ttl, at }) {
      const of = { memory: 60_000, max: 0 };
      const set = { ...of, verb: "set", value: "one", ttl: 5000 };
      expect("state-change", set, "changed", { count: 1, item: "" }, ...KEYS);
      same("the time to live", ttl("value"), 5000);
      same("the memory", ttl("done"), 60_000);
      expect("state-change", { ...of, verb: "add", value: "two", ttl: 0 }, "changed", { count: 0 }, ...NEXT);
      same("the value", redis("GET", "value"), "one");
      const last = { ...of, verb: "set", value: "three", ttl: 0 };
      expect("state-change", last, "changed", { count: 1 }, "value", "done third");
      same("the time to live", ttl("value"), -1);
      // A duplicate of the first changes nothing.
      expect("state-change", set, "changed", { count: 1, item: "" }, ...KEYS);
      same("the value", redis("GET", "value"), "three");
      const remove = { ...of, verb: "delete", value: "", ttl: 0 };
      expect("state-change", remove, "changed", { count: 1 }, "value", "done fourth");
      same("the value", redis("GET", "value"), null);
      const add = { ...of, verb: "add", value: "four", ttl: 0 };
      expect("state-change", add, "changed", { count: 1 }, "value", "done fifth");
      expect("state-change", remove, "changed", { count: 1 }, "value", "done fourth");
      expect("state-change", add, "changed", { count: 1 }, "value", "done fifth");
      same("the value", redis("GET", "value"), "four");
      at(60_001);
      same("the memory, later", redis("GET", "done"), null);
    },
  },
  {
    what: "a list keeps its newest items, and returns each once",
    run({ expect, redis, same, ttl }) {
      const push = { memory: 60_000, verb: "push", ttl: 5000, max: 2 };
      const pop = { memory: 60_000, verb: "pop", value: "", ttl: 0, max: 0 };
      expect("state-change", { ...push, value: "a" }, "changed", { count: 1, item: "" }, "value", "1");
      expect("state-change", { ...push, value: "b", ttl: 0 }, "changed", { count: 2 }, "value", "2");
      same("the time to live", ttl("value"), 5000);
      expect("state-change", { ...push, value: "c 1\n", ttl: 9000 }, "changed", { count: 2 }, "value", "3");
      same("the time to live", ttl("value"), 9000);
      expect("state-change", { ...push, value: "a" }, "changed", { count: 1, item: "" }, "value", "1");
      same("the list", redis("LRANGE", "value", "0", "-1"), ["b", "c 1\n"]);
      expect("state-change", pop, "changed", { count: 1, item: "=b" }, "value", "4");
      expect("state-change", pop, "changed", { count: 1, item: "=b" }, "value", "4");
      expect("state-change", pop, "changed", { count: 1, item: "=c 1\n" }, "value", "5");
      expect("state-change", pop, "changed", { count: 0, item: "" }, "value", "6");
      expect("state-change", { ...push, value: "d", max: 0, ttl: 0 }, "changed", { count: 1 }, "value", "7");
      same("the time to live", ttl("value"), -1);
      // It found nothing the first time, and takes nothing from the one who comes later.
      expect("state-change", pop, "changed", { count: 0, item: "" }, "value", "6");
      same("the list", redis("LRANGE", "value", "0", "-1"), ["d"]);
    },
  },
  {
    what: "a change that is too late, or of a value of another type, changes nothing",
    run({ expect, redis, same, now, call, setFull }) {
      const push = { memory: 60_000, verb: "push", value: "a", ttl: 0, max: 0 };
      expect("state-change", { ...push, notAfter: now() - 1 }, "late", {}, ...KEYS);
      expect("state-change", { ...push, notAfter: now() }, "changed", { count: 1 }, ...KEYS);
      redis("SET", "text", "hello");
      same("the answer", call("state-change", push, "text", "other")["status"], "error");
      same("the text", redis("GET", "text"), "hello");
      same("what is remembered", redis("GET", "other"), null);
      setFull(true);
      same("the answer, full", call("state-change", push, ...NEXT)["status"], "error");
      same("the list", redis("LLEN", "value"), 1);
      // What frees memory works.
      const pop = { ...push, verb: "pop", value: "" };
      expect("state-change", pop, "changed", { count: 1, item: "=a" }, "value", "third");
    },
  },
];
