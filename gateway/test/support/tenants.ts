import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "./client.ts";
import { start, urlIn } from "./process.ts";

/** The gateway as a process with a small heap, in front of a database for each of several tenants. */
export interface Tenants {
  readonly url: string;
  /** Whether the process is still running. */
  readonly isAlive: boolean;
  stop(): Promise<void>;
}

/** The tokens of a database called `name`. */
export const fullToken = (name: string): string => `full-token-of-${name}`;
export const readOnlyToken = (name: string): string => `read-only-token-of-${name}`;

/** @param servers the URLs of the databases, by name; `memory` for a Redis in memory */
export async function startTenants(servers: Readonly<Record<string, string>>): Promise<Tenants> {
  const folder = mkdtempSync(join(tmpdir(), "tenants-"));
  const file = join(folder, "gateway.json");
  const databases = Object.entries(servers).map(([name, redis]) => ({
    name,
    ...(redis === "memory" ? { memory: true } : { redis }),
    token: fullToken(name),
    readOnlyToken: readOnlyToken(name),
  }));
  // One request may use the whole share of its token, so that the shares are what is tested.
  const settings = { port: 0, timeoutMs: 60_000, maxReplyBytes: 256 * 1024 * 1024, databases };
  writeFileSync(file, JSON.stringify(settings));
  const { child, firstLine, ended } = start(["--config", file], { NODE_OPTIONS: "--max-old-space-size=400" });
  const url = urlIn(await firstLine);
  return {
    url,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

export interface Outcome {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly bytes: number;
}

interface Question {
  readonly token: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

const KEPT_BYTES = 300;

/** Sends one request. Of a large answer only the beginning is kept, so that reading it costs this process little. */
export function ask(url: string, { token, body, headers, agent }: Question): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(agent === undefined ? {} : { agent }),
    };
    const asked = request(url, options, (response) => {
      let text = "";
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < KEPT_BYTES) text += chunk.toString("latin1", 0, KEPT_BYTES);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, bytes }));
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

/** The answers of a neighbour, who asks all the time. */
export interface Neighbour {
  /** The longest time that it has waited for an answer, in ms. */
  readonly worstMs: number;
  /** The answers that were not 200, and the errors. */
  readonly failures: readonly string[];
  /** Ends it with its last answer. */
  stop(): Promise<void>;
}

function startNeighbour(url: string, token: string): Neighbour {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let worstMs = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const since = performance.now();
      try {
        const { status, text } = await ask(url, { token, body: ["GET", "mine"], agent });
        if (status !== 200) failures.push(`${status} ${text}`);
      } catch (error) {
        failures.push(String(error));
      }
      worstMs = Math.max(worstMs, performance.now() - since);
      await pause(2);
    }
  })();
  return {
    get worstMs() {
      return worstMs;
    },
    failures,
    async stop() {
      isOver = true;
      await asking;
      agent.destroy();
    },
  };
}

/** The longest wait of a neighbour meanwhile, in ms. */
export async function waitDuring(url: string, token: string, work: () => Promise<unknown>): Promise<Neighbour> {
  const neighbour = startNeighbour(url, token);
  try {
    await work();
  } finally {
    await neighbour.stop();
  }
  return neighbour;
}
