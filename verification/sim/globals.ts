import { createHash, createHmac } from "node:crypto";
import type { Random } from "./random.ts";
import { currentContext } from "./world.ts";

const real = { crypto: globalThis.crypto, setTimeout, clearTimeout, now: Date.now, performanceNow: performance.now };

const hashOf = (algorithm: string): string => algorithm.replace("-", "").toLowerCase();
const bufferOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
interface Key {
  readonly secret: Uint8Array;
}

/** WebCrypto without other threads, so that the order of its results is fixed, and with ids from the seed. */
const cryptoOf = (random: Random): object => ({
  randomUUID: () => {
    const hex = (digits: number): string =>
      Math.floor(random() * 16 ** digits)
        .toString(16)
        .padStart(digits, "0");
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(8)}${hex(4)}`;
  },
  getRandomValues: (bytes: Uint8Array) => bytes.map(() => random.below(256)),
  subtle: {
    digest: async (algorithm: string, data: Uint8Array) =>
      bufferOf(createHash(hashOf(algorithm)).update(data).digest()),
    importKey: async (_: string, secret: Uint8Array): Promise<Key> => ({ secret }),
    sign: async (_: string, key: Key, data: Uint8Array) =>
      bufferOf(createHmac("sha256", key.secret).update(data).digest()),
    verify: async (_: string, key: Key, signature: Uint8Array, data: Uint8Array) =>
      createHmac("sha256", key.secret).update(data).digest().equals(new Uint8Array(signature)),
  },
});

const setCrypto = (value: object): void =>
  void Object.defineProperty(globalThis, "crypto", { value, configurable: true, writable: true });

/**
 * Replaces the globals that read time or randomness. Code outside of the simulation is unaffected. Returns a function
 * that restores them.
 */
export function takeGlobals(random: Random): () => void {
  setCrypto(cryptoOf(random));
  Date.now = () => currentContext()?.host.wall() ?? real.now();
  performance.now = () => currentContext()?.host.monotonic() ?? real.performanceNow.call(performance);
  globalThis.setTimeout = ((callback: () => void, ms = 0, ...args: unknown[]) =>
    currentContext()?.host.setTimeout(callback, ms) ?? real.setTimeout(callback, ms, ...args)) as never;
  globalThis.clearTimeout = ((timer: never) => {
    const host = currentContext()?.host;
    if (host) host.clearTimeout(timer);
    else real.clearTimeout(timer);
  }) as never;
  return () => {
    setCrypto(real.crypto);
    Date.now = real.now;
    performance.now = real.performanceNow;
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
  };
}
