import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { createAnswerOrder } from "../../src/redis/answer-order.ts";
import { type Command, repliesOf, type ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { type Relay, startRelay } from "../support/relay.ts";

const NO_ANSWER = { status: 504, body: { error: "No answer from Redis: what was sent may have run" } };
const VICTIM = "the-one-that-is-swallowed";
/** How long Redis may take to answer: under load so long that only the order of the answers shows what is missing. */
const TIMEOUT_MS = 1_000;
const LOADED_TIMEOUT_MS = 30_000;

let redis: RedisServer;
let relay: Relay;
beforeEach(async () => {
  redis = await startRedis(["--cluster-enabled", "no", "--busy-reply-threshold", "100"]);
  relay = await startRelay(redis.port);
});
afterEach(async () => {
  await relay.close();
  await redis.stop();
});

describe("an answer that does not come, or comes twice", () => {
  let gateway: GatewayServer;
  const reasons: unknown[] = [];
  const ask = (...command: string[]): Promise<Answer> => call(gateway.url, command);
  const post = (path: string, body: unknown): Promise<Answer> => call(gateway.url + path, body);

  async function serve(timeoutMs = TIMEOUT_MS, login = ""): Promise<void> {
    const note = (fields: object, message: string): void => {
      if (message === "Redis cannot be used") reasons.push("reason" in fields ? fields.reason : undefined);
    };
    const log = { debug: () => {}, info: () => {}, warn: note, error: note };
    const url = relay.url.replace("//", `//${login}`);
    gateway = await serveGateway({ redis: url, token: TOKEN, port: 0, timeoutMs, log });
    reasons.length = 0;
  }
  let isOver = false;
  afterEach(async () => {
    isOver = true;
    await gateway.close();
  });

  /** Callers who ask without a pause, each for what only it has asked for; what they got that was not theirs. */
  function load(right: (id: string) => { command: string[]; result: string }, callers = 60) {
    const wrong: unknown[] = [];
    isOver = false;
    let ok = 0;
    const caller = async (at: number): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const { command, result } = right(`${at}-${n}`);
        const { status, body, text } = await ask(...command);
        if (status === 200 && JSON.stringify(body) === JSON.stringify({ result })) ok++;
        else if (status !== 503 && JSON.stringify({ status, body }) !== JSON.stringify(NO_ANSWER)) wrong.push(text);
        else await pause(5);
      }
    };
    const all = Array.from({ length: callers }, (_, at) => caller(at));
    return {
      more: async (count: number): Promise<void> => {
        const before = ok;
        await until(
          async () => ok,
          (now) => now >= before + count,
        );
      },
      end: async (): Promise<unknown[]> => {
        isOver = true;
        await Promise.all(all);
        return wrong;
      },
    };
  }
  const echo = (id: string) => ({ command: ["ECHO", id], result: id });

  it.each([
    ["is swallowed", (): Buffer[] => []],
    ["comes twice", (reply: Buffer): Buffer[] => [reply, reply]],
  ])(
    "%s under load: 504 for those in flight, another connection, and nobody gets what is not theirs",
    async (_, change) => {
      await serve(LOADED_TIMEOUT_MS);
      const callers = load(echo);
      await callers.more(200);
      for (let round = 0; round < 3; round++) {
        const before = relay.connections;
        let left = 1;
        relay.edit((reply) => (reply.includes(VICTIM) && left-- > 0 ? change(reply) : [reply]));
        const { status, text } = await ask("ECHO", VICTIM);
        // The first of two answers is right, and may be there before the second.
        if (status !== 200) expect(status).toBe(504);
        else expect(text).toContain(VICTIM);
        await until(
          async () => relay.connections,
          (count) => count > before,
        );
        await callers.more(200);
      }
      expect(await callers.end()).toEqual([]);
      expect(new Set(reasons)).toEqual(new Set(["answers out of step"]));
    },
  );

  it("is swallowed in a pipeline and in a transaction", async () => {
    await serve(LOADED_TIMEOUT_MS);
    const callers = load(echo);
    for (const path of ["/pipeline", "/multi-exec"]) {
      await callers.more(100);
      let left = 1;
      relay.edit((reply) => (reply.includes(VICTIM) && left-- > 0 ? [] : [reply]));
      const commands = ["a", VICTIM, "b"].map((it) => ["ECHO", it]);
      expect(await post(path, commands)).toMatchObject(NO_ANSWER);
      await callers.more(100);
    }
    expect(await callers.end()).toEqual([]);
  });

  it("is dropped if no other request follows: the next one does not get it", async () => {
    await serve();
    relay.edit((reply) => (reply.includes(VICTIM) ? [] : [reply]));
    const swallowed = ask("ECHO", VICTIM);
    await pause(50);
    const next = await ask("ECHO", "next");
    expect([next.status, next.text]).toEqual([504, JSON.stringify(NO_ANSWER.body)]);
    expect(await swallowed).toMatchObject(NO_ANSWER);
    await until(
      () => ask("ECHO", "well"),
      ({ text }) => text === '{"result":"well"}',
    );
    // Nothing is due on the new connection, so it may be silent for longer than the time limit of an answer.
    const { connections } = relay;
    await pause(1_500);
    expect(relay.connections).toBe(connections);
  });

  it("comes though nobody has asked: another connection", async () => {
    await serve();
    const before = (await ask("CLIENT", "ID")).text;
    const { connections } = relay;
    relay.say("+SURPRISE\r\n");
    await until(
      async () => relay.connections,
      (count) => count > connections,
    );
    await until(
      () => ask("CLIENT", "ID"),
      ({ status, text }) => status === 200 && text !== before && !text.includes("SURPRISE"),
    );
    expect(reasons).toEqual(["answers out of step"]);
  });

  it("is always the one before where no requests overlap: that is noticed, too", async () => {
    await serve();
    expect((await ask("ECHO", "a")).body).toEqual({ result: "a" });
    let last: Buffer = Buffer.from("+SURPRISE\r\n");
    relay.edit((reply) => {
      const before = last;
      last = reply;
      return [before];
    });
    const { connections } = relay;
    const begun = performance.now();
    while (relay.connections === connections && performance.now() - begun < 20_000) await ask("ECHO", "b");
    expect(relay.connections).toBeGreaterThan(connections);
    relay.edit((reply) => [reply]);
    await until(
      () => ask("ECHO", "c"),
      ({ text }) => text === '{"result":"c"}',
    );
    expect(reasons).toContain("answers out of step");
  }, 40_000);

  it("is swallowed for a user who may not say ECHO, and of whom Redis does not log that again and again", async () => {
    await redis.command("ACL", "SETUSER", "small", "on", ">p", "~*", "+get");
    const numbers = Array.from({ length: 200 }, (_, at) => String(at));
    await redis.command("MSET", "v", VICTIM, ...numbers.flatMap((it) => [it, `value-${it}`]));
    await serve(LOADED_TIMEOUT_MS, "small:p@");
    const callers = load((id) => {
      const key = String(Number(id.replace("-", "")) % 200);
      return { command: ["GET", key], result: `value-${key}` };
    });
    await callers.more(300);
    // Not more often than there were requests on their way when the first one was denied.
    const denied = async () =>
      Number(/count\r\n:(\d+)(?:(?!count\r\n)[\s\S])*\$4\r\necho/.exec(await redis.command("ACL", "LOG"))?.[1]);
    const heard = await denied();
    expect(heard).toBeLessThanOrEqual(60);
    await callers.more(300);
    expect(await denied()).toBe(heard);
    const before = relay.connections;
    let left = 1;
    relay.edit((reply) => (reply.includes(VICTIM) && left-- > 0 ? [] : [reply]));
    expect((await ask("GET", "v")).status).toBe(504);
    await until(
      async () => relay.connections,
      (count) => count > before,
    );
    await callers.more(300);
    expect(await callers.end()).toEqual([]);
  });

  it("is distinguished from that of a server which is busy with a script: the connection stays", async () => {
    await serve();
    const id = (await ask("CLIENT", "ID")).text;
    const script = redis.command("EVAL", "while true do end", "0").catch(() => {});
    await until(
      () => ask("GET", "k"),
      ({ text }) => text.includes("BUSY"),
    );
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask("GET", `k${at}`)));
      for (const { status, text } of answers) expect([status, text.slice(0, 15)]).toEqual([400, '{"error":"BUSY ']);
    }
    await redis.command("SCRIPT", "KILL");
    await script;
    expect((await ask("CLIENT", "ID")).text).toBe(id);
    expect(reasons).toEqual([]);
  });

  it("is not looked for on connections for one request at a time: what arrives there in resp2 is the answer and nothing else", async () => {
    await serve();
    const raw = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" };
      return (await fetch(gateway.url, { method: "POST", headers, body: '["ECHO","raw"]' })).text();
    };
    const begun = performance.now();
    while (performance.now() - begun < 11_000) {
      expect(await raw()).toBe("$3\r\nraw\r\n");
      await pause(100);
    }
  }, 30_000);

  it("is not seen where pipelines and single commands come together: the connection stays", async () => {
    await serve();
    const { connections } = relay;
    const single = async (id: string) => expect((await ask("ECHO", id)).body).toEqual({ result: id });
    const pipeline = async (id: string) => {
      const commands = Array.from({ length: 5 }, (_, at) => ["ECHO", `${id}-${at}`]);
      expect((await post("/pipeline", commands)).body).toEqual(commands.map(([, text]) => ({ result: text })));
    };
    for (let round = 0; round < 50; round++)
      await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 5 === 0 ? pipeline : single)(`${round}-${at}`)));
    expect(relay.connections).toBe(connections);
    expect(reasons).toEqual([]);
  });

  it("costs nothing where one request comes after the other", async () => {
    await serve();
    await until(
      () => ask("PING"),
      ({ status }) => status === 200,
    );
    await redis.command("CONFIG", "RESETSTAT");
    for (let n = 0; n < 20; n++) await ask("SET", "k", "v");
    expect(await redis.command("INFO", "commandstats")).not.toContain("cmdstat_echo");
    expect(await redis.command("INFO", "errorstats")).not.toContain("errorstat_ERR");
  });
});

