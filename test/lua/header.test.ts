import { expect, it } from "vitest";
import { buildScript } from "../../tools/lua-scripts.ts";

const header = "-- Does.\n-- KEYS[1] fence\n-- ARGV[1] command\n-- ARGV[*] rest\n-- REPLY done\n";
const body = "local now = 1\nredis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))\nreturn { 'done', now }\n";

it("a script that runs a command of its caller's says so", () => {
  const built = buildScript("x", `${header}-- CALLS ARGV[1]\n${body}`);
  expect(built).toMatchObject({ args: ["command", "rest…"], purpose: "Does." });
});

const named = header.replace("-- ARGV[*] rest\n", "");
const texts = (lua: string): string => buildScript("x", `${named}local now = ${lua}\nreturn { 'done', now }\n`).lua;

it("a number that has a name is written as a number", () => {
  const use = "1\nlocal MOST = 64\nredis.pcall('GET', KEYS[1] .. -MOST .. MOST * 2 .. ARGV[1])";
  expect(texts(use)).toContain("KEYS[1]..-64 ..64*2 ..ARGV[1]");
  expect(texts(use)).not.toContain("MOST");
});

it.each([
  ["is assigned", "1\nlocal MOST = 64\nMOST = 65", /declare it once/],
  ["is no number", "1\nlocal MOST = now + 64", /declare it once/],
  ["is computed", "1\nlocal MOST = 64 + now", /declare it once/],
  ["is declared twice, with another number", "1\nlocal MOST = 64\nlocal MOST = 65", /two values/],
  ["is not declared", "MOST", /no include declares it/],
  ["is declared behind its use", "MOST\nlocal MOST = 64", /no include declares it/],
])("nor a name in capitals that %s", (_, text, error) => {
  expect(() => texts(`${text}\nredis.call('GET', KEYS[1], ARGV[1])`)).toThrow(error);
});

it.each([
  ["without saying so", header, body, /ARGV\[1\] is called/],
  ["that it does not call", `${header}-- CALLS ARGV[2]\n`, body, /ARGV\[1\] is called/],
  [
    "and no other",
    `${header}-- CALLS ARGV[1]\n`,
    body.replace("KEYS[1],", "KEYS[1])redis.call(KEYS[1],"),
    /KEYS\[1\] is called/,
  ],
  [
    "and commands of its own",
    `${header}-- CALLS ARGV[1]\n`,
    body.replace("local now", "redis.call('FLUSHALL')\nlocal now"),
    /FLUSHALL is not a command/,
  ],
  [
    "of which it runs none",
    `${header}-- CALLS ARGV[1]\n`,
    body.replace("redis.call(ARGV[1],", "f(ARGV[1],"),
    /is not called/,
  ],
  [
    "with arguments from elsewhere",
    `${header}-- CALLS ARGV[1]\n`,
    body.replace("unpack(ARGV, 2)", "unpack(ARGV, 1)"),
    /ARGV\[\*\] is declared/,
  ],
  ["with arguments before the rest", `-- ARGV[*] all\n${header}`, body, /out of order/],
])("nor one %s", (_, declared, text, error) => {
  expect(() => buildScript("x", declared + text)).toThrow(error);
});
