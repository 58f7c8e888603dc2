import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveGateway } from "../../../gateway/src/index.ts";
import { ROOT } from "../../../test/support/command.ts";
import { pause, useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";
import { COMMANDS } from "../../src/commands.ts";
import { cut, cutMiddle, duration, harmless, jsonLine, table, widthOf, wrapped } from "../../src/text.ts";
import { program, setUp } from "./support.ts";

const stack = useStack();
const SECRET = "hunter2-0123456789";

describe.concurrent("leasehold", () => {
  it("has help for each command, within 80 columns, and its version", async () => {
    const { code, out } = await command(["--help"]);
    expect(code).toBe(0);
    const isNarrow = (text: string): boolean => text.split("\n").every((line) => line.length <= 80);
    expect(out).toSatisfy(isNarrow);
    for (const { name, summary } of COMMANDS) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
      const help = await command([name, "--help"]);
      expect(help).toMatchObject({ code: 0, err: "", out: expect.stringContaining("Exit codes: 0 success") });
      expect(help.out.toLowerCase().replace(/\s+/g, " ")).toContain(summary.toLowerCase());
      expect(help.out).toSatisfy(isNarrow);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    for (const flag of ["--version", "-v"]) expect((await command([flag])).out).toBe(`${version}\n`);
  });

  it("has the same help by each way to ask for it", async () => {
    const all = (await command(["--help"])).out;
    for (const args of [["-h"], ["help"], ["help", "--help"]])
      expect(await command(args)).toEqual({ code: 0, out: all, err: "" });
    for (const { name } of COMMANDS) {
      const { out } = await command([name, "--help"]);
      for (const args of [
        ["help", name],
        [name, "-h"],
        ["-h", name],
        ["help", name, "--json"],
      ])
        expect(await command(args)).toEqual({ code: 0, out, err: "" });
    }
  });

  it.each([
    [["lss"], "no command lss: did you mean ls?"],
    [["insepct", "a"], "no command insepct: did you mean inspect?"],
    [["help", "relase"], "no command relase: did you mean release?"],
    [["xyzzy"], "no command xyzzy"],
    [["ls", "--hold"], "no option --hold: did you mean --held?"],
    [["bench", "--cycle=3"], "no option --cycle: did you mean --cycles?"],
    [["ls", "-x"], "no option -x"],
    [["ls", "--kind", "locks"], "--kind must be one of lock, fair, rw, once, semaphore, counter, latch, fence"],
    [["ls", "--prefix", "a", "--prefix", "b"], "--prefix is given twice"],
    [["ls", "--timeout", "10"], '--timeout "10" has no unit: "10ms" or "10s"?'],
    [["ls", "--timeout", "6m"], "--timeout must be 5m or less"],
    [["ls", "--key-prefix", "{a}"], "--key-prefix must not contain braces"],
    [
      ["ls"],
      "no server: give --url and --token, or --redis, or set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN",
    ],
    [
      ["release", "a", "--token", "17", "--yes"],
      "--token is the server's API token, with --url; a fencing token is --fencing-token",
    ],
    [["release", "a", "--fencing-token", "x", "--yes"], "--fencing-token must be a number"],
    [["completion", "bsh"], "give bash, zsh or fish: did you mean bash?"],
  ])("answers %j with what is wrong", async (args, message) => {
    const { code, err } = await command(args);
    expect(code).toBe(2);
    expect(err.split("\n")[0]).toContain(`leasehold: ${message}`);
  });

  it("says which variable is missing, and the reason why a flag is wrong with a server from the environment", async () => {
    const env = { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" };
    const half = await command(["ls"], { env });
    expect(half.err).toContain("no server: UPSTASH_REDIS_REST_URL is set and UPSTASH_REDIS_REST_TOKEN is not");
    const whole = { env: { ...env, UPSTASH_REDIS_REST_TOKEN: SECRET } };
    expect((await command(["ls", "--timeout", "soon"], whole)).err).toContain("--timeout must be milliseconds");
    expect((await command(["ls", "--key-prefix", "}"], whole)).err).toContain("--key-prefix must not contain braces");
  });

  it("says which permission is missing where Deno runs it (B34)", async () => {
    const deno = (flags: readonly string[], env: Record<string, string>): Promise<string> =>
      new Promise((resolve) => {
        const args = [
          "run",
          "--no-prompt",
          "--allow-net",
          "--allow-read",
          ...flags,
          join(ROOT, "cli/src/main.ts"),
          "ls",
        ];
        const all = { PATH: process.env["PATH"] ?? "", ...env };
        execFile(join(ROOT, "node_modules/.bin/deno"), args, { env: all }, (_, __, stderr) => resolve(stderr));
      });
    const first = async (...given: Parameters<typeof deno>) => (await deno(...given)).split("\n")[0];
    const why = "leasehold: no server: the environment may not be read: run Deno with --allow-env";
    const [names, other] = ["UPSTASH_REDIS_REST_URL,UPSTASH_REDIS_REST_TOKEN", "KV_REST_API_URL,KV_REST_API_TOKEN"];
    expect(await first([], {})).toBe(`${why} (${names},${other})`);
    expect(await first([`--allow-env=${names}`], {})).toBe(`${why} (${other})`);
    expect(await first([`--allow-env=${names}`], { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" })).toBe(
      "leasehold: no server: UPSTASH_REDIS_REST_URL is set and UPSTASH_REDIS_REST_TOKEN is not",
    );
  });

  it.each([
    [["ls", "--url", "redis://10.0.0.7", "--token", "t"], {}, '--url "redis://10.0.0.7" is Redis\'s own protocol'],
    [["ls", "--url", "h.example", "--token", "t"], {}, '--url "h.example" has no protocol: "https://h.example"'],
    [["ls", "--url", "http://h.example", "--token", "a b"], {}, "--token contains spaces or line breaks"],
    [
      ["ls"],
      { KV_REST_API_URL: "h.example", KV_REST_API_TOKEN: "t" },
      'KV_REST_API_URL "h.example" has no protocol: "https://h.example"',
    ],
  ])("names the flag or the variable of an address that cannot be used: %j %j", async (args, env, message) => {
    const { code, err } = await command(args, { env });
    expect(err).toContain(`leasehold: ${message}`);
    expect(err).toContain("`leasehold ls --help` has the options.");
    expect(code).toBe(2);
  });

  it("describes what is wrong with an unavailable server, without a name that nobody passed", async () => {
    const { err } = await command(["ls", "--redis", "redis://127.0.0.1:1", "--timeout", "3s"]);
    expect(err).toMatch(/^leasehold: nothing was sent: 127\.0\.0\.1:1 .*ECONNREFUSED\): check /);
  });

  it("shows no pattern of its own if a server is unavailable", async () => {
    const away = ["--url", "http://127.0.0.1:1", "--token", SECRET, "--timeout", "300ms"];
    for (const args of [["ls"], ["watch"], ["inspect", "a"]]) {
      const { code, err } = await command([...args, ...away]);
      expect(code).toBe(3);
      expect(err).not.toMatch(/[{}*]/);
    }
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["lsss"]],
    ["an unknown flag", ["ls", `--tokn=${SECRET}`]],
    ["a flag without its value", ["ls", "--url"]],
    ["no server", ["ls"]],
    ["a URL without a token", ["ls", "--url", `http://x/${SECRET}`]],
    ["a URL that is none", ["ls", "--url", SECRET, "--token", SECRET]],
    ["credentials in the URL", ["ls", "--url", `https://default:${SECRET}@x`, "--token", "t"]],
    ["two servers", ["ls", "--url", "http://x", "--token", "t", "--redis", `redis://:${SECRET}@x`]],
    ["a Redis URL that is none", ["ls", "--redis", `${SECRET}`]],
    ["a kind that is none", ["ls", "--kind", SECRET, "--url", "http://x", "--token", "t"]],
    ["two names", ["inspect", "a", "b", "--url", "http://x", "--token", "t"]],
    ["a time that is none", ["ls", "--timeout", SECRET, "--url", "http://x", "--token", "t"]],
    ["a prefix with braces", ["ls", "--key-prefix", "{", "--url", "http://x", "--token", "t"]],
  ])("answers %s with exit code 2 and repeats no value", async (_, args) => {
    const { code, out, err } = await command(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^leasehold: /);
    expect(err).not.toContain(SECRET);
  });

  it("exits with 3 if a server refuses or is unavailable, without printing a secret", async () => {
    const refused = await command(["ls", "--url", stack.url, "--token", SECRET]);
    const away = await command(["ls", "--url", "http://127.0.0.1:1", "--token", SECRET, "--timeout", "500ms"]);
    const login = await command([
      "ls",
      "--redis",
      stack.redis.url.replace("//", `//eve:${SECRET}@`),
      "--timeout",
      "500ms",
    ]);
    expect([refused.code, away.code, login.code]).toEqual([3, 3, 3]);
    expect(refused.err).toMatch(/^leasehold: the API token was refused by \S+: check it\n$/);
    for (const { out, err } of [refused, away, login]) expect(out + err).not.toContain(SECRET);
  });

  it("says once and in plain words that a read-only token is too little", async () => {
    const readOnlyToken = "reads-0123456789";
    const gateway = await serveGateway({ redis: stack.redis.url, token: "writes-0123456789", readOnlyToken, port: 0 });
    for (const args of [["ls"], ["inspect", "a"], ["watch"], ["release", "a", "--yes"]]) {
      const { code, out, err } = await command([...args, "--url", gateway.url, "--token", readOnlyToken]);
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toMatch(
        /^leasehold: NOPERM .*: use a token that may run scripts, the read-write token of the database, or allow the user \+(scan|evalsha) /,
      );
      expect(err).toContain("(to read a name, a command runs a script, so none works with a read-only token)\n");
    }
    await gateway.close();
  });

  it("wraps what it knows about a name to the width of a terminal, and nothing in a pipe", async () => {
    const { locks, env, flags, run } = setUp(stack);
    const label = "page 3 of the invoices of November, for the second time";
    for (const permits of [1, 2])
      await locks.semaphore("pool", { permits: 5 }).acquire({ permits, lease: "1h", label });
    await locks.lock("one").acquire({ lease: "1h", label: `${label}, after the printer was repaired` });
    for (const name of ["pool", "one"]) {
      const narrow = await command(["inspect", name, ...flags], {
        env: { ...env, NO_COLOR: "1" },
        isTerminal: true,
        columns: 80,
      });
      for (const line of narrow.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
      expect(narrow.out.replace(/\s+/g, " ")).toContain(`“${label}`);
      expect((await run("inspect", name)).out).toContain(`“${label}`);
    }
  });

  it("inspects a queue with those who wait, the first one first", async () => {
    const { locks, run } = setUp(stack);
    const fair = locks.fairLock("printer");
    await fair.acquire({ lease: "5m", label: "web-1" });
    const stop = new AbortController();
    const waits: Promise<unknown>[] = [];
    for (const label of ["nightly", "second\u202e"]) {
      waits.push(fair.acquire({ wait: "5m", label, signal: stop.signal }).catch(() => {}));
      while ((await fair.inspect()).waiters < waits.length) await pause(10);
    }
    const { out } = await run("inspect", "printer");
    expect(out).toMatch(/ waiting\n +1 +[\d.]+ m?s +“nightly”\n +2 +[\d.]+ m?s +“second\\u\{202e\}”\n$/);
    stop.abort();
    await Promise.all(waits);
    expect((await run("inspect", "printer")).out).not.toContain("waiting");
  });

  it("inspects a name of any kind, with its holders, and says when nothing is known", async () => {
    const { locks, run } = setUp(stack);
    await locks.group("g").lock("one").acquire({ lease: "1m", label: "nightly" });
    await locks.semaphore("pool", { permits: 5 }).acquire({ permits: 2, lease: "1m" });
    const one = await run("inspect", "one", "--group", "g");
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(one.out).toMatch(
      /^g\/one +lock\n +state +held .* left\n +token +\d{16}\n +since +\S+Z\n +until +\S+Z\n +more +“nightly”/,
    );
    const pool = JSON.parse((await run("inspect", "pool", "--json")).out);
    expect(pool).toMatchObject({ kind: "semaphore", held: true, holders: [{ permits: 2 }] });
    await locks.readWriteLock("pages").read.acquire({ lease: "1m", label: "search index" });
    expect((await run("inspect", "pages")).out).toMatch(/holders\n.* left +read, “search index”\n$/);
    expect(await run("inspect", "one")).toEqual({ code: 1, out: "", err: "nothing is known about one\n" });
  });

  it("takes the API token before or behind the command, and by the other pair of variables", async () => {
    const { locks, flags } = setUp(stack);
    const lease = await locks.lock("one").acquire({ lease: "1m" });
    const server = ["--url", stack.url, "--token", stack.token];
    const fencing = ["--fencing-token", String(lease.token)];
    expect((await command([...server, "ls", ...flags])).code).toBe(0);
    const env = { KV_REST_API_URL: stack.url, KV_REST_API_TOKEN: stack.token };
    expect((await command(["ls", ...flags], { env })).code).toBe(0);
    expect((await command([...server, "release", "one", ...fencing, "--yes", ...flags])).code).toBe(0);
    expect((await command(["ls", ...server, "--token", "two", ...flags])).code).toBe(2);
  });

  it("ends quietly when the reader of its output leaves", async () => {
    const { locks, env, flags } = setUp(stack);
    await locks.lock("one").acquire({ lease: "1m" });
    const { code, err } = await program(["ls", "--json", ...flags], env, false);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });
});

describe("text for a terminal", () => {
  it("breaks a long text between words, to the width of a terminal", () => {
    const text = "a restart frees what is held, set appendonly yes";
    expect(wrapped(text, 24, 4)).toEqual(["a restart frees what", "    is held, set", "    appendonly yes"]);
    expect(wrapped(text, Number.POSITIVE_INFINITY, 4)).toEqual([text]);
    expect(wrapped("https://an.address/that-is-long here", 10)).toEqual(["https://an.address/that-is-long", "here"]);
  });

  it("has the width that it looks like, and is cut to one", () => {
    expect([widthOf("abc"), widthOf("日本"), widthOf("e\u0301"), widthOf("\u001b[31mab\u001b[0m")]).toEqual([
      3, 4, 1, 2,
    ]);
    expect(cut("日本語", 5)).toBe("日本…");
    expect(cutMiddle("cron:export:2026-11-27", 12)).toBe("cron:e…11-27");
    expect(cutMiddle("日本語の名前", 7)).toBe("日…名前");
    expect(cutMiddle("short", 12)).toBe("short");
    expect(cut("\u001b[31mabcdef\u001b[0m", 4)).toBe("\u001b[31mabc…\u001b[0m");
    expect(
      table([
        ["日本", "x"],
        ["abc", "y"],
      ]),
    ).toEqual(["日本  x", "abc   y"]);
  });

  it("is harmless", () => {
    expect(harmless("a\u0000\u009b\u202e\u2028\ufeff\ud800é🔒")).toBe(
      "a\\u{0}\\u{9b}\\u{202e}\\u{2028}\\u{feff}\\u{d800}é🔒",
    );
    expect(JSON.parse(jsonLine("a\u{e0001}\u202e"))).toBe("a\u{e0001}\u202e");
    expect(jsonLine("\u{e0001}\u202e")).toBe('"\\udb40\\udc01\\u202e"');
  });

  it.each([
    [-5, "0 ms"],
    [420, "420 ms"],
    [3210, "3.2 s"],
    [59_999, "59 s"],
    [192_000, "3 m 12 s"],
    [3_600_000, "1 h"],
    [7_500_000, "2 h 5 m"],
    [180_000_000, "2 d 2 h"],
  ])("says %d ms as %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});
