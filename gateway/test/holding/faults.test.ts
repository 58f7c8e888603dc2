import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { LockTimeoutError } from "../../../src/index.ts";
import { sha } from "../../../src/redis/scripts/lock-acquire.gen.ts";
import { startRedis } from "../../../tools/redis.ts";
import type { GatewayServer } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/client.ts";
import { keepingLog } from "../support/log.ts";
import { start, urlIn } from "../support/process.ts";
import { startRelay } from "../support/relay.ts";
import { heldNow, holdingStage, metric, waitingLocks } from "./stage.ts";

const it_ = holdingStage();
const { serve } = it_;

/** The command by which one more waiter asks for a lock, valid for ten seconds. */
function acquire(name: string, id: string): readonly (string | number)[] {
  const notAfter = (Date.now() + 10_000) * 1_000;
  const note = `0000000000000000000000000000000000${id}`.slice(-36);
  return ["EVALSHA", sha[0], 1, `leasehold:{${name}}`, notAfter, note, 30_000, 60_000, "", "", 1, 0, "", 0];
}

const PREFER = { headers: { prefer: "wait=5" } };

/** A raw request of a waiter. */
function asked(port: number, name: string, id: string): string {
  const body = JSON.stringify(acquire(name, id));
  return `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nPrefer: wait=5\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A lock that is held, with its script known to Redis. */
async function taken(gateway: GatewayServer, name: string) {
  return waitingLocks(gateway.url).locks.lock(name).acquire({ lease: "60s" });
}

/** How many requests a gateway in a process holds. */
async function heldBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/requests_held (\d+)/.exec(text)?.[1]);
}

/** Starts a process that asks for something, and stops it with SIGSTOP when the answer begins to arrive. */
async function freezeReader(url: string): Promise<ChildProcess> {
  const program = `fetch(${JSON.stringify(url)}, { headers: { authorization: "Bearer ${TOKEN}" } }).then(() => console.log("begun"))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGSTOP");
  return child;
}