/** The text of a mark that is an ECHO. */
const textOf = (mark: string | undefined): Buffer => Buffer.from(mark?.split("\r\n").at(-2) ?? "");

it("the answer to a later mark is nobody's, where the answers before it are missing", () => {
  const lost: string[] = [];
  const order = createAnswerOrder(() => lost.push("lost"), Number.POSITIVE_INFINITY);
  expect(order.mark(0)).toBeUndefined();
  order.asked(1);
  const marks = [1, 2].map(() => {
    const mark = order.mark(0);
    order.asked(1);
    return textOf(mark);
  });
  // The answers to the first caller, to the first mark and to the second caller do not come.
  expect(order.isAnswer(marks[1] ?? null)).toBe(false);
  // No later reply is accepted, not even the right one.
  expect(order.isMark(marks[0] ?? null)).toBe(false);
  expect(order.isAnswer(Buffer.from("1"))).toBe(false);
  expect(lost).toEqual(["lost"]);
});

describe("an error instead of a mark (W7)", () => {
  function overlapping() {
    const lost: string[] = [];
    const order = createAnswerOrder(() => lost.push("lost"), Number.POSITIVE_INFINITY);
    order.probed(Buffer.from("leasehold"));
    order.asked(1);
    expect(order.mark(0)).toContain("ECHO");
    order.asked(1);
    expect(order.isAnswer(new Error("NOSCRIPT No matching script."))).toBe(true);
    return { order, lost };
  }

  it.each([
    "NOSCRIPT No matching script.",
    "ERR no such key",
    "NOPERM User app has no permissions to run the 'get' command",
  ])("is an answer that came twice: %s", (text) => {
    const { order, lost } = overlapping();
    expect([order.isMark(new Error(text)), lost]).toEqual([false, ["lost"]]);
  });

  it("that everybody gets proves nothing: until the next proof, anybody gets that error and nothing else", () => {
    const { order, lost } = overlapping();
    const busy = new Error("BUSY Redis is busy running a script.");
    expect(order.isMark(busy)).toBe(true);
    expect(order.isAnswer(busy)).toBe(true);
    order.asked(1);
    expect([order.isAnswer(Buffer.from("value")), lost]).toEqual([false, []]);
    // An unknown command is refused by its name even then, so the next mark proves the order.
    const mark = textOf(order.mark(0));
    order.asked(1);
    expect(order.isMark(new Error(`ERR unknown command '${mark}'`))).toBe(true);
    expect(order.isAnswer(Buffer.from("value"))).toBe(true);
  });
});

