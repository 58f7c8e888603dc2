import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshName } from "../../test/support/names.ts";
import { durableObject } from "../src/port.ts";
import { type ReadyWorker, startReadyWorker, workerds } from "./support/workerd.ts";

const token = "test-token-0123456789";
const readToken = "read-token-0123456789";
const acmeToken = "token-of-acme-0123456";
let worker: ReadyWorker;
let pids: readonly number[];
beforeAll(async () => {
  const before = workerds();
  worker = await startReadyWorker({
    LEASEHOLD_TOKEN: token,
    LEASEHOLD_READ_TOKEN: readToken,
    LEASEHOLD_TENANTS: JSON.stringify([{ token: acmeToken, tenant: "acme" }]),
  });
  pids = workerds().filter((pid) => !before.includes(pid));
});
afterAll(() => worker?.stop());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(own: string, ...command: unknown[]): Promise<Answer> {
  const headers = { authorization: `Bearer ${own}` };
  const response = await fetch(worker.url, { method: "POST", headers, body: JSON.stringify(command) });
  return { status: response.status, body: await response.json() };
}

/** A script that reports what others could have left for it, and what it finds in its own key. */
const LOOK = `
local meta = getmetatable('')
local text = ('text')
local told = { tostring(text.steal), tostring(meta.__index == string), tostring(_G.ARGV[1]), tostring(_G.KEYS[1]), text:upper(),
  tostring({}), tostring(math.random(1000000)), tostring(rawget(_G, 'left')), tostring(meta.__concat), text .. '' }
for key in next, meta do table.insert(told, key) end
table.insert(told, redis.call('GET', KEYS[1]) or 'nothing')
return told`;

/** Leaves code that reads the arguments of the script that runs it, and writes its key. */
const LEAVE = `
local code = function(...) redis.call('SET', KEYS[1], 'stolen: ' .. ARGV[1]) return 'left' end
for _, change in ipairs({
  function() getmetatable('').__index = code end,
  function() getmetatable('').__concat = code end,
  function() getmetatable('').__index = setmetatable({ upper = code, steal = 'left' }, { __index = string }) end,
  function() rawset(getmetatable(''), '__index', code) end,
  function() setmetatable(getmetatable(''), { __index = code }) end,
  function() string.upper = code end,
  function() rawset(string, 'steal', 'left') end,
  function() setmetatable(string, { __index = code }) end,
  function() left = code end,
  function() rawset(_G, 'left', code) end,
  function() getmetatable(_G).__index = code end,
  function() redis.call = code end,
  function() rawset(redis, 'call', code) end,
  function() math.randomseed(7) end,
  function() table.insert = code end,
  function() KEYS.left, ARGV.left = code, code end,
}) do pcall(change) end
return 'done'`;

it("a tenant's script leaves nothing that another tenant's object runs or sees (B1)", async () => {
  const look = (name: string): Promise<Answer> => ask(acmeToken, "EVAL", LOOK, "1", `{${name}}`, "acme's secret");
  const untouched = await look(freshName());
  expect(untouched).toMatchObject({ status: 200, body: { result: expect.arrayContaining(["TEXT", "acme's secret"]) } });
  const own = freshName();
  const told = (name: string): unknown =>
    JSON.parse(JSON.stringify(untouched.body).replaceAll(/\{[\w-]+\}/g, `{${name}}`));
  for (const attacker of [readToken, token]) {
    // Several objects, since the isolate is what tenants share.
    for (let n = 0; n < 3; n++)
      expect(await ask(attacker, "EVAL", LEAVE, "1", `{${freshName()}}`, "attack")).toMatchObject({
        status: 200,
        body: { result: "done" },
      });
    expect(await look(own)).toEqual({ status: 200, body: told(own) });
    const other = freshName();
    expect(await look(other)).toEqual({ status: 200, body: told(other) });
    expect(await ask(acmeToken, "GET", `{${own}}`)).toEqual({ status: 200, body: { result: null } });
  }
});

it("a script compiled for one tenant does not read the keys and arguments of another (B1)", async () => {
  const script = "return { _G.KEYS[1], _G.ARGV[1], KEYS[1], ARGV[1] }";
  await ask(acmeToken, "EVAL", "return 1", "1", "{acme-name}", "acme's secret");
  const mine = ["{mine}", "my argument"];
  for (const own of [readToken, token, readToken])
    expect(await ask(own, "EVAL", script, "1", ...mine)).toEqual({ status: 200, body: { result: [...mine, ...mine] } });
});

