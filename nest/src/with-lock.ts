import type { RunOptions } from "leasehold";
import { checkOptions, kindOf, shown, toLimits } from "leasehold/internal";
import { runWith } from "./current.ts";
import { decorateMethod, inPlace } from "./decorated-method.ts";
import { toNaming } from "./name-template.ts";

/** Options of {@link WithLock}: those of `run` that are the same for every call. */
export type WithLockOptions = Pick<
  RunOptions,
  "lease" | "wait" | "label" | "maxPolls" | "backoff" | "replicas" | "keepAlive"
>;

const OPTIONS = "lease wait label maxPolls backoff replicas keepAlive ttl>lease timeout>wait attempts>maxPolls";

/** A decorator of methods that return a promise and whose first arguments are `Args`. */
export type AsyncMethodDecorator<Args extends readonly unknown[]> = <
  Method extends (...args: [...Args, ...never[]]) => Promise<unknown>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Shows the arguments of a decorator, for errors. */
export const written = (decorator: string, name: unknown): string =>
  `@${decorator}(${typeof name === "string" ? shown(name) : kindOf(name)})`;

/**
 * Runs a method under a lock. `name` is a template of the method's parameters (`"invoice:{id}"`,
 * `"invoice:{order.id}"`, or by position `"invoice:{0.id}"`), or a function of its arguments. Only text, numbers,
 * bigints and booleans can be part of a name.
 *
 * If another call holds the lock, the method waits for at most `wait`. Inside the method, {@link currentLease} returns
 * the lease. As in `run`, the lease is extended only with `keepAlive`.
 *
 * The method rejects with its own error; LockTimeoutError if the lock was held until the end of the wait;
 * LeaseLostError if the lease was lost during the method; Nest's ServiceUnavailableException if the application shuts
 * down before the lock is acquired; TypeError for arguments that make no name; otherwise like `run`.
 *
 * @throws TypeError or RangeError for a template that does not fit the method, when the class is defined, and for an
 * invalid option, when Nest makes the instance.
 */
export function WithLock<const Args extends readonly unknown[] = never[]>(
  name: string | ((...args: Args) => string),
  options: WithLockOptions = {},
): AsyncMethodDecorator<Args> {
  return decorateMethod(written("WithLock", name), ({ place, written: method }) => {
    const nameOf = toNaming(name as string, method);
    checkOptions(options, OPTIONS);
    const { keepAlive, ...lockOptions } = options;
    return {
      check({ locks }) {
        toLimits(keepAlive, undefined);
        locks.lock("name", lockOptions);
      },
      async call({ locks, signal }, args, work) {
        const lock = inPlace(place, () => locks.lock(nameOf(args), lockOptions));
        return lock.run({ signal, keepAlive }, (lease) => runWith({ lease }, work));
      },
    };
  });
}