it("a million marks differ from each other and from the texts of callers", () => {
  const lost: string[] = [];
  const order = createAnswerOrder(() => lost.push("lost"), Number.POSITIVE_INFINITY);
  order.asked(1);
  const lengths = new Set<number>();
  for (let n = 0; n < 1_000_000; n++) {
    const mark = order.mark(0);
    lengths.add(mark?.length ?? 0);
    if (!order.isMark(textOf(mark))) throw new Error(`not taken for a mark: ${mark}`);
  }
  expect(lengths.size).toBe(1);
  const text = textOf(order.mark(0)).toString();
  for (const other of [text.slice(1), `${text}0`, `x${text.slice(1)}`, "", text.slice(0, -6)]) {
    order.asked(1);
    expect(order.isAnswer(Buffer.from(other))).toBe(true);
  }
  expect(order.isMark(Buffer.from(text.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))))).toBe(false);
  expect(lost).toEqual(["lost"]);
});

describe("commands of a real Redis that are answered not at all, or twice", () => {
  let backend: ServerBackend;
  beforeEach(async () => {
    backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0 }, 1_000);
    await backend.opened;
  });
  afterEach(() => backend.close());

  it.each<[string, Command]>([
    ["not at all", ["REPLCONF", "ACK", "1"]],
    ["twice", ["UNSUBSCRIBE", "a", "b"]],
    ["three times", ["PUNSUBSCRIBE", "a", "b", "c"]],
  ])("%s: of a thousand others at the same time none gets what is not its own", async (_, command) => {
    // Every seventh one is answered by an error, which could be the answer to any command.
    const told = (texts: readonly string[]) =>
      Promise.all(
        texts.map((text, at) =>
          repliesOf(backend, [at % 7 === 6 ? ["EVALSHA", text, "0"] : ["ECHO", text]]).then(
            ([reply]) => {
              const isRight = at % 7 === 6 ? reply instanceof Error : String(reply) === text;
              return isRight ? "right" : `wrong: ${String(reply)} for ${text}`;
            },
            (error: Error) => error.name,
          ),
        ),
      );
    const texts = (name: string): string[] => Array.from({ length: 500 }, (_, at) => `${name}${at}`);
    const before = told(texts("before"));
    const odd = repliesOf(backend, [command]).catch((error: Error) => error.name);
    const [first, second] = await Promise.all([before, told(texts("after"))]);
    expect(new Set(first)).toEqual(new Set(["right"]));
    expect(new Set(second)).toEqual(new Set(["NoAnswer"]));
    await odd;
    await until(
      () => told(["again"]),
      ([outcome]) => outcome === "right",
    );
    expect(new Set(await told(texts("later")))).toEqual(new Set(["right"]));
  });
});
