import { expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName, startStack } from "../support/stack.ts";

it("a waiter whose lease was over before the answer came waits on, and gets another", async () => {
  const stack = await startStack();
  try {
    let late = 2;
    const slow: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      // The answer to a grant takes longer than the lease, twice.
      if (late-- > 0) await new Promise((resolve) => setTimeout(resolve, 500));
      return response;
    };
    const lock = createLocks({ url: stack.url, token: stack.token, fetch: slow as never }).lock(freshName());
    const start = performance.now();
    const lease = await lock.acquire({ lease: 300, wait: "20s" });
    expect(performance.now() - start).toBeGreaterThan(900);
    expect(lease.remaining).toBeGreaterThan(0);
    expect(await lease.verify()).toBe(true);
  } finally {
    await stack.stop();
  }
});

it("a cancel closes its id while another kind has the name: the late duplicate is not granted afterwards (R3b)", async () => {
  const stack = await startStack();
  try {
    const options = { url: stack.url, token: stack.token };
    const name = freshName();
    await createLocks(options).lock(freshName("so that the script is known")).acquire();
    const turn = await createLocks(options).once(name).begin();
    let held: Parameters<typeof fetch> | undefined;
    const controller = new AbortController();
    // The acquire stays on its way while its caller gives up.
    const delaying = (...request: Parameters<typeof fetch>): Promise<Response> => {
      if (held) return fetch(...request);
      held = [request[0], { ...request[1], signal: null }];
      setTimeout(() => controller.abort(new Error("enough")), 10);
      return new Promise(() => {});
    };
    const lock = createLocks({ ...options, fetch: delaying as never }).lock(name);
    await expect(lock.acquire({ signal: controller.signal })).rejects.toThrow("enough");
    expect(turn.status).toBe("started");
    await createLocks(options).once(name).forceRelease();
    const answer = await fetch(...(held as Parameters<typeof fetch>));
    expect(await answer.text()).toContain('"closed"');
    expect((await createLocks(options).lock(name).inspect()).state).toBe("free");
  } finally {
    await stack.stop();
  }
});

it("an answer that a request came too late says nothing of the request before it: the grant is cancelled (R4)", async () => {
  const stack = await startStack();
  try {
    const options = { url: stack.url, token: stack.token };
    await createLocks(options).lock(freshName("so that the script is known")).acquire();
    let requests = 0;
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const failing = async (...request: Parameters<typeof fetch>): Promise<Response> => {
      const count = ++requests;
      if (count === 2) await pause(300);
      if (count === 3) return new Response("{}", { status: 429, headers: { "retry-after": "9" } });
      const answer = await fetch(...request);
      if (count > 1) return answer;
      // It was granted, and the answer is lost.
      await pause(600);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
    };
    // The clock is set back behind the first request, so that the second is too late when it arrives.
    const clock = { now: () => Date.now() - (requests > 0 ? 5000 : 0), monotonic: () => performance.now() };
    const name = freshName();
    const lock = createLocks({ ...options, fetch: failing as never, clock, requestTimeout: 2000 }).lock(name);
    await expect(lock.tryAcquire({ lease: "1m" })).rejects.toMatchObject({ code: "rate_limited" });
    expect(requests).toBeGreaterThanOrEqual(3);
    expect((await createLocks(options).lock(name).inspect()).state).toBe("free");
  } finally {
    await stack.stop();
  }
});

it("an abort while the hold that no replica confirmed is released rejects with its reason (R4)", async () => {
  const stack = await startStack();
  try {
    const controller = new AbortController();
    let isReplicating = false;
    const silent = (url: string, init: RequestInit): Promise<Response> => {
      if (!url.endsWith("/pipeline") && !isReplicating) return fetch(url, init);
      // Nothing is answered any more, and the caller gives up as soon as the cancel is on its way.
      if (!url.endsWith("/pipeline")) controller.abort("gone");
      isReplicating = true;
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    };
    const options = { url: stack.url, token: stack.token, requestTimeout: 1000, fetch: silent as never };
    const lock = createLocks(options).lock(freshName(), { replicas: { min: 1, timeout: 10 } });
    await expect(lock.tryAcquire({ signal: controller.signal })).rejects.toBe("gone");
  } finally {
    await stack.stop();
  }
});

it("the answer that a duplicate was late says nothing about the first request: its grant is cancelled (R4)", async () => {
  const stack = await startStack();
  try {
    const options = { url: stack.url, token: stack.token };
    await createLocks(options).lock(freshName("so that the script is known")).acquire();
    let requests = 0;
    const copying = async (...request: Parameters<typeof fetch>): Promise<Response> => {
      if (++requests === 2) return new Response("{}", { status: 429, headers: { "retry-after": "9" } });
      if (requests > 2) return await fetch(...request);
      // A proxy loses the answer and sends the request once more.
      await fetch(...request);
      await new Promise((resolve) => setTimeout(resolve, 700));
      return await fetch(...request);
    };
    // Behind the server's by most of the request's time: the first copy is in time, and the second one is not.
    const clock = { now: () => Date.now() - 1500, monotonic: () => performance.now() };
    const name = freshName();
    const lock = createLocks({ ...options, fetch: copying as never, clock, requestTimeout: 5000 }).lock(name);
    await expect(lock.tryAcquire({ lease: "1m" })).rejects.toMatchObject({ code: "rate_limited" });
    expect((await createLocks(options).lock(name).inspect()).state).toBe("free");
  } finally {
    await stack.stop();
  }
});
