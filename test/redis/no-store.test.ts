import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { ROOT } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

async function bundled(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: ROOT, loader: "ts" as const };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", target: "es2022", write: false });
  return outputFiles[0]?.text ?? "";
}

describe("every request asks not to be cached, where the runtime takes that", () => {
  it("a latch that is waited for sends the same bytes each time, and each time `cache: no-store`", async () => {
    const caches: unknown[] = [];
    const recording: typeof fetch = (input, init) => {
      caches.push(init?.cache);
      return fetch(input, init);
    };
    const latch = createLocks({ url: stack.url, token: stack.token, fetch: recording }).latch(freshName());
    await latch.trySetCount(1);
    expect(await latch.wait({ wait: 300 })).toBe(false);
    expect(caches.length).toBeGreaterThan(2);
    expect(new Set(caches)).toEqual(new Set(["no-store"]));
  });

  it("a fetch that caches answers, as Next.js's does, receives cache: no-store", async () => {
    const kept = new Map<string, { status: number; body: string }>();
    const caching: typeof fetch = async (input, init) => {
      const key = `${input} ${init?.body}`;
      const known = kept.get(key);
      if (known) return new Response(known.body, known);
      const response = await fetch(input, init);
      const answer = { status: response.status, body: await response.text() };
      if (init?.cache !== "no-store") kept.set(key, answer);
      return new Response(answer.body, answer);
    };
    const locks = createLocks({ url: stack.url, token: stack.token, fetch: caching });
    const name = freshName();
    expect((await locks.lock(name).inspect()).state).toBe("free");
    await locks.lock(name).acquire();
    expect((await locks.lock(name).inspect()).state).toBe("held");
  });

  // Before November 2024 the field is an error, at the call and in the constructor of Request.
  it.each(["2023-01-01", "2024-11-01", "2024-11-20", "2026-10-01"])(
    "workerd with the compatibility date %s acquires with its first request",
    async (compatibilityDate) => {
      const script = await bundled(`
        import { createLocks } from "./src/index.ts";
        export default {
          async fetch(_, { url, token, name }) {
            const caches = [];
            const recording = (input, init) => { caches.push(init.cache ?? null); return fetch(input, init); };
            const lease = await createLocks({ url, token, fetch: recording }).lock(name).tryAcquire();
            const own = await createLocks({ url, token }).lock(name + "-2").tryAcquire();
            return Response.json({ caches, released: [await lease.release(), await own.release()] });
          },
        };`);
      const bindings = { url: stack.url, token: stack.token, name: freshName() };
      // Taught before, so that one request is one answer.
      const { url, token } = stack;
      await (await createLocks({ url, token }).lock(freshName()).acquire()).release();
      const options = convertV4MiniflareOptions({ modules: true, script, compatibilityDate, bindings });
      const miniflare = new Miniflare({ ...options, cf: false });
      try {
        const expected = compatibilityDate < "2024-11-11" ? null : "no-store";
        expect(await (await miniflare.dispatchFetch("http://worker/")).json()).toEqual({
          caches: [expected, expected],
          released: [true, true],
        });
      } finally {
        await miniflare.dispose();
      }
    },
  );

  it("Vercel's edge VM takes it", async () => {
    const contents = `import { createLocks } from "./src/index.ts"; globalThis.createLocks = createLocks;`;
    const vm = new EdgeVM({ initialCode: await bundled(contents) });
    const given = JSON.stringify({ url: stack.url, token: stack.token });
    const inside = await vm.evaluate<Promise<string>>(`(async () => {
      const caches = [];
      const recording = (input, init) => { caches.push(init.cache); return fetch(input, init); };
      const lease = await createLocks({ ...${given}, fetch: recording }).lock(${JSON.stringify(freshName())}).tryAcquire();
      return JSON.stringify({ caches, released: await lease.release() });
    })()`);
    const { caches, released } = JSON.parse(inside) as { caches: string[]; released: boolean };
    expect([new Set(caches), released]).toEqual([new Set(["no-store"]), true]);
  });
});
