import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { ROOT } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

/** A Worker that runs work which returns a promise that is already rejected, by every call that runs work. */
const SCRIPT = `
  import { createLocks, singleFlight } from "./src/index.ts";
  import { turn } from "./agents/src/index.ts";

  const unhandled = [];
  addEventListener("unhandledrejection", ({ reason }) => unhandled.push(reason.message));

  export default {
    async fetch(_, { url, token, name }) {
      const locks = createLocks({ url, token });
      const around = createLocks({ url, token, around: (_work, next) => next() });
      const down = createLocks({ url: "http://127.0.0.1:1", token, requestTimeout: 200 });
      const fails = (call) => () => Promise.reject(new Error(call));
      const calls = {
        run: (of, fail) => locks.lock(of).run(fail),
        around: (of, fail) => around.lock(of).run(fail),
        extended: (of, fail) => locks.lock(of).run({ keepAlive: true }, fail),
        unprotected: (of, fail) => down.lock(of).run({ wait: 300, onUnavailable: "run" }, fail),
        kept: async (of, fail) => (await locks.lock(of).acquire()).keepAlive(fail),
        multi: (of, fail) => locks.multiLock([of + "/a", of + "/b"]).run({ keepAlive: true }, fail),
        once: (of, fail) => locks.once(of).run({ keepAlive: true }, fail),
        singleFlight: (of, fail) => singleFlight(locks, of, { ttl: "1m" }, fail),
        request: (of, fail) => locks.request(of, fail),
        ifAvailable: (of, fail) => locks.request(of, () => locks.request(of, { ifAvailable: true }, fail)),
        turn: (of, fail) => turn(locks, of, { onBusy: "queue" }, fail),
        step: (of, fail) => turn(locks, of, { onBusy: "queue" }, ({ step }) => step("one", fail)),
      };
      const outcomes = {};
      for (const [call, begin] of Object.entries(calls))
        await (async () => begin(name + "/" + call, fails(call)))().then(
          () => (outcomes[call] = "no error"),
          (error) => (outcomes[call] = error.message),
        );
      await new Promise((resolve) => setTimeout(resolve, 10));
      return Response.json({ outcomes, unhandled });
    },
  };`;

// Before 2026-03-03 workerd reports a rejection that is handled one microtask later.
it.each(["2024-09-23", "2026-10-01"])(
  "work that returns a rejected promise is no unhandled rejection in workerd with the compatibility date %s",
  async (compatibilityDate) => {
    const stdin = { contents: SCRIPT, resolveDir: ROOT, loader: "ts" as const };
    const { outputFiles } = await build({ stdin, bundle: true, format: "esm", target: "es2022", write: false });
    const bindings = { url: stack.url, token: stack.token, name: freshName() };
    const script = outputFiles[0]?.text ?? "";
    const options = convertV4MiniflareOptions({ modules: true, script, compatibilityDate, bindings });
    const miniflare = new Miniflare({ ...options, cf: false });
    try {
      const report = (await (await miniflare.dispatchFetch("http://worker/")).json()) as {
        readonly outcomes: Readonly<Record<string, string>>;
        readonly unhandled: readonly string[];
      };
      expect(Object.keys(report.outcomes).length).toBeGreaterThan(10);
      for (const [call, outcome] of Object.entries(report.outcomes)) expect(outcome, call).toBe(call);
      expect(report.unhandled).toEqual([]);
    } finally {
      await miniflare.dispose();
    }
  },
);