describe("a waiter that is gone", () => {
  it.each(["closes its connection", "ends its side of the connection", "is reset"])(
    "gives its turn on when its client %s",
    async (how) => {
      const gateway = await serve();
      const holder = await taken(gateway, "a");
      const socket = connect({ port: gateway.port, allowHalfOpen: true });
      socket.on("error", () => {});
      socket.on("data", () => {});
      socket.write(asked(gateway.port, "a", "1"));
      await heldNow(gateway, 1);
      const next = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "4s", lease: "30s" });
      await heldNow(gateway, 2);
      if (how.startsWith("ends")) socket.end();
      else if (how.startsWith("is")) socket.resetAndDestroy();
      else socket.destroy();
      await heldNow(gateway, 1);
      await holder.release();
      expect((await next).token).toBeGreaterThan(holder.token);
      expect(await metric(gateway, 'holds_total{database="default",ending="aborted"')).toBe(1);
      socket.destroy();
    },
  );

  it("is answered with its refusal when it sends another request behind", async () => {
    const gateway = await serve();
    await taken(gateway, "a");
    const socket = connect(gateway.port);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.write(asked(gateway.port, "a", "1"));
    await heldNow(gateway, 1);
    socket.write(`GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    await until(
      async () => text,
      (all) => all.includes("PONG"),
    );
    expect(text.indexOf('"held"')).toBeLessThan(text.indexOf("PONG"));
    socket.destroy();
  });
});

describe("what is not held", () => {
  it("is any other command, a pipeline, a transaction, and a request without the preference", async () => {
    const gateway = await serve();
    await taken(gateway, "a");
    const since = performance.now();
    const answers = [
      await call(gateway.url, ["GET", "a"], PREFER),
      await call(`${gateway.url}/pipeline`, [acquire("a", "1")], PREFER),
      await call(`${gateway.url}/multi-exec`, [acquire("a", "2")], PREFER),
      await call(gateway.url, acquire("a", "3")),
      await call(gateway.url, acquire("a", "4"), { headers: { prefer: "respond-async, wait=0" } }),
      await call(gateway.url, acquire("b", "5"), PREFER),
    ];
    expect(performance.now() - since).toBeLessThan(1_500);
    for (const { status, headers } of answers) expect([status, headers.get("preference-applied")]).toEqual([200, null]);
  });

  it("is a request whose time is too short: it is answered with its refusal", async () => {
    const gateway = await serve();
    await taken(gateway, "a");
    const { status, body, headers } = await call(gateway.url, acquire("a", "1"), {
      headers: { prefer: "wait=1; ms=10" },
    });
    expect([status, headers.get("preference-applied")]).toEqual([200, null]);
    expect(body).toMatchObject({ result: expect.arrayContaining(["held"]) });
  });

  it("is a request with a token that only reads", async () => {
    const gateway = await serve({ readOnlyToken: "reader" });
    await taken(gateway, "a");
    const headers = { ...PREFER.headers, authorization: "Bearer reader" };
    const answer = await call(gateway.url, acquire("a", "1"), { headers });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([400, null]);
  });

  it("is one more than the limit of its token, or of all; held ones do not count as in flight", async () => {
    const gateway = await serve({ maxHeld: 2, maxHeldInAll: 3, maxInFlight: 1, token: [TOKEN, "second", "third"] });
    const holder = await taken(gateway, "a");
    const ask = (id: string, token: string) =>
      call(gateway.url, acquire("a", id), { headers: { prefer: "wait=5", authorization: `Bearer ${token}` } });
    const held: Promise<Answer>[] = [];
    for (const [id, token] of [
      ["1", TOKEN],
      ["2", TOKEN],
      ["3", "second"],
    ] as const) {
      held.push(ask(id, token));
      await heldNow(gateway, held.length);
    }
    for (const [id, token] of [
      ["4", TOKEN],
      ["5", "third"],
    ] as const) {
      const { status, headers, text } = await ask(id, token);
      expect([status, headers.get("preference-applied"), text.includes('"held"')]).toEqual([200, null, true]);
    }
    await gateway.close();
    for (const { status } of await Promise.all(held)) expect(status).toBe(200);
    await holder.release().catch(() => {});
  });
});

describe("a gateway that ends", () => {
  it("answers the held requests with their refusals at once", async () => {
    const gateway = await serve();
    await taken(gateway, "a");
    const waiting = Promise.all(["1", "2", "3"].map((id) => call(gateway.url, acquire("a", id), PREFER)));
    await heldNow(gateway, 3);
    const since = performance.now();
    const closed = gateway.close();
    for (const { status, headers, text } of await waiting) {
      expect([status, headers.get("preference-applied"), text.includes('"held"')]).toEqual([200, "wait", true]);
    }
    await closed;
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  it("by SIGTERM answers the held requests at once, and waits for a frozen client no longer than it may", async () => {
    await it_.redis.command("EVAL", "return redis.call('SET', 'big', string.rep(string.rep('x', 1000), 30000))", "0");
    const ending = start(["--redis", it_.redis.url, "--port", "0", "--token", TOKEN, "--drain-timeout-ms", "2000"]);
    const url = urlIn(await ending.firstLine);
    await waitingLocks(url).locks.lock("a").acquire({ lease: "60s" });
    const waiting = ["1", "2", "3"].map((id) => call(url, acquire("a", id), PREFER));
    await until(
      () => heldBy(url),
      (count) => count === 3,
    );
    const frozen = await freezeReader(`${url}/get/big`);
    ending.child.kill("SIGTERM");
    for (const { status, headers } of await Promise.all(waiting))
      expect([status, headers.get("preference-applied")]).toEqual([200, "wait"]);
    // Its answer is larger than the buffers on its way.
    expect(ending.child.exitCode).toBeNull();
    expect((await ending.ended).code).toBe(0);
    frozen.kill("SIGKILL");
  });

  it.each(["lock", "fairLock"] as const)(
    "by SIGKILL while five wait for a %s leaves the others their turn",
    async (kind) => {
      const gateway = await serve();
      const doomed = start(["--redis", it_.redis.url, "--port", "0", "--token", TOKEN]);
      const url = urlIn(await doomed.firstLine);
      const { locks } = waitingLocks(gateway.url);
      const holder = await locks[kind]("a").acquire({ lease: "60s" });
      const signal = new AbortController();
      const lost = Array.from({ length: 5 }, () =>
        waitingLocks(url)
          .locks[kind]("a")
          .acquire({ wait: "20s", signal: signal.signal })
          .catch(() => undefined),
      );
      await until(
        () => heldBy(url),
        (count) => count === 5,
      );
      const next = locks[kind]("a").acquire({ wait: "20s", lease: "30s" });
      await heldNow(gateway, 1);
      doomed.child.kill("SIGKILL");
      await doomed.ended;
      signal.abort();
      await holder.release();
      expect((await next).token).toBeGreaterThan(holder.token);
      await Promise.all(lost);
    },
    60_000,
  );
});

describe("reports that do not come", () => {
  it("cost less than a second each", async () => {
    const relay = await startRelay(it_.redis.port);
    const gateway = await serve({ redis: relay.url });
    const elsewhere = await serve();
    const holder = await taken(elsewhere, "a");
    const waiting = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "4s" });
    await heldNow(gateway, 1);
    let missing = 0;
    // A report has three parts here, since it is not of RESP2.
    relay.edit((part) => {
      if (part[0] === 0x3e) missing = 3;
      return missing-- > 0 ? [] : [part];
    });
    const since = performance.now();
    await holder.release();
    await waiting;
    expect(performance.now() - since).toBeLessThan(1_600);
    await relay.close();
  });

  it("come again while a request waits, after their connection was lost", async () => {
    const gateway = await serve();
    await taken(gateway, "a");
    const waiting = call(gateway.url, acquire("a", "1"), { headers: { prefer: "wait=9" } });
    /** The ID of the connection on which Redis reports writes. */
    const reporting = async (): Promise<string | undefined> =>
      /^id=(\d+) .* flags=\S*t/m.exec(await it_.redis.command("CLIENT", "LIST"))?.[1];
    const first = await until(reporting, (id) => id !== undefined);
    await it_.redis.command("CLIENT", "KILL", "ID", first ?? "");
    await until(reporting, (id) => id !== undefined && id !== first);
    await it_.redis.command("DEL", "leasehold:{a}");
    expect((await waiting).text).toContain('"granted"');
  });

  /** Where a gateway reaches a Redis from which it cannot have reports. */
  interface Unreported {
    readonly redis: string;
    readonly stop?: () => Promise<unknown>;
  }

  async function behindRelay(how: "end" | "drop"): Promise<Unreported> {
    const relay = await startRelay(it_.redis.port);
    relay.refuse(/HELLO/, how);
    return { redis: relay.url, stop: relay.close };
  }

  const UNREPORTED: Readonly<Record<string, () => Promise<Unreported>>> = {
    async "the user may not ask for them"() {
      await it_.redis.command("ACL", "SETUSER", "app", "reset", "on", ">pass", "~*", "+@all", "-client");
      return { redis: it_.redis.url.replace("//", "//app:pass@") };
    },
    async "the server knows no RESP3"() {
      const old = await startRedis(["--rename-command", "HELLO", ""]);
      return { redis: old.url, stop: old.stop };
    },
    "a proxy ends a connection with RESP3": () => behindRelay("end"),
    "a proxy does not answer to RESP3": () => behindRelay("drop"),
  };

  it.each(Object.entries(UNREPORTED))(
    "are done without where %s, which the log says",
    async (_, reach) => {
      const { redis, stop } = await reach();
      const { log, lines } = keepingLog();
      // A server that does not answer is given up after three times as long.
      const gateway = await serve({ redis, log, timeoutMs: 2_000 });
      const elsewhere = await serve({ redis });
      const told = () => lines.filter(({ message }) => message.startsWith("Redis reports no writes"));
      const wakesMs: number[] = [];
      while (wakesMs.length < 4 || told().length === 0) {
        const holder = await taken(wakesMs.length % 2 === 0 ? gateway : elsewhere, "a");
        const waiting = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "20s" });
        await heldNow(gateway, 1);
        await pause(100);
        const since = performance.now();
        await holder.release();
        const lease = await waiting;
        wakesMs.push(performance.now() - since);
        await lease.release();
      }
      expect(Math.max(...wakesMs)).toBeLessThan(1_000);
      // The first waiter of any name is tried every 800 ms, and of this one every 250 ms.
      expect(Math.min(...wakesMs.filter((_, round) => round % 2 === 1))).toBeLessThan(500);
      expect(told()).toHaveLength(1);
      await stop?.();
    },
    60_000,
  );

  it("are not needed in memory", async () => {
    const gateway = await serve({ memory: true });
    const holder = await taken(gateway, "a");
    const waiting = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "4s" });
    await heldNow(gateway, 1);
    await pause(20);
    await holder.release();
    expect((await waiting).token).toBeGreaterThan(holder.token);
  });
});

it("a Redis that restarts costs the held requests their answer, and the next ones are held again", async () => {
  const gateway = await serve({ timeoutMs: 1_000 });
  await taken(gateway, "a");
  const waiting = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "8s", lease: "5s" });
  await heldNow(gateway, 1);
  await it_.redis.restart();
  // The new server has no lock.
  expect((await waiting).token).toBeGreaterThan(0);
  const late = waitingLocks(gateway.url).locks.lock("a").acquire({ wait: "300ms" });
  await expect(late).rejects.toBeInstanceOf(LockTimeoutError);
}, 30_000);
