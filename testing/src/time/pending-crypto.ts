/** The functions of Web Crypto that run on other threads, and that locks and webhook handlers use. */
const METHODS = ["digest", "sign", "verify", "importKey", "encrypt", "decrypt", "deriveBits", "deriveKey"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

let pending = 0;
/** The wrapped functions, so that none is wrapped twice. */
const counted = new WeakSet<object>();

function counting(subtle: SubtleCrypto, method: Method): Method {
  const count: Method = (...args) => {
    pending++;
    return method.apply(subtle, args).finally(() => {
      pending--;
    });
  };
  counted.add(count);
  return count;
}

/**
 * Counts the active calls of Web Crypto from now on. A manual clock must not advance before their results have arrived,
 * and nothing else shows that they are awaited: other threads finish them in any order, and late on a busy machine.
 */
export function countCrypto(): void {
  const { subtle } = crypto;
  for (const name of METHODS) {
    const method = subtle[name] as Method;
    if (counted.has(method)) continue;
    Object.defineProperty(subtle, name, {
      value: counting(subtle, method),
      configurable: true,
      writable: true,
    });
  }
}

/** Whether a call of Web Crypto is active. */
export const isCryptoPending = (): boolean => pending > 0;
