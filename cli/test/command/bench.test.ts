import { expect, it } from "vitest";
import { useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";

const stack = useStack();
const server = (): string[] => ["--url", stack.url, "--token", stack.token];

it("leasehold bench says what it will cost, measures a cycle and hand-overs, and leaves no key", async () => {
  const { code, out, err } = await command(["bench", "--json", "--cycles", "10", "--hand-overs", "3", ...server()]);
  expect(code).toBe(0);
  expect(err).toMatch(/^http:.*: about \d+ requests and \d+ Redis commands, on Upstash \$0\.\d{4}; Ctrl-C stops it\n$/);
  const figures = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(figures.map(({ what }) => what)).toEqual(["cycle", "hand-over", "fair hand-over"]);
  expect(figures[0]).toMatchObject({ count: 10, requests: 2, commands: 8 });
  for (const { p50, p99 } of figures) expect(p99).toBeGreaterThanOrEqual(p50);
  expect(await stack.redis.command("KEYS", "leasehold-bench*")).toBe("*0\r\n");
});

it("shows how far it has come on a terminal, in one line that is gone at the end", async () => {
  let shown = "";
  const { err } = await command(["bench", "--cycles", "200", "--hand-overs", "1", ...server()], {
    isTerminal: true,
    onErrors(text) {
      shown = text;
    },
  });
  expect(shown).toMatch(/\r\p{Cc}\[Kacquire and release: \d+ of 200, /u);
  expect(err.endsWith("\r\u001b[K")).toBe(true);
});

it("refuses numbers that are none", async () => {
  for (const count of ["0", "-1", "many", "1000000"])
    expect((await command(["bench", `--cycles=${count}`, ...server()])).code).toBe(2);
});
