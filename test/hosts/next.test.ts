/** The table of shapes in Next.js, which is too large to be installed for every run: `npm run test:long` does it. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, environmentOf, startApp } from "../http/hook.ts";
import { emptyProject, type Project } from "../platforms/package/project.ts";
import { ROOT, run } from "../support/command.ts";
import { useStack } from "../support/use-stack.ts";
import { ask } from "./questions.ts";
import type { Outcome, SentBody, Shape } from "./shape.ts";

const NEXT = process.env["EVERY_RUNTIME"] ? ["16.4.6"] : [];

/** The application and the adapter for Node, as one module without other imports. */
const MODULE = `
  export { application } from "./test/hosts/application.ts";
  export { toExpress } from "./src/node/index.ts";`;
/** At the first request, since a build has no environment. */
const MADE = `
  let first;
  const made = (request) => {
    const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = process.env;
    first ??= application({ url, token });
    return first(request);
  };`;
const inPages = (parser: boolean): string => `
  import { application, toExpress } from "../../../lib/made.mjs";
  ${MADE}
  const route = toExpress(made);
  export const config = { api: { bodyParser: ${parser} } };
  export default (req, res) => route(req, res, (error) => res.status(500).send(String(error)));`;

const FILES: Readonly<Record<string, string>> = {
  "app/layout.js": `export default ({ children }) => <html><body>{children}</body></html>;`,
  "app/app/[...name]/route.js": `
    import { application } from "../../../lib/made.mjs";
    ${MADE}
    const answer = (request) => made(request).catch((error) => new Response(String(error), { status: 500 }));
    export { answer as GET, answer as POST };`,
  "pages/api/stream/[...name].js": inPages(false),
  "pages/api/parsed/[...name].js": inPages(true).replace("bodyParser: true", 'bodyParser: { sizeLimit: "5mb" }'),
};

/** Next.js parses JSON, and reads every other body as text. */
const parsed = ({ type, bytes, decoded }: SentBody): Outcome => {
  if (bytes.length === 0) return "whole";
  return type === "application/json" && decoded ? 400 : /its bytes are lost: mount this route before/;
};
const SHAPES: readonly (Omit<Shape, "start"> & { readonly base: string })[] = [
  {
    name: "a Route Handler",
    base: "/app",
    // Next.js takes the protocol that a proxy names, and its own host.
    origin: "https localhost",
    leavesOut: ["passed", "city of the answer"],
  },
  { name: "a route of pages/api without its parser", base: "/api/stream", origin: "own" },
  {
    name: "a route of pages/api",
    base: "/api/parsed",
    origin: "own",
    outcomeOf: parsed,
  },
];

/** The text of {@link MODULE} with everything that it imports. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: MODULE, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

it("the application of the table of shapes is one module without imports but of Node", async () => {
  const imports = [...(await bundle()).matchAll(/^import .* from "([^"]+)"/gm)].map(([, from = ""]) => from);
  expect(imports.filter((from) => !from.startsWith("node:"))).toEqual([]);
});

describe.each(NEXT)("in Next.js %s", (version) => {
  const stack = useStack();
  let project: Project;
  let app: App;
  beforeAll(async () => {
    project = emptyProject();
    await project.npm(`next@${version}`, "react@19.2.9", "react-dom@19.2.9");
    for (const [file, text] of Object.entries({ ...FILES, "lib/made.mjs": await bundle() })) {
      mkdirSync(dirname(join(project.dir, file)), { recursive: true });
      project.write(file, text);
    }
    const next = join(project.dir, "node_modules/next/dist/bin/next");
    const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
    await run(process.execPath, [next, "build"], project.dir, { ...process.env, ...env }, 300_000);
    const start = (port: number) => [next, "start", "-p", `${port}`, "-H", "127.0.0.1"];
    app = await startApp(process.execPath, start, project.dir, {
      ...env,
      ...environmentOf(stack, "UPSTASH_REDIS_REST"),
    });
  }, 600_000);
  afterAll(async () => {
    await app?.stop();
    project?.remove();
  });

  for (const { base, ...shape } of SHAPES)
    describe(shape.name, () => ask({ ...shape, base }, async () => ({ url: app.url, close: async () => {} })));
});
