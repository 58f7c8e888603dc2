import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import { Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packed } from "../platforms/package/packed.ts";
import { emptyProject, type Project } from "../platforms/package/project.ts";
import { program, ROOT, run } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { type App, bundle, EXPECTED, environmentOf, HOOK, MODULE, SEND, sendAll, startApp } from "./hook.ts";

const stack = useStack();
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-http-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const environment = (names: "UPSTASH_REDIS_REST" | "KV_REST_API") => environmentOf(stack, names);

it("answers in Deno.serve", async () => {
  const file = join(dir, "deno.mjs");
  const serve = `${MODULE}${SEND}
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, hook);
    console.log(JSON.stringify(await sendAll("http://127.0.0.1:" + server.addr.port, Deno.args[0])));
    await server.shutdown();
    Deno.exit();`;
  writeFileSync(file, await bundle(serve));
  const args = [
    "run",
    "--no-config",
    "--allow-net",
    "--allow-env=KV_REST_API_URL,KV_REST_API_TOKEN",
    file,
    freshName(),
  ];
  const printed = await run(program(".bin/deno"), args, dir, environment("KV_REST_API"));
  expect(JSON.parse(printed)).toEqual(EXPECTED);
});

it("answers in Bun.serve", async () => {
  const file = join(dir, "bun.mjs");
  const serve = `${MODULE}${SEND}
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: hook });
    console.log(JSON.stringify(await sendAll(server.url.href, Bun.argv[2])));
    await server.stop(true);
    process.exit();`;
  writeFileSync(file, await bundle(serve));
  const printed = await run(program(".bin/bun"), ["run", file, freshName()], dir, environment("UPSTASH_REDIS_REST"));
  expect(JSON.parse(printed)).toEqual(EXPECTED);
});

it("answers as the fetch of a Worker, with its env", async () => {
  const contents = await bundle(`${HOOK}
    export default { fetch: dedupe({ locks: (request, env) => fromEnv(env), key: github({ verify }), replay: true }, answer) };`);
  const bindings = Object.entries(environment("UPSTASH_REDIS_REST"));
  const worker = new Miniflare({
    workers: [
      {
        config: {
          name: "hook",
          compatibilityDate: "2025-06-01",
          env: Object.fromEntries(bindings.map(([name, value]) => [name, { type: "text", value } as const])),
          manifest: {
            mainModule: "worker.js",
            modulesRoot: "/",
            modules: { "worker.js": { type: "esm", contents } },
          },
        },
      },
    ],
    cf: false,
    logRequests: false,
    log: new Log(LogLevel.NONE),
  });
  try {
    const { origin } = await worker.ready;
    expect(await sendAll(origin, freshName())).toEqual(EXPECTED);
  } finally {
    await worker.dispose();
  }
});

it("answers as a route handler in Vercel's edge runtime", async () => {
  const script = await bundle(`${MODULE} globalThis.POST = hook;`, "iife");
  const vm = new EdgeVM();
  vm.evaluate(`globalThis.process = { env: ${JSON.stringify(environment("KV_REST_API"))} };`);
  vm.evaluate(script);
  const call = `(async () => { ${SEND}
    return JSON.stringify(await sendAll("https://app.example/hook", ${JSON.stringify(freshName())}, POST)); })()`;
  expect(JSON.parse(await vm.evaluate(call))).toEqual(EXPECTED);
});

/** Too large to be installed for every run: `npm run test:long` builds and starts it. */
const NEXT = process.env["EVERY_RUNTIME"] ? ["16.4.6"] : [];

const route = (runtime: string): string => `
  import { fromEnv } from "leasehold";
  import { dedupe, github } from "leasehold/http";
  import { after, type NextRequest } from "next/server";
  export const runtime = "${runtime}";
  const key = github({ verify: (body) => body !== "forged" });
  export const POST = dedupe<[context: { params: Promise<{ name: string }> }]>(
    { locks: fromEnv(), key, replay: true, waitUntil: after },
    async (request, { lease, attempt }, { params }) => {
      const { name } = await params;
      const { searchParams } = (request as NextRequest).nextUrl;
      const found = [name, searchParams.get("tenant"), lease.token > 0, attempt].join();
      return Response.json({ found, body: await request.text() }, { status: 201 });
    },
  );`;

/** Builds an app without its environment, as CI does, and starts it with one. */
async function startNext(version: string, project: Project): Promise<App> {
  const types = ["typescript", "@types/node"].map((name) => join(ROOT, "node_modules", name));
  await project.npm(await packed(), `next@${version}`, "react@19.2.9", "react-dom@19.2.9", "@types/react@19", ...types);
  const files = {
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
    "app/nodejs/[name]/route.ts": route("nodejs"),
    "app/edge/[name]/route.ts": route("edge"),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project.dir, file)), { recursive: true });
    project.write(file, text);
  }
  const next = join(project.dir, "node_modules/next/dist/bin/next");
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  await run(process.execPath, [next, "build"], project.dir, { ...process.env, ...env });
  const start = (port: number) => [next, "start", "-p", `${port}`, "-H", "127.0.0.1"];
  return startApp(process.execPath, start, project.dir, { ...env, ...environment("KV_REST_API") });
}

it.each(NEXT)(
  "answers as a Route Handler of Next.js %s, in both runtimes",
  async (version) => {
    const project = emptyProject();
    let app: App | undefined;
    try {
      app = await startNext(version, project);
      for (const runtime of ["nodejs", "edge"]) {
        const url = `${app.url}/${runtime}/github?tenant=a`;
        const id = freshName();
        expect(await sendAll(url, id)).toEqual(EXPECTED);
        const again = await fetch(url, { method: "POST", body: "first", headers: { "X-GitHub-Delivery": id } });
        expect(await again.json()).toEqual({ found: "github,a,true,1", body: "first" });
      }
    } finally {
      await app?.stop();
      project.remove();
    }
  },
  300_000,
);
