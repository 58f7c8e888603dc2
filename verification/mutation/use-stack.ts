/** Replaces a private Redis with a gateway: a simulated server on a network without faults. */
import { createHost, type Host } from "../sim/host.ts";
import { createNetwork, type Network } from "../sim/network.ts";
import { createServer, type Server } from "../sim/server.ts";
import { createWorld, type World } from "../sim/world.ts";

interface Stage {
  readonly world: World;
  readonly host: Host;
  readonly network: Network<object>;
  readonly texts: ReadonlyMap<string, string>;
}

function createStage(): Stage {
  const { MUTANT_LUA: lua, MUTANT_SEED: seed = "1" } = process.env;
  const world = createWorld(`tests ${seed}`);
  return {
    world,
    host: createHost({
      world,
      name: "tests",
      traits: { offsetMs: 0, drift: 0, freezes: 0 },
      random: world.random("host"),
      onLeak: () => {},
      patienceMs: Number.POSITIVE_INFINITY,
    }),
    network: createNetwork({
      world,
      random: world.random,
      faults: 0,
      spared: new Set(),
      observe: () => {},
      onSend: () => {},
    }),
    texts: new Map(Object.entries(lua ? (JSON.parse(lua) as Record<string, string>) : {})),
  };
}
export const stage: Stage = createStage();

/** The `fetch` functions of servers and proxies, by address. */
export const reached: Map<string, (url: string, init: RequestInit) => Promise<Response>> = new Map();
const elsewhere = globalThis.fetch;
/** Reaches the simulated servers by their addresses. */
globalThis.fetch = ((url: string, init: RequestInit = {}) => {
  const found = reached.get(new URL(url).origin);
  return found ? found(url, init) : elsewhere(url, init);
}) as typeof fetch;

let count = 0;
/** Only the parts of a stack that need no process. */
export const useStack: typeof newStack = newStack;
export const startStack = async (): Promise<ReturnType<typeof newStack>> => newStack();

function newStack() {
  const { world, host, network, texts } = stage;
  const name = `s${++count}`;
  const server: Server = createServer({ world, name, random: world.random(`server ${count}`), offsetMs: 0, texts });
  const url = `https://${server.name}.invalid`;
  const send = network.fetchOf(host, () => server, "client", server.name);
  const { signal } = new AbortController();
  const fetch = (to: string, init: RequestInit): Promise<Response> =>
    send(to as never, { ...init, signal: init.signal ?? signal } as never);
  reached.set(url, fetch);
  return {
    url,
    token: "secret-of-the-stack",
    stop: async (): Promise<void> => {},
    fetch,
    redis: {
      async command(...words: readonly string[]): Promise<string> {
        const { body } = server.perform([words], false, undefined, () => {});
        return respOf((JSON.parse(body) as { result?: unknown; error?: string }) ?? {});
      },
    },
  };
}

/** A reply in the Redis protocol. */
function respOf({ result, error }: { result?: unknown; error?: string }): string {
  const encode = (value: unknown): string => {
    if (value === null) return "$-1\r\n";
    if (typeof value === "number") return `:${value}\r\n`;
    if (Array.isArray(value)) return `*${value.length}\r\n${value.map(encode).join("")}`;
    return value === "OK" ? "+OK\r\n" : `$${String(value).length}\r\n${value}\r\n`;
  };
  return error === undefined ? encode(result) : `-${error}\r\n`;
}

export { freshName, pause } from "../../test/support/names.ts";
