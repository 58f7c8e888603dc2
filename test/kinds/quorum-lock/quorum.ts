import { type Connection, type ConnectionSettings, connect, type Lease } from "../../../src/index.ts";
import { type FaultProxy, startProxy } from "../../support/proxy.ts";
import { pause, type Stack, type StackOptions, startStack } from "../../support/stack.ts";

/** A server of a quorum: keeps its data on disk when it is killed. */
export const DURABLE: StackOptions = { args: ["--appendonly", "yes", "--appendfsync", "always"] };

/** Independent servers, each behind a gateway of its own. */
export interface Quorum {
  readonly stacks: readonly Stack[];
  /** New connections to all of them, as another client would have. */
  connections(settings?: Settings): Connection[];
  stop(): Promise<void>;
}

export type Settings = ConnectionSettings & {
  /** One `fetch` for each server. */
  readonly fetches?: readonly (typeof fetch)[];
  /** Instead of the gateways' own. */
  readonly urls?: readonly string[];
};

export async function startQuorum(size: number, options?: StackOptions): Promise<Quorum> {
  const stacks = await Promise.all(Array.from({ length: size }, () => startStack(options)));
  return {
    stacks,
    connections: ({ fetches, urls, ...settings } = {}) =>
      stacks.map(({ url, token }, index) =>
        connect({ url: urls?.[index] ?? url, token, ...settings, fetch: fetches?.[index] }),
      ),
    stop: async () => {
      for (const { redis } of stacks) redis.thaw();
      await Promise.all(stacks.map((stack) => stack.stop()));
    },
  };
}

/** The same behind proxies, which do to each server's requests what they are told. */
export interface ProxiedQuorum {
  readonly proxies: readonly FaultProxy[];
  connections(settings?: Settings): Connection[];
  close(): Promise<void>;
}

export async function startProxies(quorum: Quorum): Promise<ProxiedQuorum> {
  const proxies = await Promise.all(quorum.stacks.map(({ url }) => startProxy(url)));
  return {
    proxies,
    connections: (settings = {}) => quorum.connections({ ...settings, urls: proxies.map(({ url }) => url) }),
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

/** A `fetch` for each server that takes so many ms each way; the one that is `down` cannot be reached. */
export const travelling = (ms: readonly number[], down?: number): (typeof fetch)[] =>
  ms.map((delay, index) => async (input, init) => {
    await pause(delay);
    if (index === down) throw new Error("unreachable");
    const response = await fetch(input, init);
    await pause(delay);
    return response;
  });

/** The holder, as told by the holders themselves, and the tokens in the order in which they were given. */
export interface Register {
  readonly tokens: number[];
  /** How often somebody held it while another one did. */
  readonly overlaps: number;
  /** Writes that a resource refused, because it had seen a larger token. */
  readonly refused: number;
  /** Works and writes under a lease. */
  hold(lease: Lease, work: () => Promise<unknown>): Promise<void>;
  /** Tokens that were not larger than the one before. */
  falls(): number[];
}

export function entered(): Register {
  const tokens: number[] = [];
  let holders = 0;
  let fence = 0;
  const register = {
    tokens,
    overlaps: 0,
    refused: 0,
    async hold({ token }: Lease, work: () => Promise<unknown>) {
      if (holders++ > 0) register.overlaps++;
      tokens.push(token);
      await work();
      if (token < fence) register.refused++;
      fence = Math.max(fence, token);
      holders--;
    },
    falls: () => tokens.filter((token, index) => index > 0 && token <= (tokens[index - 1] ?? 0)),
  };
  return register;
}
