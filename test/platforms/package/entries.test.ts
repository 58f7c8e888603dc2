import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program, ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Manifest, manifestOf, type Project } from "./project.ts";

let project: Project;
/** Those of the packages whose entries are listed here. */
let manifests: readonly Manifest[];
beforeAll(async () => {
  const listed = await Promise.all([packed(), packed("leasehold-agents"), packed("leasehold-nest")]);
  const others = await Promise.all([
    packed("leasehold-gateway"),
    packed("leasehold-engine"),
    packed("leasehold-testing"),
  ]);
  project = emptyProject();
  const hosts = ["hono", "@nestjs/common"].map((name) => join(ROOT, "node_modules", name));
  manifests = await Promise.all(listed.map((tarball) => manifestOf(tarball)));
  await project.npm(...listed, ...others, ...hosts);
});
afterAll(() => project?.remove());

const long = process.env["EVERY_RUNTIME"] !== undefined;

/** The entries that users import. */
const PORTABLE = [
  "leasehold",
  "leasehold-agents",
  "leasehold-agents/chat",
  "leasehold-agents/mcp",
  "leasehold/bun",
  "leasehold/cron",
  "leasehold/elect",
  "leasehold/fence",
  "leasehold/hono",
  "leasehold/http",
  "leasehold/ioredis",
  "leasehold/lambda",
  "leasehold/list",
  "leasehold/node-redis",
  "leasehold/otel",
  "leasehold/queue",
  // Only our own packages import these.
  "leasehold/internal",
  "leasehold/internal/cron",
];
/** The packages that an entry is made for, and that its user chose with it. */
const CHOSEN: Readonly<Record<string, string | readonly string[]>> = {
  "leasehold-agents": ["leasehold", "leasehold/internal"],
  "leasehold-agents/chat": ["leasehold", "leasehold/internal"],
  "leasehold-agents/mcp": ["leasehold", "leasehold/internal"],
  "leasehold/otel": "@opentelemetry/api",
};
const FOR_NODE = ["leasehold/node"];
const FOR_NEST = ["leasehold-nest"];

/**
 * The modules of other packages, and Node's, that an entry may load: by `import` or `import()`, from any of its files.
 */
