import { spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { build, type Platform } from "esbuild";
import { ROOT } from "../support/command.ts";
import type { Stack } from "../support/stack.ts";
import { pause } from "../support/use-stack.ts";

/** A handler that the platform is given as it is. The server is the one that the environment names. */
export const HOOK = `
  import { dedupe, github } from "./src/http/index.ts";
  import { fromEnv } from "./src/index.ts";
  const verify = (body) => body !== "forged";
  const answer = async (request, { lease, attempt }) =>
    Response.json({ attempt, leased: lease.token > 0, body: await request.text() }, { status: 201 });`;
export const MODULE = `${HOOK}
  const hook = dedupe({ locks: fromEnv(), key: github({ verify }), replay: true }, answer);`;
/** Three deliveries to a URL: what came of each. */
export const SEND = `
  async function sendAll(url, id, send = fetch) {
    const said = [];
    for (const body of ["first", "first", "forged"]) {
      const headers = { "X-GitHub-Delivery": id };
      const answer = await send(new Request(url, { method: "POST", body, headers }));
      said.push([answer.status, answer.headers.get("Leasehold-Status"), (await answer.json()).body ?? null]);
    }
    return said;
  }`;
export const EXPECTED = [
  [201, "processed", "first"],
  [201, "duplicate", "first"],
  [401, "unverified", null],
];

export const sendAll = new Function(`${SEND} return sendAll;`)() as (url: string, id: string) => Promise<unknown>;

export async function bundle(
  contents: string,
  format: "esm" | "iife" = "esm",
  platform: Platform = "browser",
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format,
    platform,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server of a framework, in a process of its own. */
export interface App {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it, with its port among the arguments or in the environment, and waits until it answers. */
export async function startApp(
  node: string,
  args: (port: number) => readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<App> {
  const port = await freePort();
  const own = { NODE_ENV: "production", HOST: "127.0.0.1", PORT: `${port}` };
  const started = spawn(node, args(port), { cwd, env: { ...process.env, ...own, ...env }, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (started.exitCode !== null) throw new Error(`${args(port).join(" ")} ended: ${started.exitCode}`);
    await pause(100);
  }
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        started.once("exit", () => resolve());
        started.kill();
      }),
  };
}

/** The server, as a process is told it. */
export const environmentOf = (
  { url, token }: Pick<Stack, "url" | "token">,
  names: "UPSTASH_REDIS_REST" | "KV_REST_API",
): Record<string, string> => ({ [`${names}_URL`]: url, [`${names}_TOKEN`]: token });
