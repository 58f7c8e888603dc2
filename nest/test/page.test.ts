import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { startProxy } from "../../test/support/proxy.ts";
import { freshName, pause, useStack } from "../../test/support/use-stack.ts";
import { compile, FILES, type Instance, OWN_FILES, startInstance } from "./application.ts";

const stack = useStack({ warm: true });
const application = new Map(
  [...FILES, ...OWN_FILES].filter(([name]) => !/spec|jest|redis\.module|settings/.test(name)),
);
let compiled: ReturnType<typeof compile>;
beforeAll(() => {
  // Due every second, so that a test need not wait for the night.
  // An instance that is killed at the end of a test must not hold the job for long.
  compiled = compile(application, (text) =>
    text
      .replace('"0 3 * * *"', '"* * * * * *"')
      .replace('{ lease: "1m", onReport', '{ lease: "1s", onReport')
      .replace('"10s", wait: "20s"', '"2s", wait: "16s"')
      .replace('{ ttl: "7d" }', '{ ttl: "7d", lease: "1s" }'),
  );
});
afterAll(() => compiled?.remove());

const env = (more: Readonly<Record<string, string>> = {}) => ({
  UPSTASH_REDIS_REST_URL: stack.url,
  UPSTASH_REDIS_REST_TOKEN: stack.token,
  ...more,
});
const start = (more?: Readonly<Record<string, string>>): Promise<Instance> => startInstance(compiled.folder, env(more));
const locks = () => createLocks({ url: stack.url, token: stack.token });
const charge = async (instance: Instance, id: string, cents = 1): Promise<unknown> => {
  const response = await instance.post(`/invoices/${id}/charges`, { cents });
  return response.status === 201 ? ((await response.json()) as { token: number }).token : response.status;
};