const memoryMb = (): number =>
  pids
    .map((pid) => Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })))
    .reduce((sum, kb) => sum + kb / 1024, 0);

it("hundreds of scripts of a read-only token do not stay in the isolate (B4)", async () => {
  const scriptOf = (id: number): string => {
    let text = `-- ${id}\n`;
    for (let line = 0; text.length < 10_000; line++)
      text += `do local v = redis.call('GET', KEYS[1]) if v and tonumber(v) > ${line} then return ARGV[1] .. v end end\n`;
    return `${text} return ${id}`;
  };
  const name = `{${freshName()}}`;
  /** Runs twenty scripts in one request, which may use 32 MB. */
  async function runFrom(first: number): Promise<void> {
    const ids = Array.from({ length: 20 }, (_, at) => first + at);
    const headers = { authorization: `Bearer ${readToken}` };
    const body = JSON.stringify(ids.map((id) => ["EVAL", scriptOf(id), "1", name, "x"]));
    const response = await fetch(`${worker.url}/pipeline`, { method: "POST", headers, body });
    expect(await response.json()).toEqual(ids.map((result) => ({ result })));
  }
  for (let id = 0; id < 400; id += 20) await runFrom(id);
  const before = memoryMb();
  expect(before).toBeGreaterThan(20);
  for (let id = 400; id < 1_000; id += 20) await runFrom(id);
  // It was 200 MB more, and an isolate has 128 in all.
  expect(memoryMb() - before).toBeLessThan(100);
});

const nested = (open: string, inside: string, close: string, count: number): string =>
  open.repeat(count) + inside + close.repeat(count);
const COMPILING = "ERR Error compiling script (new function): user_script:1: ";

it.each([
  ["parentheses", `return ${nested("(", "1", ")", 5_000)}`, `${COMPILING}chunk has too many syntax levels`],
  ["blocks", nested("do ", "", "end ", 5_000), `${COMPILING}chunk has too many syntax levels`],
  ["tables", `return ${nested("{", "", "}", 5_000)}`, `${COMPILING}chunk has too many syntax levels`],
  ["functions", nested("local function f() ", "", "end ", 5_000), `${COMPILING}chunk has too many syntax levels`],
  ["concatenations", `return ${"'a' .. ".repeat(5_000)} 'a'`, `${COMPILING}chunk has too many syntax levels`],
  ["calls of itself", "local function f() return 1 + f() end return f()", /^ERR user_script:1: stack overflow script/],
  ["caught calls of itself", "local function f() return assert(pcall(f)) end return f()", /: C stack overflow script/],
  [
    "JSON",
    "return cjson.decode(('['):rep(100000))",
    /Found too many nested data structures \(1001\) at character 1001/,
  ],
  ["a reply", "local t = {} t[1] = t return t", "ERR reached lua stack limit"],
] as const)(
  "a script that nests is an error of its own, which says that nothing is in doubt: %s (B6)",
  async (_, script, error) => {
    for (const own of [token, readToken, acmeToken]) {
      const { status, body } = await ask(own, "EVAL", script, "1", `{${freshName()}}`);
      if (error === undefined) expect([status, body]).toEqual([200, { result: 1 }]);
      else if (typeof error === "string") expect([status, body]).toEqual([400, { error }]);
      else expect([status, body]).toEqual([400, { error: expect.stringMatching(error) }]);
    }
  },
);

it("the names of every object are no commands and no options (B6)", async () => {
  const names = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"];
  for (const name of names) {
    const unknown = { status: 400, body: { error: expect.stringContaining(`unknown command '${name}'`) } };
    expect(await ask(token, name, "{a}")).toEqual(unknown);
    expect(await ask(token, "ZADD", "{a}", name, "1", "m")).toMatchObject({ status: 400 });
    expect(await ask(readToken, name, "{a}")).toMatchObject({ status: 400 });
    const namespace = await worker.mf.getDurableObjectNamespace("LEASEHOLD");
    const outcome = await durableObject(namespace as never).port([name], AbortSignal.timeout(5_000));
    expect(outcome).toMatchObject({ type: "refused", error: expect.stringContaining(name) });
  }
});
