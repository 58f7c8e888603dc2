/** The applications into which a rehearsal installs the packages. Each exits with 0 on success. */
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** A server, and how to run a program in the project. */
export interface Surroundings {
  readonly url: string;
  readonly token: string;
  /** Runs a program, with the variables of the server. @throws with its output if it fails. */
  run(file: string, ...args: string[]): Promise<string>;
}

export interface Example {
  readonly dependencies: Readonly<Record<string, string>>;
  /** Additional fields of its `package.json`. */
  readonly manifest?: object;
  /** Writes its files into a project. */
  write(project: string): void;
  drive(project: string, surroundings: Surroundings): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");
const OWN = join(import.meta.dirname, "examples");
const CRON_SECRET = "cron-secret-0123456789";

const expressApi: Example = {
  dependencies: { leasehold: "latest", express: "5.3.0" },
  manifest: { type: "module" },
  write(project) {
    cpSync(join(OWN, "express"), project, { recursive: true });
    cpSync(join(ROOT, "workers/express-api.ts"), join(project, "app.ts"));
  },
  drive: async (_project, { run }) => void (await run(process.execPath, "--no-warnings", "drive.mjs")),
};

/** As in this repository's manifest, since not every registry has all parts of the newest version. */
const PINNED = { "unrs-resolver": "1.12.2" };

const jest: Example = {
  dependencies: { leasehold: "latest", "leasehold-testing": "latest", jest: "30.5.2" },
  // For npm and Bun, and for yarn.
  manifest: { overrides: PINNED, resolutions: PINNED },
  write: (project) => cpSync(join(OWN, "jest"), project, { recursive: true }),
  async drive(_project, { run }) {
    const flags = ["--experimental-vm-modules", "--no-warnings"];
    await run(process.execPath, ...flags, "node_modules/jest/bin/jest.js", "--rootDir", ".");
  },
};

const next: Example = {
  dependencies: { leasehold: "latest", next: "16.4.5", react: "19.3.0", "react-dom": "19.3.0" },
  manifest: { type: "module" },
  write(project) {
    cpSync(join(OWN, "next"), project, { recursive: true });
    // Without its types, for which Next.js would install a compiler.
    const source = readFileSync(join(ROOT, "workers/vercel-cron.ts"), "utf8");
    const route = source.replaceAll(/: \(request: Request\) => Promise<Response>| as \{ total: number \}/g, "");
    mkdirSync(join(project, "app/api/report"), { recursive: true });
    writeFileSync(join(project, "app/api/report/route.js"), route);
  },
  drive: async (_project, { run }) => void (await run(process.execPath, "drive.mjs")),
};

const worker: Example = {
  dependencies: { leasehold: "latest", hono: "4.13.19" },
  manifest: { type: "module" },
  write: (project) => cpSync(join(OWN, "worker"), project, { recursive: true }),
  async drive(project, { url, token, run }) {
    const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
    await run(process.execPath, wrangler, "deploy", "--dry-run", "--outdir", "out");
    const bindings = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token };
    const script = readFileSync(join(project, "out/worker.js"), "utf8");
    const options = { modules: true, script, compatibilityDate: "2026-10-01", bindings, cf: false as const };
    const miniflare = new Miniflare(convertV4MiniflareOptions(options));
    try {
      const headers = { "Idempotency-Key": `${process.pid}-${Date.now()}` };
      const send = () => miniflare.dispatchFetch("http://worker.example/", { method: "POST", headers, body: "{}" });
      const statuses: string[] = [];
      for (const response of [await send(), await send()])
        statuses.push(
          `${response.status} ${response.headers.get("Leasehold-Status")} ${typeof (await response.text())}`,
        );
      if (!/^200 processed.*,20\d duplicate/.test(statuses.join()))
        throw new Error(`the Worker answered ${statuses.join()}`);
    } finally {
      await miniflare.dispose();
    }
  },
};

const deno: Example = {
  dependencies: { leasehold: "latest" },
  manifest: { type: "module" },
  write(project) {
    cpSync(join(ROOT, "workers/deno-script.ts"), join(project, "script.ts"));
    writeFileSync(join(project, "deno.json"), '{ "nodeModulesDir": "manual" }');
  },
  async drive(_project, { run }) {
    const source = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
    await once(source, "listening");
    try {
      const { port } = source.address() as AddressInfo;
      const args = ["script.ts", `http://127.0.0.1:${port}/`, `${process.pid}-${Date.now()}`];
      const program = join(ROOT, "node_modules/.bin/deno");
      const start = () => run(program, "run", "--no-prompt", "--allow-net", "--allow-env", ...args);
      const lines = [await start(), await start()];
      if (!/: ran /.test(lines[0] ?? "") || !/: skipped: already ran/.test(lines[1] ?? ""))
        throw new Error(`the script printed ${lines.join()}`);
    } finally {
      source.close();
    }
  },
};

const hosts: Example = {
  dependencies: {
    leasehold: "latest",
    "leasehold-agents": "latest",
    "leasehold-nest": "latest",
    "@nestjs/common": "12.5.1",
    "@nestjs/core": "12.5.1",
    "reflect-metadata": "0.2.2",
    rxjs: "7.8.2",
  },
  manifest: { type: "module" },
  write: (project) => cpSync(join(OWN, "hosts"), project, { recursive: true }),
  drive: async (_project, { run }) => void (await run(process.execPath, "drive.mjs")),
};

export const EXAMPLES: Readonly<Record<string, Example>> = { express: expressApi, jest, next, worker, deno, hosts };
export const VARIABLES = { CRON_SECRET, CI: "1", NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
