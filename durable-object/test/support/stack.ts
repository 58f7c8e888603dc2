import { toBytes } from "../../../engine/src/rest/bytes.ts";
import { scripts } from "../../../test/support/scripts.ts";
import type { Stack } from "../../../test/support/stack.ts";
import { startReadyWorker } from "./workerd.ts";

const TOKEN = "test-token-0123456789";
/** Scripts are the isolate's, so that any object knows them for all. */
const ANY = "any object";

/** The part of an object's binding that a test calls from outside of workerd. */
interface Objects {
  idFromName(name: string): unknown;
  get(id: unknown): { run(commands: string[][]): Promise<{ readonly answers: readonly string[] }> };
}

const unable = (what: string) => (): never => {
  throw new Error(`objects have no ${what}`);
};

/** A reply as the protocol of Redis writes it. */
function respOf({ result, error }: { readonly result?: unknown; readonly error?: string }): string {
  const encode = (value: unknown): string => {
    if (value === null || value === undefined) return "$-1\r\n";
    if (typeof value === "number") return `:${value}\r\n`;
    if (Array.isArray(value)) return `*${value.length}\r\n${value.map(encode).join("")}`;
    return value === "OK" ? "+OK\r\n" : `$${String(value).length}\r\n${value}\r\n`;
  };
  return error === undefined ? encode(result) : `-${error}\r\n`;
}

/**
 * The ready Worker and its objects in workerd as a stack of tests: `stack.redis.command` asks the object that a command
 * belongs to, and `SCRIPT` concerns all. What only a Redis process has is refused.
 */
export async function startObjectStack({ warm = false }: { readonly warm?: boolean } = {}): Promise<Stack> {
  const worker = await startReadyWorker({ LEASEHOLD_TOKEN: TOKEN });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const objects = (await worker.mf.getDurableObjectNamespace("LEASEHOLD")) as unknown as Objects;
  const ask = async (words: readonly string[]): Promise<string> => {
    const { answers } = await objects.get(objects.idFromName(ANY)).run([words.map(toBytes)]);
    return respOf(JSON.parse(answers[0] ?? "{}"));
  };
  async function command(...words: string[]): Promise<string> {
    if (/^script$/i.test(words[0] ?? "")) return ask(words);
    const response = await fetch(worker.url, { method: "POST", headers, body: JSON.stringify(words) });
    return respOf((await response.json()) as object);
  }
  if (warm) for (const { lua } of Object.values(scripts)) await command("SCRIPT", "LOAD", lua);
  return {
    url: worker.url,
    token: TOKEN,
    fetch: globalThis.fetch,
    holds: true,
    stop: worker.stop,
    commandsOf: unable("commandstats"),
    commandCalls: unable("commandstats"),
    redis: {
      port: 0,
      url: "",
      pid: 0,
      command,
      commands: unable("connections"),
      restart: unable("process"),
      kill: unable("process"),
      start: unable("process"),
      freeze: unable("process"),
      thaw: unable("process"),
      stop: worker.stop,
    },
  };
}
