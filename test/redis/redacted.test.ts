/** Errors and events quote nothing of what was sent, whatever a server, a proxy or a client library quotes (R10). */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createLocks, extendAll, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { list } from "../../src/list/index.ts";
import { redact } from "../../src/redis/redact.ts";
import { bunRedis } from "../../src/tcp/bun.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";

const TOKEN = "an-api-token-of-ours";
const RESULT = 'the card\'s number is "4242"';
/** The part of it that no escaping changes. */
const UNESCAPED = "s number is ";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The forms in which whatever is on the way quotes a request. */
const ENCODINGS: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "escaped as JSON": (text) => JSON.stringify(text),
  "escaped as JSON twice": (text) => JSON.stringify(JSON.stringify(text)),
  "percent-encoded": encodeURIComponent,
  "as a form": (text) => new URLSearchParams({ body: text }).toString(),
  Base64: base64,
  "Base64, one byte further": (text) => base64(`x${text}`),
  "Base64, two bytes further": (text) => base64(`xy${text}`),
  "Base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "Base64 in lines": (text) => base64(text).replace(/.{76}/g, "$&\r\n"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
};

interface Echo {
  /** Whether requests that are sent from now on meet the quoting server. */
  isQuoting: boolean;
  readonly sent: string[];
  readonly options: object;
}

type Command = readonly (string | number)[];
type Quote = (request: string) => string;

const memory = () => createMemoryRedis({ token: TOKEN });

/** A transport whose server quotes the request and its headers, by these answers. */
const overFetch =
  (answer: (quoted: string, isPipeline: boolean) => Response) =>
  (quote: Quote): Echo => {
    const redis = memory();
    const echo: Echo = {
      isQuoting: false,
      sent: [],
      options: {
        url: redis.url,
        token: TOKEN,
        async fetch(url: string, init: RequestInit) {
          if (!echo.isQuoting) return redis.fetch(url, init);
          echo.sent.push(String(init.body));
          const request = `${JSON.stringify(init.headers)} ${String(init.body)}`;
          return answer(`ERR refused: ${quote(request)}`, url.endsWith("/pipeline"));
        },
      },
    };
    return echo;
  };

/** Runs commands in memory, or throws an error that quotes them. */
function library(quote: Quote, details: object) {
  const redis = memory();
  const echo = { isQuoting: false, sent: [] as string[] };
  const run = async (lines: readonly Command[]): Promise<unknown[]> => {
    if (!echo.isQuoting) {
      const answers: unknown[] = [];
      for (const [name, ...args] of lines) answers.push(await redis.command(`${name}`, ...args.map(String)));
      return answers;
    }
    const body = JSON.stringify(lines);
    echo.sent.push(body);
    throw Object.assign(new Error(`ERR refused: ${quote(body)}`), details);
  };
  return { echo, run };
}

const events = { on() {}, off() {} };
const overIoredis =
  (details: object) =>
  (quote: Quote): Echo => {
    const { echo, run } = library(quote, details);
    const client = {
      ...events,
      status: "ready",
      options: {},
      connect: async () => {},
      call: (...line: Command) => run([line]).then(([answer]) => answer),
      pipeline: (lines: Command[]) => ({
        exec: async () =>
          run(lines).then(
            (answers) => answers.map((answer) => [null, answer] as const),
            (error: Error) => {
              if (error.name !== "ReplyError") throw error;
              return lines.map(() => [error] as const);
            },
          ),
      }),
    };
    return Object.assign(echo, { options: { redis: ioredis(client) } });
  };
const overNodeRedis =
  (details: object) =>
  (quote: Quote): Echo => {
    const { echo, run } = library(quote, details);
    const client = {
      ...events,
      isOpen: true,
      isReady: true,
      listenerCount: () => 1,
      sendCommand: async (line: never) => (await run([line]))[0],
      withTypeMapping: () => ({ multi: () => ({ addCommand() {}, execAsPipeline: () => run([["PIPELINE"]]) }) }),
    };
    return Object.assign(echo, { options: { redis: nodeRedis(client as never) } });
  };
const overBun =
  (details: object) =>
  (quote: Quote): Echo => {
    const { echo, run } = library(quote, details);
    const client = {
      connected: true,
      connect: async () => {},
      close() {},
      send: async (name: string, args: string[]) => (await run([[name, ...args]]))[0],
    };
    return Object.assign(echo, { options: { redis: bunRedis(client) } });
  };

const failing = (status: number) => (quoted: string) => Response.json({ error: quoted }, { status });
/** The ways on which a request can be quoted. */
const WAYS: Record<string, (quote: Quote) => Echo> = {
  "fetch, an error of Redis": overFetch(failing(400)),
  "fetch, an error of something in between": overFetch(failing(500)),
  "fetch, 503": overFetch(failing(503)),
  "fetch, an error for each command": overFetch((quoted, isPipeline) =>
    isPipeline ? Response.json(Array.from({ length: 9 }, () => ({ error: quoted }))) : Response.json({ error: quoted }),
  ),
  "fetch, that throws": overFetch((quoted) => {
    throw Object.assign(new TypeError(quoted), { cause: Object.assign(new Error(quoted), { code: quoted }) });
  }),
  "ioredis, an error of Redis": overIoredis({ name: "ReplyError" }),
  "ioredis, its own error": overIoredis({}),
  "node-redis, an error of Redis": overNodeRedis({}),
  "node-redis, its own error": overNodeRedis({ code: "ECONNRESET" }),
  "bun, an error of Redis": overBun({ code: "ERR_REDIS_SERVER_ERROR" }),
  "bun, its own error": overBun({}),
};

