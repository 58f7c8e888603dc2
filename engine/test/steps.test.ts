import { expect, it } from "vitest";
import { createEngine, ErrorReply } from "../src/index.ts";

const engine = createEngine({ dialect: "redis", now: Date.now, random: Math.random });
const run = (script: string) => engine.run(["EVAL", script, "0"]);

const ENDLESS: readonly (readonly [what: string, script: string])[] = [
  ["a loop with while", "while true do end"],
  ["a loop with repeat", "repeat until false"],
  ["a loop with for", "for i = 1, 1, 0 do end return 1"],
  ["a long loop with for", "for i = 1, 1e15 do end"],
  ["a loop over pairs", "while true do for _ in pairs({1, 2}) do end end"],
  [
    "a function that calls itself at its end",
    "local function f(n) if n % 100 == 0 then return n end return f(n + 1) end while true do f(1) end",
  ],
  ["a pattern that goes back", "return string.find(string.rep('a', 3000), string.rep('a-', 30) .. 'b')"],
  ["a pattern with many places to begin", "return string.find(string.rep('(', 300000), '%b()')"],
  ["a pattern that repeats a capture", "return string.find(string.rep('a', 30000), '(.*)%1b')"],
  ["a replacement", "return string.gsub(string.rep('a', 3000), string.rep('a*', 30) .. 'b', '')"],
  ["matches one after the other", "for _ in string.gmatch(string.rep('a', 3000), string.rep('a-', 30) .. 'b') do end"],
  ["one that catches its errors", "while true do pcall(function() while true do end end) end"],
];

it.each(ENDLESS)("a script ends by itself after its steps, whatever it does with them: %s", (_, script) => {
  const reply = run(script);
  expect(reply).toBeInstanceOf(ErrorReply);
  expect((reply as ErrorReply).message).toMatch(/^ERR the script takes too many steps script: [\da-f]{40}$/);
  // The next one has all of them again.
  expect(run("local n = 0 for i = 1, 1000000 do n = n + 1 end return n")).toBe(1_000_000);
});
