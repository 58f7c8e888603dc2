import { beforeAll, describe, expect, it } from "vitest";
import { idempotencyKey } from "../../src/hono/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, type Delivery, mount } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

function shop(options: Parameters<typeof mount>[2] = {}) {
  let runs = 0;
  const deliver = mount(connection, (c) => c.json({ run: ++runs }, 201), {
    key: idempotencyKey(),
    scope: ({ headers }) => headers.get("X-Tenant") ?? "nobody",
    replay: true,
    ...options,
  });
  const send = (key: string | undefined, delivery: Partial<Delivery> = {}) => {
    const headers = { ...(key !== undefined && { "Idempotency-Key": key }), ...delivery.headers };
    return deliver({ id: "", body: '{"amount":1}', ...delivery, headers });
  };
  return { send, runs: () => runs };
}

describe.concurrent("Idempotency-Key", () => {
  it("runs once for a key, and gives the answer again", async () => {
    const { send, runs } = shop();
    const key = freshName();
    expect(answerOf(await send(key))).toBe("201 processed");
    const again = await send(key);
    expect([answerOf(again), await again.json()]).toEqual(["201 duplicate", { run: 1 }]);
    expect(again.headers.get("Content-Type")).toMatch("application/json");
    expect(runs()).toBe(1);
  });

  it("takes both spellings of a key for one", async () => {
    const { send, runs } = shop();
    const key = freshName();
    await send(`"${key}"`);
    expect(answerOf(await send(key))).toBe("201 duplicate");
    await send(`"a\\"\\\\ ${key}"`);
    expect(answerOf(await send(`"a\\"\\\\ ${key}"`))).toBe("201 duplicate");
    expect(runs()).toBe(2);
  });

  it.each(['""', "a, b", '"a", "b"', '"a', 'a"', '"a"b', '"a";x=1', '"a\\b"', "a b", "a;b", '"ä"'])(
    "answers 400 to %s",
    async (key) => {
      const { send, runs } = shop();
      const answer = await send(key);
      expect(answerOf(answer)).toBe("400 malformed");
      expect(await answer.json()).toMatchObject({ title: "Idempotency-Key is malformed" });
      expect(runs()).toBe(0);
    },
  );

  it("answers 400 to a POST or PATCH without it, when it is required", async () => {
    const { send, runs } = shop();
    for (const method of ["POST", "PATCH"]) {
      const answer = await send(undefined, { method });
      expect([answerOf(answer), (await answer.json()).title]).toEqual(["400 malformed", "Idempotency-Key is missing"]);
    }
    expect(runs()).toBe(0);
    expect(answerOf(await send(undefined, { method: "PUT" }))).toBe("201 -");
    expect(answerOf(await shop({ key: idempotencyKey({ required: false }) }).send(undefined))).toBe("201 -");
  });

  it("deduplicates other methods when they have it, but never a GET or OPTIONS", async () => {
    const { send } = shop();
    const key = freshName();
    expect(answerOf(await send(key, { method: "PUT" }))).toBe("201 processed");
    expect(answerOf(await send(key, { method: "PUT" }))).toBe("201 duplicate");
    for (const method of ["GET", "OPTIONS"]) {
      for (const each of [key, key, "a, b"]) expect(answerOf(await send(each, { method }))).toBe("201 -");
    }
  });

  it("answers 422 to the same key with another body, query or method", async () => {
    const { send, runs } = shop();
    const key = freshName();
    await send(key);
    for (const other of [{ body: '{"amount":2}' }, { path: "/hook?now=1" }, { method: "PUT" }]) {
      const answer = await send(key, other);
      expect([answerOf(answer), (await answer.json()).title]).toEqual([
        "422 mismatch",
        "Idempotency-Key is already used",
      ]);
    }
    expect(runs()).toBe(1);
  });

  it("tells bodies apart that are no text", async () => {
    let runs = 0;
    const deliver = mount(connection, (c) => c.text(`${++runs}`), { key: idempotencyKey(), scope: "all" });
    const headers = { "Idempotency-Key": freshName() };
    // Both would be the same replacement character.
    const send = (byte: number) => deliver({ id: "", headers, body: new Uint8Array([byte]) as unknown as string });
    expect(answerOf(await send(0xfe))).toBe("200 processed");
    expect(answerOf(await send(0xff))).toBe("422 mismatch");
    expect(answerOf(await send(0xfe))).toBe("200 duplicate");
  });

  it("answers 409 while the first runs", async () => {
    const deliver = mount(
      connection,
      async (c) => {
        await pause(200);
        return c.text("ok");
      },
      { key: idempotencyKey(), scope: "all" },
    );
    const headers = { "Idempotency-Key": freshName() };
    const answers = await Promise.all([deliver({ id: "", headers }), deliver({ id: "", headers })]);
    expect(answers.map(answerOf).sort()).toEqual(["200 processed", "409 running"]);
    const running = answers.find(({ status }) => status === 409);
    expect(await running?.json()).toMatchObject({ title: "A request is outstanding for this Idempotency-Key" });
    expect(Number(running?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  });

  it("gives nobody what another tenant was answered", async () => {
    const { send, runs } = shop();
    const key = freshName();
    const one = await send(key, { headers: { "X-Tenant": "one" } });
    const two = await send(key, { headers: { "X-Tenant": "two" } });
    expect([await one.json(), await two.json()]).toEqual([{ run: 1 }, { run: 2 }]);
    expect(runs()).toBe(2);
  });
});