/** Operations whose requests carry secrets of several leases. */
async function operate(locks: Locks, echo: Echo): Promise<{ outcomes: unknown[]; secrets: string[] }> {
  const names = ["a", "b", "c"];
  const leases = await Promise.all(names.map((name) => locks.lock(name).acquire({ label: name })));
  const both = await locks.multiLock(["d", "e"]).acquire();
  const turn = await locks.once("f").begin();
  const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
  const secrets = leases.flatMap((lease) => [lease.ticket(), idIn(lease.ticket())]);
  secrets.push(...both.tickets().map(idIn), TOKEN, RESULT, UNESCAPED);
  echo.isQuoting = true;
  const outcomes = [
    await caught(extendAll(leases, "1m")),
    await caught(both.extend()),
    await caught(both.release()),
    await caught(leases[0]?.verify() as Promise<unknown>),
    await caught(leases[1]?.release() as Promise<unknown>),
    await caught(turn.status === "started" ? turn.complete(RESULT) : Promise.resolve()),
    await caught(locks.lock("g").tryAcquire({ replicas: { min: 1 } })),
    await caught(list(locks)[Symbol.asyncIterator]().next()),
  ];
  const ids = echo.sent.flatMap((body) => body.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []);
  expect(ids.length).toBeGreaterThan(5);
  return { outcomes, secrets: [...secrets, ...ids] };
}

const idIn = (ticket: string): string =>
  String((JSON.parse(Buffer.from(ticket, "base64url").toString()) as unknown[])[4]);

/** All that a console, a log or an error tracker could get out of a value, errors' stacks and causes included. */
function shown(value: unknown): string {
  const causes: string[] = [];
  for (let error = value; error instanceof Error; error = error.cause) causes.push(`${error.stack} ${error.message}`);
  return [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), ...causes].join("\n");
}

describe.each(Object.keys(WAYS))("over %s", (way) => {
  it.each(Object.keys(ENCODINGS))("a request that is quoted %s stays secret (E17)", async (encoding) => {
    const encode = ENCODINGS[encoding] as Quote;
    const echo = (WAYS[way] as (typeof WAYS)[string])(encode);
    const seen: LeaseholdEvent[] = [];
    const locks = createLocks({
      ...(echo.options as { url: string; token: string }),
      requestTimeout: 60,
      random: () => 0,
      onEvent: (event) => seen.push(event),
    });
    const { outcomes, secrets } = await operate(locks, echo);
    // All of it, and whatever of it can be decoded.
    const text = [...outcomes.flat().map(shown), shown(seen)].join("\n");
    const decoded = text.match(/[\w+/=%-]{12,}/g) ?? [];
    const readable = [
      text,
      ...decoded.flatMap((word) => [
        Buffer.from(word, "base64").toString("latin1"),
        Buffer.from(word, "hex").toString("latin1"),
        word.replace(/%([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      ]),
    ].join("\n");
    for (const secret of secrets) expect(readable).not.toContain(secret);
    expect(text).toContain("ERR refused");
  });
});

describe("what a person needs is kept", () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", undefined],
    ["NOPERM User default has no permissions to run the 'evalsha' command", undefined],
    ["connect ECONNREFUSED 127.0.0.1:45123", undefined],
    ["getaddrinfo ENOTFOUND a-long-host-name.upstash.io", undefined],
    ["UND_ERR_CONNECT_TIMEOUT", undefined],
    ["ERR user_script:41: Script attempted to access a non local key in a cluster node", undefined],
  ])("%s (E17)", (message) => {
    const command = ["EVALSHA", "c".repeat(40), 1, "leasehold:{invoice:42}", 17, crypto.randomUUID()];
    expect(redact(message, [command], TOKEN)).toBe(message);
  });

  it("what precedes a quoted argument, and nothing from there on (E17)", () => {
    const command = ["SET", "customer of the invoice 42", "unpaid"];
    const message = "ERR the value of 'customer of the invoice 42' is not 'paid'";
    expect(redact(message, [command])).toBe("ERR the value of '…");
  });

  it("what follows the hash of a script (E17)", () => {
    const hash = "c".repeat(40);
    const command = ["EVALSHA", hash, 1, "leasehold:{invoice:42}", 17, crypto.randomUUID()];
    const message = `ERR Error running script (call to f_${hash}): user_script:41: out of memory`;
    expect(redact(message, [command])).toBe("ERR Error running script (call to …): user_script:41: out of memory");
  });
});
