import { Logger } from "@nestjs/common";
import type { OnceOptions, OnceRunOptions } from "leasehold";
import { checkOptions, checkRun } from "leasehold/internal";
import { runWith } from "./current.ts";
import { decorateMethod, inPlace } from "./decorated-method.ts";
import { toNaming } from "./name-template.ts";
import { type AsyncMethodDecorator, written } from "./with-lock.ts";

/** Options of {@link RunOnce}. */
export interface RunOnceOptions
  extends Pick<OnceOptions, "lease" | "ttl">,
    Pick<OnceRunOptions, "keepAlive" | "maxPolls" | "backoff"> {
  /** How long a duplicate waits for the result of a running call, in ms or like `"10s"`; 0 tries once. Default 10 s. */
  readonly wait?: OnceRunOptions["wait"];
}

const OPTIONS = "lease ttl keepAlive maxPolls backoff wait timeout>wait attempts>maxPolls";

/**
 * Runs a method once for a key, across all instances, and returns its result to every later call with that key. `key`
 * is a template or a function, like the name of {@link WithLock}. The result must be JSON of at most 256 kB;
 * `undefined` becomes `null`. A call that throws is not remembered: the next one runs the method.
 *
 * Inside the method, {@link currentAttempt} returns the attempt, with its lease and its `commit`, which does the work
 * exactly once in one database.
 *
 * The method rejects with its own error; LockTimeoutError if another call is still running at the end of the wait;
 * LeaseLostError if another attempt has started meanwhile; otherwise like a method with `WithLock`.
 *
 * @throws like {@link WithLock}.
 */
export function RunOnce<const Args extends readonly unknown[] = never[]>(
  key: string | ((...args: Args) => string),
  options: RunOnceOptions = {},
): AsyncMethodDecorator<Args> {
  return decorateMethod(written("RunOnce", key), ({ place, written: method }) => {
    const keyOf = toNaming(key as string, method);
    checkOptions(options, OPTIONS);
    const { lease, ttl, keepAlive, maxPolls, backoff, wait = "10s" } = options;
    const onceOptions = { lease, ttl };
    return {
      check({ locks }) {
        checkRun({ wait, keepAlive, maxPolls, backoff });
        locks.once("key", onceOptions);
      },
      async call({ locks, signal }, args, work) {
        const once = inPlace(place, () => locks.once(keyOf(args), onceOptions));
        const attempt = { wait, keepAlive, maxPolls, backoff, signal };
        const ended = await once.run<unknown>(attempt, (turn) => runWith({ lease: turn.lease, attempt: turn }, work));
        if (ended.status !== "done") throw new TypeError(`${place}: the key is used with other options elsewhere`);
        if (ended.stored) return ended.result;
        if (!ended.fresh) throw new TypeError(`${place}: the first call has run, and its result could not be stored`);
        new Logger("LeaseholdModule").error(`${place}: the result cannot be stored: ${ended.error.message}`);
        return ended.result;
      },
    };
  });
}
