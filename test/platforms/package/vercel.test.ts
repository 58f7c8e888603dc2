import { cpSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { program, ROOT, run } from "../../support/command.ts";
import { type Stack, startStack } from "../../support/stack.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> | string;
}

interface Driven {
  readonly first: Answer;
  readonly afterResponse: number;
  readonly atOnce: readonly Answer[];
  readonly cron: readonly Answer[];
  readonly slots: number;
}

const fieldOf =
  (name: string) =>
  ({ body }: Answer): unknown =>
    (body as Record<string, unknown>)[name];

const SECRET = "cron-secret-0123456789";
let project: Project;
beforeAll(async () => {
  project = emptyProject();
  cpSync(join(ROOT, "test/platforms/package/vercel"), project.dir, { recursive: true });
  await project.npm(await packed(), join(ROOT, "node_modules/@vercel/functions"));
});
afterAll(() => project?.remove());

const variables = ({ url, token }: Stack): Record<string, string> => ({
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
  CRON_SECRET: SECRET,
});

async function inNode(stack: Stack): Promise<string> {
  const main = project.write(
    "node.js",
    `import { drive } from "./platform.js";
     console.log(JSON.stringify(await drive('${SECRET}')));`,
  );
  return run(process.execPath, [main], project.dir, variables(stack));
}

async function onTheEdge(stack: Stack): Promise<string> {
  const outfile = join(project.dir, "edge.js");
  // An edge function gets the environment's values when it is built. There is no `process`, here not even for the sake
  // of Vercel's own package, which looks into `process.env` when it is loaded.
  const values = Object.entries(variables(stack)).map(([name, value]) => [
    `process.env.${name}`,
    JSON.stringify(value),
  ]);
  await build({
    entryPoints: [join(project.dir, "platform.js")],
    outfile,
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "platform",
    define: { ...Object.fromEntries(values), "process.env": "{}" },
    logLevel: "silent",
  });
  const main = project.write(
    "edge.cjs",
    `const { EdgeVM } = require(${JSON.stringify(program("@edge-runtime/vm/dist/index.js"))});
     const initialCode = require("node:fs").readFileSync(${JSON.stringify(outfile)}, "utf8");
     const vm = new EdgeVM({ initialCode });
     if (vm.evaluate("typeof process + typeof Buffer") !== "undefinedundefined") throw new Error("not the edge");
     vm.evaluate("platform.drive('${SECRET}')").then((made) => console.log(JSON.stringify(made)));`,
  );
  return run(process.execPath, [main], project.dir);
}

test.concurrent.each([
  ["in Node", inNode],
  ["in the edge VM", onTheEdge],
])("a Vercel function called by its handler, %s", async (_where, call) => {
  const stack = await startStack();
  try {
    const { first, afterResponse, atOnce, cron, slots } = JSON.parse(await call(stack)) as Driven;
    expect(first).toEqual({ status: 200, body: { token: expect.any(Number) } });
    // The release: Vercel's own waitUntil has taken it, and the response did not wait for it.
    expect(afterResponse).toBe(1);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [token] = atOnce.filter(({ status }) => status === 200).map(fieldOf("token"));
    expect(token).toBeGreaterThan(fieldOf("token")(first) as number);
    expect(cron.map(({ status }) => status)).toEqual([401, 200, 200]);
    expect(cron.slice(1).map(fieldOf("status"))).toEqual(["ran", "skipped: already ran"]);
    expect(slots).toBe(1);
  } finally {
    await stack.stop();
  }
});
