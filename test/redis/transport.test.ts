import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { attempt } from "../../src/redis/port.ts";
import { lockAcquire, sha as lockAcquireSha } from "../../src/redis/scripts/lock-acquire.gen.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

interface Seen {
  readonly verb: string;
  readonly script: string;
  readonly response: Response;
}

/**
 * The real `fetch`, to the stack whatever the URL says, with a record of what went by. The gateway takes Upstash's own
 * flag out of scripts, so another one goes on in its place: Redis knows neither, and refuses them.
 */
function recorded(seen: Seen[]): typeof fetch {
  return async (input, init) => {
    const sent = String(init?.body);
    const body = sent.replace("allow-key-locking", "a-flag-that-nobody-knows");
    const response = await fetch(String(input).startsWith(stack.url) ? input : stack.url, { ...init, body });
    const [verb, script] = JSON.parse(sent) as [string, string];
    seen.push({ verb, script, response });
    return response;
  };
}

it("an attempt under a signal that has aborted sends nothing", async () => {
  let sent = 0;
  const port = async () => ({ type: "answered", result: ++sent, answers: [] }) as const;
  const outcome = await attempt(port, ["TIME"], 1000, AbortSignal.abort(), undefined);
  expect([outcome.type, sent]).toEqual(["unknown", 0]);
});

describe("dialects", () => {
  it("are flagged for Upstash's hosts and plain for others; a refusal falls back, and is remembered", async () => {
    await stack.redis.command("SCRIPT", "FLUSH");
    const seen: Seen[] = [];
    const upstash = createLocks({
      url: "https://eu1-some-name-1.upstash.io",
      token: stack.token,
      fetch: recorded(seen) as never,
    });
    await (await upstash.lock(freshName()).acquire()).release();
    const [plain, flagged] = lockAcquireSha;
    expect(seen.map(({ verb, script }) => `${verb} ${script}`).slice(0, 4)).toEqual([
      `EVALSHA ${flagged}`,
      `EVAL #!lua flags=allow-key-locking\n${lockAcquire.lua}`,
      `EVALSHA ${plain}`,
      `EVAL ${lockAcquire.lua}`,
    ]);
    seen.length = 0;
    await upstash.lock(freshName()).acquire();
    expect(seen.map(({ verb, script }) => `${verb} ${script}`)).toEqual([`EVALSHA ${plain}`]);
    for (const url of [stack.url, "https://upstash.io.example.org"]) {
      seen.length = 0;
      await createLocks({ url, token: stack.token, fetch: recorded(seen) as never })
        .lock(freshName())
        .acquire();
      expect(seen[0]?.script).toBe(plain);
    }
  });

  it("EVAL is sent on NOSCRIPT, and on nothing else", async () => {
    for (const error of [
      "ERR something",
      "OOM command not allowed",
      "NOPERM this user has no permissions",
      "WRONGTYPE x",
    ]) {
      const verbs: string[] = [];
      const answer = JSON.stringify({ error });
      const failing = async (_url: string, init: { body: string }): Promise<Response> => {
        verbs.push((JSON.parse(init.body) as [string])[0]);
        return new Response(answer, { status: 400 });
      };
      await expect(
        createLocks({ url: stack.url, token: "t", fetch: failing }).lock("a").tryAcquire(),
      ).rejects.toThrow();
      expect(verbs, error).toEqual(["EVALSHA"]);
    }
  });
});

describe("a URL with a query", () => {
  it("keeps it, where two commands go to /pipeline too", async () => {
    const seen: string[] = [];
    const through: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      seen.push(pathname + search);
      const response = await fetch(new URL(pathname, stack.url), init);
      if (pathname !== "/pipeline") return response;
      // As if there were a replica.
      const [first] = (await response.json()) as unknown[];
      return Response.json([first, { result: 1 }]);
    };
    for (const [path, pipeline] of [
      ["/?region=eu", "/pipeline?region=eu"],
      ["?region=eu", "/pipeline?region=eu"],
      ["/", "/pipeline"],
    ] as const) {
      const locks = createLocks({ url: stack.url.replace(/\/$/, "") + path, token: stack.token, fetch: through });
      await locks.lock(freshName()).acquire();
      seen.length = 0;
      const lease = await locks.lock(freshName()).acquire({ replicas: { min: 1, timeout: 10 } });
      expect(seen).toContain(pipeline);
      expect(new Set(seen)).toEqual(new Set([path.replace(/^\/?/, "/"), pipeline]));
      expect(await lease.release()).toBe(true);
    }
  });
});

describe("responses", () => {
  it("are read to the end whatever their status, since an unread body holds one of a Worker's connections", async () => {
    const seen: Response[] = [];
    for (const status of [200, 204, 400, 401, 403, 404, 429, 500, 502, 503, 504]) {
      const answering = async (): Promise<Response> => {
        const response = new Response(status === 204 ? null : "<html>an error page</html>", { status });
        seen.push(response);
        return response;
      };
      const locks = createLocks({ url: stack.url, token: "t", requestTimeout: 40, fetch: answering });
      await locks
        .lock("a")
        .tryAcquire({ lease: "60ms" })
        .catch(() => {});
    }
    expect(seen.length).toBeGreaterThan(11);
    expect(seen.filter(({ body, bodyUsed }) => body !== null && !bodyUsed)).toEqual([]);
  });
});

describe("an old runtime", () => {
  it("needs neither AbortSignal.any nor AbortSignal.timeout", async () => {
    const { any, timeout } = AbortSignal;
    Object.assign(AbortSignal, { any: undefined, timeout: undefined });
    try {
      const lock = createLocks({ url: stack.url, token: stack.token }).lock(freshName());
      const controller = new AbortController();
      const lease = await lock.acquire({ signal: controller.signal });
      const waiting = lock.acquire({ signal: controller.signal, wait: "20s" });
      setTimeout(() => controller.abort(new Error("enough")), 50);
      await expect(waiting).rejects.toThrow("enough");
      expect(await lease.release()).toBe(true);
    } finally {
      Object.assign(AbortSignal, { any, timeout });
    }
  });
});
