/** The table of shapes in workerd, as far as its hosts run there. */
import { build } from "esbuild";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { beforeAll, describe } from "vitest";
import { ROOT } from "../support/command.ts";
import { useStack } from "../support/use-stack.ts";
import { ask } from "./questions.ts";
import type { Shape } from "./shape.ts";

const stack = useStack();
let script = "";

/** Node's modules under the names that workerd knows. */
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}/test/hosts/runtimes/worker.ts`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
    external: ["cloudflare:*"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/worker.js");' },
    logLevel: "error",
  });
  script = outputFiles[0]?.text ?? "";
});

/** Miniflare takes the protocol that a proxy names. workerd decodes headers, and compresses an answer again. */
const WORKERD = { origin: "https own", city: "text", leavesOut: ["passed"] } as const;

const SHAPES: readonly Omit<Shape, "start">[] = [
  { name: "its own fetch", ...WORKERD },
  { name: "Hono", ...WORKERD },
  // workerd encodes the headers of an answer once more.
  { name: "Express 5", leavesOut: ["city of the answer"] },
];

for (const shape of SHAPES)
  describe(shape.name, () =>
    ask(shape, async () => {
      const miniflare = new Miniflare({
        ...convertV4MiniflareOptions({
          modules: true,
          script,
          compatibilityDate: "2026-10-01",
          compatibilityFlags: ["nodejs_compat"],
          bindings: { URL: stack.url, TOKEN: stack.token, SHAPE: shape.name },
        }),
        cf: false,
        logRequests: false,
        log: new Log(LogLevel.NONE),
      });
      return { url: (await miniflare.ready).origin, close: () => miniflare.dispose() };
    }),
  );
