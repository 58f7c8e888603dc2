import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defineHandler, H3, type H3Event } from "h3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dedupe, github } from "../../src/http/index.ts";
import { connect } from "../../src/index.ts";
import { packed } from "../platforms/package/packed.ts";
import { emptyProject } from "../platforms/package/project.ts";
import { program, ROOT, run } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { type App, bundle, EXPECTED, environmentOf, MODULE, sendAll, startApp } from "./hook.ts";

const stack = useStack();
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-frameworks-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const document = readFileSync(join(ROOT, "docs/webhook-hosts.md"), "utf8");
/** The line for a framework, as the document has it: it is run as it stands there. */
function lineFor(framework: string): string {
  const row = document.split("\n").find((line) => line.startsWith("| ") && line.includes(framework)) ?? "";
  const [, line] = /`(export [^`]+)`/.exec(row) ?? [];
  if (!line) throw new Error(`docs/webhook-hosts.md has no line for ${framework}`);
  return line;
}

it.each(["node-20", "node"])("answers in h3 2: %s", async (node) => {
  const file = join(dir, `h3-${node}.mjs`);
  const served = `${MODULE}
    import { defineHandler, H3, serve } from "h3";
    const one = ${lineFor("h3 2").replace("export default ", "")}
    // With the event, whose waitUntil is found.
    const other = defineHandler((event) => hook(event.req, event));
    serve(new H3().post("/one", one).post("/other", other), { port: +process.env.PORT, hostname: process.env.HOST });`;
  writeFileSync(file, await bundle(served, "esm", "node"));
  const app = await startApp(
    program(`${node}/bin/node`),
    () => [file],
    dir,
    environmentOf(stack, "UPSTASH_REDIS_REST"),
  );
  try {
    for (const path of ["one", "other"]) expect(await sendAll(`${app.url}/${path}`, freshName())).toEqual(EXPECTED);
  } finally {
    await app.stop();
  }
});

it("is typed for h3 2, whose event the handler gets", async () => {
  const hook = dedupe<[event: H3Event]>(
    { locks: connect({ url: stack.url, token: stack.token }), key: github({ verify: (body) => body !== "forged" }) },
    async (request, { attempt }, { context }) => Response.json([context.params, attempt, await request.text()]),
  );
  const app = new H3().post(
    "/hooks/:name",
    defineHandler((event) => hook(event.req, event)),
  );
  const headers = { "X-GitHub-Delivery": freshName() };
  const answer = await app.request("/hooks/one", { method: "POST", body: "first", headers });
  expect([answer.status, await answer.json()]).toEqual([200, [{ name: "one" }, 1, "first"]]);
});

interface Framework {
  readonly name: string;
  readonly packages: readonly string[];
  /** The files of an app with one route, `/hook`. */
  readonly files: (route: string) => Readonly<Record<string, string>>;
  readonly build?: readonly string[];
  readonly start: readonly string[];
}

const frameworks: readonly Framework[] = [
  {
    name: "SvelteKit 3",
    packages: [
      ...["@sveltejs/kit@3.2.0", "@sveltejs/adapter-node@6.0.1", "@sveltejs/vite-plugin-svelte@7.2.0"],
      ...["svelte@5.57.3", "vite@8.3.8", "typescript@6.0.3"],
    ],
    files: (route) => ({
      "vite.config.js": `
        import adapter from "@sveltejs/adapter-node";
        import { sveltekit } from "@sveltejs/kit/vite";
        export default { plugins: [sveltekit({ adapter: adapter(), csrf: { trustedOrigins: ["*"] } })] };`,
      "src/app.html": "<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>",
      "src/routes/hook/+server.js": route,
    }),
    build: ["node_modules/vite/bin/vite.js", "build"],
    start: ["build/index.js"],
  },
  {
    name: "React Router 8",
    packages: [
      ...["react-router", "@react-router/dev", "@react-router/node", "@react-router/serve"].map((it) => `${it}@8.4.0`),
      ...["react@19.2.9", "react-dom@19.2.9", "vite@8.3.8", "isbot@5", "typescript@6.0.3"],
    ],
    files: (route) => ({
      "vite.config.js": `
        import { reactRouter } from "@react-router/dev/vite";
        export default { plugins: [reactRouter()] };`,
      "app/root.jsx": `
        import { Outlet } from "react-router";
        export default function Root() { return <html><body><Outlet /></body></html>; }`,
      "app/routes.js": `
        import { route } from "@react-router/dev/routes";
        export default [route("hook", "routes/hook.js")];`,
      "app/routes/hook.js": route,
    }),
    build: ["node_modules/@react-router/dev/bin.cjs", "build"],
    start: ["node_modules/@react-router/serve/bin.cjs", "build/server/index.js"],
  },
  {
    name: "Nitro 3",
    packages: ["nitro@3.0.0"],
    files: (route) => ({ "routes/hook.post.js": `import { defineHandler } from "nitro/h3";${route}` }),
    build: ["node_modules/nitro/dist/cli/index.mjs", "build"],
    start: [".output/server/index.mjs"],
  },
  {
    name: "h3 1",
    packages: ["h3@1.15.4"],
    files: (route) => ({
      "hook.js": `import { defineEventHandler, toWebRequest } from "h3";${route}`,
      "server.js": `
        import { createServer } from "node:http";
        import { createApp, createRouter, toNodeListener } from "h3";
        import hook from "./hook.js";
        const app = createApp().use(createRouter().post("/hook", hook));
        createServer(toNodeListener(app)).listen(+process.env.PORT, process.env.HOST);`,
    }),
    start: ["server.js"],
  },
];

/** Too large to be installed for every run: `npm run test:long` builds and starts them. */
const installed = process.env["EVERY_RUNTIME"] ? frameworks : [];

it.each(installed)(
  "answers in $name, built without the environment",
  async ({ name, packages, files, build, start }) => {
    const project = emptyProject();
    let app: App | undefined;
    try {
      await project.npm(await packed(), ...packages);
      const ours = MODULE.replace("./src/http/index.ts", "leasehold/http").replace("./src/index.ts", "leasehold");
      for (const [file, text] of Object.entries(files(`${ours}\n${lineFor(name)}`))) {
        mkdirSync(dirname(join(project.dir, file)), { recursive: true });
        project.write(file, text);
      }
      const node = program("node/bin/node");
      if (build) await run(node, build, project.dir, { NODE_ENV: "production" });
      app = await startApp(node, () => start, project.dir, environmentOf(stack, "KV_REST_API"));
      expect(await sendAll(`${app.url}/hook`, freshName())).toEqual(EXPECTED);
    } finally {
      await app?.stop();
      project.remove();
    }
  },
  300_000,
);
