import { beforeAll, describe, expect, it } from "vitest";
import { StaleTokenError } from "../../src/fence/index.ts";
import type { DedupeVariables } from "../../src/hono/index.ts";
import { type Connection, connect, createLocks, LeaseLostError } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf, gate, honos, mount } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
  // Leases are short here, and the first request of all is the slowest.
  await mount(connection, (c) => c.text("ok"))({ id: freshName() });
});

describe.concurrent.each(honos)("a run that is late, hono %s", (_version, makeApp) => {
  const mounted = (...[handler, options]: [Parameters<typeof mount>[1], Parameters<typeof mount>[2]?]) =>
    mount(connection, handler, options, makeApp());

  it("takes over from a run that froze past its lease, whose late answer is refused", async () => {
    const { opened, open } = gate();
    const started = gate();
    let runs = 0;
    const deliver = mounted(
      async (c) => {
        if (++runs > 1) return c.text("second", 202);
        started.open();
        await opened;
        return c.text("first", 200, { "Set-Cookie": "a=1", "X-Late": "yes" });
      },
      // Frozen: nothing is extended any more.
      { lease: 800, maxHold: "1ms", replay: true },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    await pause(900);
    expect(answerOf(await deliver({ id }))).toBe("202 processed");
    open();
    const late = await first;
    expect(answerOf(late)).toBe("409 stale");
    expect(late.headers.get("Retry-After")).toBe("1");
    expect(late.headers.has("Set-Cookie") || late.headers.has("X-Late")).toBe(false);
    expect(await late.json()).toMatchObject({ status: 409 });
    const duplicate = await deliver({ id });
    expect(answerOf(duplicate)).toBe("202 duplicate");
    expect(await duplicate.text()).toBe("second");
  });

  it("has a lease without a ticket, which would be over when the handler is, and says so at once", async () => {
    const deliver = mounted((c) => {
      const { lease } = c.var as DedupeVariables;
      expect(() => lease.ticket()).toThrow(TypeError);
      expect(() => lease.ticket()).toThrow(/ends with its handler/);
      return c.text(`${lease.token > 0}`, 201);
    });
    const id = freshName();
    expect(answerOf(await deliver({ id }))).toBe("201 processed");
    expect(answerOf(await deliver({ id }))).toBe("201 duplicate");
  });

  it.each([false, true])("ends the body of an answer that is refused, replay: %s", async (replay) => {
    const { opened, open } = gate();
    const started = gate();
    const cancelled = gate();
    let runs = 0;
    const deliver = mounted(
      async (c) => {
        if (++runs > 1) return c.text("second");
        started.open();
        await opened;
        const pull = (out: ReadableStreamDefaultController<Uint8Array>) => out.enqueue(new Uint8Array(1000));
        return c.body(new ReadableStream({ pull, cancel: cancelled.open }));
      },
      { lease: 800, maxHold: "1ms", replay: replay && { maxBytes: 5000 } },
    );
    const id = freshName();
    const first = deliver({ id });
    await started.opened;
    await pause(900);
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    open();
    expect(answerOf(await first)).toBe("409 stale");
    // Its source would wait forever for somebody to read on.
    expect(await Promise.race([cancelled.opened.then(() => "ended"), pause(5000).then(() => "open")])).toBe("ended");
  });

  it("accepts the answer of a run that was slow but alone", async () => {
    const deliver = mounted(
      async (c) => {
        await pause(1000);
        return c.text("slow");
      },
      { lease: 800, maxHold: "1ms" },
    );
    const id = freshName();
    expect(answerOf(await deliver({ id }))).toBe("200 processed");
    expect(answerOf(await deliver({ id }))).toBe("200 duplicate");
  });
});

describe.concurrent("a handler that finds out itself", () => {
  it("answers 409 when the handler finds out itself that it was overtaken, by a token that is refused", async () => {
    const deliver = mount(connection, (c) => {
      const { name, token } = (c.var as unknown as DedupeVariables).lease;
      throw new StaleTokenError({ name: c.req.header("X-Lock") ?? name, token });
    });
    const id = freshName();
    const stale = await deliver({ id });
    expect([answerOf(stale), stale.headers.get("Retry-After")]).toEqual(["409 stale", "1"]);
    // That of another lock is a failure as any other.
    expect(answerOf(await deliver({ id, headers: { "X-Lock": "another" } }))).toBe("500 failed");
  });

  it("answers 409 when its lease was lost, and not when another lock's was", async () => {
    const deliver = mount(
      connection,
      async (c) => {
        const { lease } = c.var as unknown as DedupeVariables;
        if (c.req.header("X-Force")) {
          await createLocks({ url: stack.url, token: stack.token }).once(lease.name).forceRelease();
          await lease.extend();
        }
        throw new LeaseLostError("another", "taken");
      },
      { lease: "20s" },
    );
    expect(answerOf(await deliver({ id: freshName(), headers: { "X-Force": "1" } }))).toBe("409 stale");
    expect(answerOf(await deliver({ id: freshName() }))).toBe("500 failed");
  });
});
