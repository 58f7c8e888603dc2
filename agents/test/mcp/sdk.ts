import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** What a client gets for a call. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
  readonly meta: object;
}

/** How a client calls a tool. */
export interface CallOptions {
  /** The `_meta.idempotencyKey` of the call. */
  readonly key?: unknown;
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

/** A client of one of the SDKs, connected to a server of the same or the other one. */
export interface ToolClient extends AsyncDisposable {
  call(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
}

/** Whose tools a server has. */
export interface ToolsOptions {
  readonly url: string;
  readonly token: string;
  /** Separates the tools of a test from those of others. */
  readonly name: string;
  /** The scope of all calls. Default: the SDK's client ID. */
  readonly scope?: string | undefined;
}

export interface HttpTools extends AsyncDisposable {
  readonly url: string;
}

/** One of the SDKs: its servers and its clients. */
export interface Sdk {
  readonly title: string;
  /** Serves the tools over HTTP. The header `X-Client` is the ID of an authenticated client. */
  serve(options: ToolsOptions): Promise<HttpTools>;
  /** Connects a client over HTTP. It answers every question of a server with yes. */
  connect(url: string, clientId?: string): Promise<ToolClient>;
  /** Starts a program that serves the tools over stdio, and connects a client. */
  start(program: readonly string[]): Promise<ToolClient>;
}

/** The arguments of Node that serve the tools of an SDK over stdio. */
export const stdioProgram = (sdk: "v1" | "v2", { url, token, name, scope = "" }: ToolsOptions): readonly string[] => [
  "--no-warnings",
  fileURLToPath(new URL("./stdio.ts", import.meta.url)),
  ...[sdk, url, token, name, scope],
];

/** The authenticated client of a request, as an authorization server's middleware would have it. */
export function authOf(clientId: string | null | undefined) {
  return clientId ? { token: "secret", clientId, scopes: [] } : undefined;
}

/** Serves HTTP on a free port of this machine. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<HttpTools> {
  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

/** Counts the runs of each tool, and says how many there were. */
export function runCounter() {
  const runs = new Map<string, number>();
  return (tool: string): string => {
    const run = (runs.get(tool) ?? 0) + 1;
    runs.set(tool, run);
    return `${tool}: run ${run}`;
  };
}

export const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** The question that the tool `confirm` asks, and the schema of its answer. */
export const QUESTION = "Delete all?";
export const ANSWER = { type: "object" as const, properties: { yes: { type: "boolean" as const } }, required: ["yes"] };

/** Reads the parts of a result that both SDKs' clients return. */
export function answerOf(result: {
  readonly content?: unknown;
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
  readonly _meta?: object | undefined;
}): ToolAnswer {
  const [first] = (result.content ?? []) as { text?: string }[];
  return {
    text: first?.text ?? "",
    isError: result.isError === true,
    structured: result.structuredContent,
    meta: result._meta ?? {},
  };
}