describe("two instances of the application of docs/nest.md", { timeout: 60_000 }, () => {
  it("take turns under a lock, with rising tokens", async () => {
    await using one = await start();
    await using two = await start();
    const id = freshName();
    const tokens = await Promise.all([one, two, one, two].map((each) => charge(each, id)));
    expect(new Set(tokens).size).toBe(4);
    expect(tokens.every((token) => Number(token) > 1000)).toBe(true);
    expect(await stack.redis.command("HGET", `charged:${id}`, "times")).toContain("\r\n4\r\n");
    for (const { lines } of [one, two])
      expect(lines.filter((line) => /^charge/.test(line))).toEqual(
        [1, 2].flatMap(() => [`charges ${id} 1`, `charged ${id} 1`]),
      );
  });

  it("accept a delivery by the signature of its bytes, once, and no forged one (B18)", async () => {
    const secret = "a secret";
    await using one = await start({ GITHUB_SECRET: secret });
    const event = { action: "opened" };
    const signature = createHmac("sha256", secret).update(JSON.stringify(event)).digest("hex");
    const id = freshName();
    const deliver = async (by: string): Promise<string | null> => {
      const headers = { "X-GitHub-Delivery": id, "X-Hub-Signature-256": `sha256=${by}` };
      return (await one.post("/webhooks/github", event, headers)).headers.get("Leasehold-Status");
    };
    expect([await deliver("0"), await deliver(signature), await deliver(signature)]).toEqual([
      "unverified",
      "processed",
      "duplicate",
    ]);
  });

  it("send a receipt once, whichever instance gets the duplicate, and when", async () => {
    await using one = await start();
    await using two = await start();
    const event = { id: "evt 1", invoice: "slow 7" };
    const answers = await Promise.all(
      [one, two, one].map(async (each) => (await each.post("/receipts", event)).text()),
    );
    const later = await (await two.post("/receipts", event)).text();
    expect(new Set([...answers, later]).size).toBe(1);
    expect([...one.lines, ...two.lines].filter((line) => line.startsWith("sends"))).toEqual(["sends slow 7"]);
  });

  it("run each occurrence of a cron once, although both fire", async () => {
    await using one = await start();
    await using two = await start();
    const slots = (pattern: RegExp) =>
      [...one.lines, ...two.lines].flatMap((line) => pattern.exec(line)?.[1] ?? []).sort();
    while (slots(/^nightly (\S+): skipped/).length < 2 || slots(/^exports (\S+) under/).length < 4) await pause(50);
    const ran = slots(/^exports (\S+) under/);
    expect(ran).toEqual([...new Set(ran)]);
  });

  it("continue when one is killed in the middle: its lease expires, and the other one's token is higher", async () => {
    await using one = await start();
    await using two = await start();
    const dying = charge(one, "die 1").catch(() => "cut off");
    await one.says("charges die");
    expect(await dying).toBe("cut off");
    await using three = await startInstance(compiled.folder, env());
    const before = (await locks().lock("invoice:die 1").inspect()).token;
    // The other instance would die of it as well: the name is what counts.
    const lease = await locks().lock("invoice:die 1").acquire({ wait: "20s" });
    expect(lease.token).toBeGreaterThan(before);
    expect(await lease.release()).toBe(true);
    expect(await charge(two, "8")).toEqual(expect.any(Number));
    expect(await charge(three, "8")).toEqual(expect.any(Number));
  });

  it("refuse the write of an instance that froze for longer than its lease", async () => {
    await using one = await start({ FREEZES: "1" });
    await using two = await start();
    const late = charge(one, "freeze 1");
    await one.stopped();
    expect(await charge(two, "freeze 1", 2)).toEqual(expect.any(Number));
    one.child.kill("SIGCONT");
    // The page's filter: an error that no retry mends.
    expect(await late).toBe(500);
    expect(await stack.redis.command("HGET", "charged:freeze 1", "times")).toContain("\r\n1\r\n");
  });

  it("send a receipt again where the first one's instance was killed, and refuse the late result of one that froze", async () => {
    await using dying = await start({ DIES: "1" });
    await using frozen = await start({ FREEZES: "1" });
    await using other = await start();
    for (const [instance, fate] of [
      [dying, "die"],
      [frozen, "freeze"],
    ] as const) {
      const event = { id: `evt ${fate}`, invoice: `${fate} 1` };
      const late = instance.post("/receipts", event).then(
        ({ status }) => status,
        () => "cut off",
      );
      await (fate === "freeze" ? instance.stopped() : instance.ended());
      const answer = await other.post("/receipts", event);
      const result = await answer.text();
      expect([answer.status, result]).toEqual([201, `{"mail":"mail of ${other.child.pid}"}`]);
      instance.child.kill("SIGCONT");
      expect(await late).toBe(fate === "freeze" ? 500 : "cut off");
      expect(await (await other.post("/receipts", event)).text()).toBe(result);
    }
  });

  it("answer 503 with Retry-After where Redis is gone", async () => {
    const proxy = await startProxy(stack.url);
    await using one = await start({ UPSTASH_REDIS_REST_URL: proxy.url });
    await proxy.close();
    const response = await one.post("/invoices/9/charges", { cents: 1 });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  });
});

describe("on SIGTERM", { timeout: 60_000 }, () => {
  it("work ends and is released, and a call that waits gets 503 at once", async () => {
    await using one = await start();
    const lease = await locks().lock("invoice:10").acquire({ lease: "10m" });
    const working = charge(one, "slow 1");
    await one.says("charges slow 1");
    const waiting = charge(one, "10");
    while ((await locks().lock("invoice:slow 1").inspect()).state !== "held") await pause(10);
    await pause(200);
    one.child.kill("SIGTERM");
    expect(await waiting).toBe(503);
    expect(one.lines).not.toContain("charged slow 1 1");
    expect(await working).toEqual(expect.any(Number));
    // Nest sends the signal again when its hooks have ended.
    expect((await one.ended())[1]).toBe("SIGTERM");
    expect((await locks().lock("invoice:slow 1").inspect()).state).toBe("free");
    expect(await lease.release()).toBe(true);
  });
});
