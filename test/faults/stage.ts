/** The world of a fault story as any runtime can have it: nothing of Node's. */
import { expect } from "vitest";
import {
  type ConnectionSettings,
  type ConnectOptions,
  createLocks,
  type LeaseholdEvent,
  type Locks,
} from "../../src/index.ts";
import type { FaultProxy } from "../support/book.ts";
import { freshName } from "../support/names.ts";
import type { Stack } from "../support/stack.ts";

/** Time limit of one attempt of the client under test. */
export const TIMEOUT_MS = 2500;
export const LEASE_MS = 30_000;

/** Hold ids; what kinds add to them is no secret. */
const ID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;

/**
 * One name, a client whose requests pass the proxy, and one that goes straight to the gateway and sees how it really
 * is.
 */
export interface World extends AsyncDisposable {
  readonly stack: Stack;
  readonly proxy: FaultProxy;
  readonly name: string;
  readonly ours: Locks;
  readonly theirs: Locks;
  /** Those of our client. */
  readonly events: LeaseholdEvent[];
  /** Another client of ours over the same proxy. */
  client(settings?: ConnectionSettings): Locks;
  /** Fails when a token was given that is not larger than all before; `same` allows for the last one. */
  saw(token: number, same?: "same"): void;
  /** Fails when a text, or anything as the console would show it, holds a hold id or the API token. */
  keepsSecrets(shown: unknown): void;
}

export interface StageOptions {
  readonly stack: Stack;
  readonly proxy: FaultProxy;
  /** The client under test, behind the proxy. */
  clientOf(): ConnectOptions;
  /** The client that goes straight to the server. */
  readonly direct: ConnectOptions;
  readonly timeoutMs?: number | undefined;
  /** Shows a value with all that is in it. */
  show(value: unknown): string;
}

export function createWorld({ stack, proxy, clientOf, direct, timeoutMs = TIMEOUT_MS, show }: StageOptions): World {
  const events: LeaseholdEvent[] = [];
  let last = 0;

  const client = (settings: ConnectionSettings = {}): Locks => {
    const all = {
      requestTimeout: timeoutMs,
      lease: LEASE_MS,
      onEvent: (event: LeaseholdEvent) => events.push(event),
      ...settings,
    };
    return createLocks({ ...clientOf(), ...all });
  };

  return {
    stack,
    proxy,
    name: freshName("fault"),
    events,
    client,
    ours: client(),
    theirs: createLocks({ ...direct, lease: LEASE_MS }),
    saw(given, same) {
      if (same) expect(given).toBeGreaterThanOrEqual(last);
      else expect(given).toBeGreaterThan(last);
      last = given;
    },
    keepsSecrets(shown) {
      const text = typeof shown === "string" ? shown : show(shown);
      const ids = proxy.seen.flatMap(({ args }) => args.flatMap((arg) => ID_PATTERN.exec(arg)?.[0] ?? []));
      for (const secret of new Set([...ids, stack.token, "another-token"])) expect(text).not.toContain(secret);
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}