async function reachable(entry: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export * from "${entry}"`, resolveDir: project.dir },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    treeShaking: false,
    plugins: [
      {
        name: "apart",
        setup({ onResolve }) {
          // Also `fs` and its like: a bundler for Workers or the edge would look for a package of that name.
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path === entry ? undefined : { path, external: true, sideEffects: true },
          );
        },
      },
    ],
  });
  const found = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  return [...new Set(found.filter(({ external }) => external).map(({ path }) => path))].sort();
}

const ofNode = (path: string): boolean => path.startsWith("node:") || builtinModules.includes(path);

test("exports lead to files that are in the package, and every entry is known here", () => {
  const files = manifests.flatMap(({ exports, name }) =>
    Object.values(exports)
      .flatMap((target) => (typeof target === "string" ? target : Object.values(target)))
      .map((file) => join(name, file)),
  );
  const missing = files.filter((file) => !existsSync(join(project.dir, "node_modules", file)));
  expect(missing).toEqual([]);
  const entries = manifests.flatMap(({ exports, name }) => Object.keys(exports).map((key) => key.replace(/^\./, name)));
  const others = manifests.map(({ name }) => `${name}/package.json`);
  expect(entries.sort()).toEqual([...PORTABLE, ...FOR_NODE, ...FOR_NEST, ...others].sort());
});

describe.concurrent("no entry", () => {
  test.each(PORTABLE)("reaches Node's modules, or a package that was not chosen: %s", async (entry) => {
    expect(await reachable(entry)).toEqual([CHOSEN[entry] ?? []].flat());
  });

  test.each(FOR_NODE)("but those for Node reach more than its streams: %s", async (entry) => {
    expect(await reachable(entry)).toEqual(["node:stream", "node:stream/promises"]);
  });

  test.each(FOR_NEST)(
    "but that for Nest reaches more than Nest, what carries a lease to a method, and the timer that Nest uses: %s",
    async (entry) => {
      expect(await reachable(entry)).toEqual([
        ...["@nestjs/common", "leasehold", "leasehold/internal", "leasehold/internal/cron"],
        ...["node:async_hooks", "node:module"],
      ]);
    },
  );

  test("while that of the gateway does, as this would see", async () => {
    expect((await reachable("leasehold-gateway")).filter(ofNode)).toContain("node:http");
  });

  test.each(PORTABLE)("needs more than a bundler for browsers: %s", async (entry) => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: `export * from "${entry}"`, resolveDir: project.dir },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
    });
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    // Modules that Vercel's edge runtime does not have. `getBuiltinModule` returns undefined for such a one.
    const text = outputFiles[0]?.text.replaceAll(/getBuiltinModule\?\.\("node:\w+"\)/g, "");
    expect(text?.match(/\brequire\(|"node:\w+|\bAbortSignal\.any\b|\bBuffer\./g)).toBeNull();
  });
});

describe.concurrent("the types, without skipLibCheck", () => {
  const consumer = `
    import { bunRedis } from "leasehold/bun";
    import { cronRoute, lastRun, type Report } from "leasehold/cron";
    import { redisFence, StaleTokenError } from "leasehold/fence";
    import { dedupe, type DedupeVariables } from "leasehold/hono";
    import { dedupe as dedupePlain, github } from "leasehold/http";
    import { ioredis } from "leasehold/ioredis";
    import { toLambda } from "leasehold/lambda";
    import { nodeRedis } from "leasehold/node-redis";
    import { type Connection, connect, createLocks, fromEnv, type Lease, LeaseLostError, lock } from "leasehold";

    const connection: Connection = connect({ url: "https://redis.example", token: "token" });
    const locks = createLocks({ url: "https://redis.example", token: "token", lease: "10s" });
    // @ts-expect-error a token is needed
    createLocks({ url: "https://redis.example" });
    // @ts-expect-error no duration
    lock(connection, "name", { lease: "soon" });
    export const token: Promise<number> = locks.lock("name").run({ wait: "1s" }, async ({ token }: Lease) => token);
    export const use = async (error: unknown, lease: Lease): Promise<string | undefined> =>
      error instanceof LeaseLostError ? error.reason : String(lease.remaining);
    const mistaken = { ttl: "5s" } as const;
    // @ts-expect-error no option of this name
    void lock(connection, "name").acquire(mistaken);
    export const variables = (given: DedupeVariables): object => given;
    export const GET: (request: Request) => Promise<Response> = cronRoute(
      { locks, name: "nightly", every: "24h" },
      async ({ lease }) => lease.token,
    );
    export const POST: (request: Request) => Promise<Response> = dedupePlain(
      { locks: fromEnv(), key: github({ verify: (body, { headers }) => headers.has("x") && body !== "" }) },
      async (request, { lease, attempt }) => new Response(String(lease.token + attempt), request),
    );
    export const worker = {
      fetch: dedupePlain<[env: { name: string }]>(
        { locks: (_request, env) => fromEnv(env), key: github({ verify: (_body, _request, env) => env.name !== "" }) },
        (_request, { lease }, env) => new Response(env.name + lease.token),
      ),
    };
    // @ts-expect-error Without Redis there may be no lease.
    dedupePlain({ locks, key: () => "x", onUnavailable: "run" }, (_request, { lease }) => new Response(lease.name));
    export const handler = toLambda(POST);
    export const tell = (report: Report): string => report.status;
    export const functions = [bunRedis, dedupe, ioredis, lastRun, nodeRedis, redisFence, StaleTokenError] as const;
  `;
  /** Where the compiler knows the symbol. */
  const disposing = `
    export async function dispose(): Promise<number> {
      await using lease = await lock(connection, "name").acquire();
      return lease.remaining;
    }
  `;
  const platforms = {
    "Node and browsers": { lib: ["ES2023", "DOM", "DOM.Iterable", "ESNext.Disposable"], types: [] as string[] },
    Workers: { lib: ["ES2023", "ESNext.Disposable"], types: ["@cloudflare/workers-types"] },
  };

  async function check(name: string, compiler: string, source: string, options: object): Promise<void> {
    project.write(`${name}.ts`, source);
    project.write(`${name}.json`, {
      compilerOptions: {
        ...platforms["Node and browsers"],
        module: "esnext",
        moduleResolution: "bundler",
        target: "es2022",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        ...options,
      },
      files: [`${name}.ts`],
    });
    const tsc = program(`${compiler}/bin/tsc`);
    expect(await run(process.execPath, [tsc, "-p", `${name}.json`], project.dir)).toBe("");
  }

  test.each([
    ["bundler", "Node and browsers"],
    ["nodenext", "Node and browsers"],
    ["bundler", "Workers"],
  ] as const)("are right with moduleResolution %s, for %s", async (moduleResolution, platform) => {
    // The newest compiler is the fastest by far; in the long form the one of most users checks one of them.
    const compiler = long && moduleResolution === "nodenext" ? "typescript" : "typescript-newest";
    await check(`${moduleResolution}-${platform.split(" ")[0]}`, compiler, consumer + disposing, {
      ...platforms[platform],
      typeRoots: [program("@types"), program(".")],
      module: moduleResolution === "bundler" ? "esnext" : "nodenext",
      moduleResolution,
    });
  });

  // The oldest that the README states and the newest there is, each with the Hono of its time.
  test.each([
    ["typescript-oldest", "hono-oldest"],
    ["typescript-newest", "hono"],
  ])("D: are right for %s, with and without the symbol of await using", async (compiler, hono) => {
    const paths = { hono: [program(`${hono}/dist/types/index.d.ts`)] };
    if (long || compiler === "typescript-newest")
      await check(`${compiler}-with`, compiler, consumer + disposing, { paths });
    await check(`${compiler}-without`, compiler, consumer, { paths, lib: ["ES2022", "DOM"] });
  });
});
