/** Clients of the protocol's own SDK, for `leasehold mcp` in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Env } from "../../../tools/run-command.ts";
import { PROGRAM } from "../command/support.ts";

/** What a tool answered. */
interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Agent extends AsyncDisposable {
  readonly client: Client;
  call(tool: string, args: object, signal?: AbortSignal): Promise<Answer>;
}

/** The revisions of the protocol that a client opens with: that of 2026, or those of 2025. */
export type Era = "modern" | "legacy";

async function connected(transport: Transport, era: Era): Promise<Agent> {
  const client = new Client(
    { name: "agent", version: "1.0.0" },
    era === "modern" ? { versionNegotiation: { mode: "auto" } } : {},
  );
  await client.connect(transport);
  return {
    client,
    async call(name, args, signal) {
      const result = await client.callTool({ name, arguments: { ...args } }, { ...(signal && { signal }) });
      const [{ text } = { text: "" }] = result.content as { text: string }[];
      const data = (result.structuredContent ?? {}) as Answer["data"];
      return { text, isError: result.isError ?? false, data, meta: result._meta ?? {} };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const environment = (env: Env): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  // Compiled once, not at each start.
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  ...env,
});

/** Starts `leasehold mcp` as a host does, and connects to it. */
export function overStdio(
  args: readonly string[],
  env: Env,
  era: Era = "modern",
  line = PROGRAM,
  cwd = process.cwd(),
): Promise<Agent> {
  const [command = "", ...rest] = line;
  const transport = new StdioClientTransport({
    ...{ command, args: [...rest, "mcp", ...args] },
    ...{ env: environment(env), cwd, stderr: "inherit" as const },
  });
  return connected(transport, era);
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  /** Undefined where the environment names one. */
  readonly token: string | undefined;
  readonly child: ChildProcess;
}

/** Starts `leasehold mcp --http`. */
export async function startHttp(args: readonly string[], env: Env): Promise<HttpServer> {
  const [command = "", ...rest] = PROGRAM;
  const child = spawn(command, [...rest, "mcp", "--http", "--json", ...args], {
    env: environment(env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token?: string };
  return {
    ...{ url, token, child },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}

export const overHttp = (url: string, token: string, era: Era = "modern"): Promise<Agent> =>
  connected(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    era,
  );
