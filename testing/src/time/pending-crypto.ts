/** The functions of Web Crypto that other threads carry out, and that locks and handlers of webhooks use. */
const METHODS = ["digest", "sign", "verify", "importKey", "encrypt", "decrypt", "deriveBits", "deriveKey"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

let pending = 0;
/** The functions that are counted, so that none is counted twice. */
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
 * Counts the calls of Web Crypto that are under way, from now on. A clock that stands still must not go on before their
 * results have arrived, and nothing else shows that they are awaited: other threads finish them in any order, and on a
 * busy machine late.
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

/** Whether a call of Web Crypto is under way. */
export const isCryptoPending = (): boolean => pending > 0;
