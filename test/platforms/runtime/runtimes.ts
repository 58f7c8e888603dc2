import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { program, ROOT, run } from "../../support/command.ts";
import type { Project } from "../package/project.ts";
import { bundleSuite } from "./bundle.ts";
import type { Endpoint, Report } from "./suite.ts";

export interface Runtime {
  readonly name: string;
  /** The name that it must give itself. */
  readonly identity: string;
  /** Whether it runs the contract of all kinds, or the lock's alone. */
  readonly everyKind: boolean;
  /** Installs the packed package, where that is done in its own way. */
  readonly install?: (project: Project, tarball: string) => Promise<void>;
  readonly run: (project: Project, endpoint: Endpoint) => Promise<Report>;
}

const long = process.env["EVERY_RUNTIME"] !== undefined;
const COMPATIBILITY_DATE = "2026-10-01";
const versionOf = (name: string): string =>
  (createRequire(import.meta.url)(`${ROOT}/node_modules/${name}/package.json`) as { version: string }).version;

function node(name: string): Runtime {
  const version = versionOf(name);
  return {
    name: `Node ${version.split(".")[0]}`,
    identity: `Node ${version}`,
    everyKind: true,
    async run({ dir }, { url, token }) {
      const script = await bundleSuite({ entry: "node", everyKind: true }, dir);
      return JSON.parse(await run(program(`${name}/bin/node`), [script, url, token], dir)) as Report;
    },
  };
}

const bun: Runtime = {
  name: "Bun",
  identity: `Bun ${versionOf("bun")}`,
  everyKind: long,
  install: (project, tarball) => project.bun("--omit=optional", tarball),
  async run({ dir }, { url, token }) {
    const script = await bundleSuite({ entry: "bun", everyKind: long }, dir);
    return JSON.parse(await run(program(".bin/bun"), ["run", script, url, token], dir)) as Report;
  },
};

const deno: Runtime = {
  name: "Deno",
  identity: `Deno ${versionOf("deno")}`,
  everyKind: long,
  async run({ dir, write }, { url, token }) {
    write("deno.json", { nodeModulesDir: "manual" });
    const script = await bundleSuite({ entry: "deno", everyKind: long }, dir);
    // It may reach the endpoint, and nothing else: no environment, no files.
    const args = ["run", "--no-prompt", "--cached-only", `--allow-net=${new URL(url).host}`, script, url, token];
    return JSON.parse(await run(program(".bin/deno"), args, dir, { NO_COLOR: "1" })) as Report;
  },
};

function workerd(flags: readonly string[], name: string, identity: string): Runtime {
  return {
    name,
    identity,
    everyKind: true,
    async run({ dir }, { url, token }) {
      const bundle = await bundleSuite({ entry: "workerd", single: true, everyKind: true }, dir);
      const script = readFileSync(bundle, "utf8");
      const options = { modules: true, script, compatibilityDate: COMPATIBILITY_DATE, compatibilityFlags: [...flags] };
      const miniflare = new Miniflare({
        ...convertV4MiniflareOptions({ ...options, bindings: { url, token } }),
        cf: false,
      });
      try {
        return (await (await miniflare.dispatchFetch("http://worker/")).json()) as Report;
      } finally {
        await miniflare.dispose();
      }
    },
  };
}

const edge: Runtime = {
  name: "Vercel's edge VM",
  identity: "edge-runtime",
  everyKind: long,
  async run({ dir, write }, { url, token }) {
    const script = await bundleSuite({ entry: "edge", single: true, everyKind: long }, dir);
    const host = program("@edge-runtime/vm/dist/index.js");
    const main = write(
      "main.cjs",
      `const { EdgeVM } = require(${JSON.stringify(host)});
       const initialCode = require("node:fs").readFileSync(${JSON.stringify(script)}, "utf8");
       const query = new URLSearchParams(${JSON.stringify({ url, token })});
       new EdgeVM({ initialCode }).dispatchFetch("http://edge/?" + query)
         .then((response) => response.text())
         // A timer has no \`unref\` there: that of a signal may run as long as its lease.
         .then((text) => process.stdout.write(text, () => process.exit()));`,
    );
    return JSON.parse(await run(process.execPath, [main], dir)) as Report;
  },
};

/**
 * All other tests run under Node 24, and those in `../workerd` with Node's interfaces, so only the long form runs the
 * suite there once more, and under Node 22 and 26. The kinds differ in their scripts, and a runtime in its `fetch`, its
 * timers and its signals: in the short form the lock uses all of these where other runtimes have shown the kinds.
 */
const more = long
  ? [
      ...["node-22", "node", "node-26"].map(node),
      workerd(["nodejs_compat"], "workerd, nodejs_compat", "Cloudflare-Workers, with process"),
    ]
  : [];

export const runtimes: readonly Runtime[] = [
  node("node-20"),
  ...more,
  deno,
  bun,
  // By this date Node's interfaces are there unless they are turned off.
  workerd(["no_nodejs_compat", "no_nodejs_compat_v2"], "workerd", "Cloudflare-Workers, without process"),
  edge,
];
