import { Inject } from "@nestjs/common";
import { inCall, misuse, refuseUnstarted } from "leasehold/internal";
import { RUNTIME, type Runtime } from "./runtime.ts";

/** A method of any arguments. */
export type Method = (...args: never[]) => unknown;

/** The data of a method when it is decorated. */
export interface Decorated {
  /** The decorator and the method in the user's words: `@WithLock("invoice:{id}") on Invoices.charge`. */
  readonly place: string;
  /** `Invoices.charge` */
  readonly name: string;
  /** The original method, without leasehold's decorators. */
  readonly written: Method;
  /** Finds the final method of the class, with the metadata of all its decorators. */
  final(): Method;
}

/** What a decorator does with a method. */
export interface Behaviour {
  /** Checks that need the application, before Nest uses an instance. @throws TypeError or RangeError. */
  check(runtime: Runtime): void;
  /** Runs one call, and `work`, which is the method, at most once. */
  call(runtime: Runtime, args: readonly unknown[], work: () => unknown): Promise<unknown>;
}

/** The property that Nest injects into each instance of a class with decorated methods. */
const INJECTED = Symbol("the connection of LeaseholdModule.forRoot()");

type Prototype = object & { [INJECTED]?: Runtime };

/** The checks of each class's own methods. */
const checks = new WeakMap<object, ((runtime: Runtime) => void)[]>();
/** The original methods inside the decorated ones. */
const written = new WeakMap<Method, Method>();

/** Runs the checks of a class and of its base classes. */
function checkAll(instance: object, runtime: Runtime): void {
  for (let prototype: unknown = instance; prototype; prototype = Object.getPrototypeOf(prototype))
    for (const check of checks.get(prototype) ?? []) check(runtime);
}

/** Makes Nest inject the runtime into the instances of a class, of any scope, as soon as they are made. */
function injectInto(prototype: Prototype): void {
  if (INJECTED in prototype) return;
  Inject(RUNTIME)(prototype, INJECTED);
  Object.defineProperty(prototype, INJECTED, {
    set(this: object, runtime: Runtime) {
      checkAll(this, runtime);
      // Not enumerable, so that a printed instance does not show it.
      Object.defineProperty(this, INJECTED, { value: runtime });
    },
    get: () => undefined,
  });
}

/** Makes a method look like another one, for decorators above and below it. */
function imitate(wrapper: Method, original: Method): void {
  for (const key of Reflect.getMetadataKeys(original))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), wrapper);
  for (const key of ["name", "length"] as const)
    Object.defineProperty(wrapper, key, { value: original[key], configurable: true });
}

/**
 * Adds the name of the decorator and method to an error message.
 *
 * @throws what `check` throws, a TypeError or RangeError that names the decorator and the method.
 */
export function inPlace<T>(place: string, check: () => T): T {
  try {
    return inCall(place, check);
  } catch (error) {
    const type = error instanceof RangeError ? RangeError : TypeError;
    if (!(error instanceof type) || error.message.startsWith(place)) throw error;
    throw new type(`${place}: ${error.message}`);
  }
}

/** The runtime of an instance. @throws TypeError for an instance that Nest did not make. */
function runtimeOf(instance: Prototype | undefined, place: string): Runtime {
  const runtime = instance?.[INJECTED];
  if (runtime) return runtime;
  const cause = instance ? "this instance was not made by Nest" : "the method was called without its instance";
  throw new TypeError(`${place}: ${cause}, so there is no connection`);
}

/**
 * Makes a decorator of a method; `call` is the decorator as the user wrote it.
 *
 * @throws TypeError or RangeError, when the class is defined, for an error that `behave` finds.
 */
export function decorateMethod(
  call: string,
  behave: (decorated: Decorated) => Behaviour,
): (target: object, key: string | symbol, descriptor: PropertyDescriptor) => void {
  return (target, key, descriptor) => {
    const standard: unknown = key;
    if (typeof standard === "object")
      throw new TypeError(`${call}: set "experimentalDecorators" in tsconfig.json, as Nest needs it`);
    const name = `${typeof target === "function" ? target.name : target.constructor.name}.${String(key)}`;
    const place = `${call} on ${name}`;
    const method: unknown = (descriptor as PropertyDescriptor | undefined)?.value;
    inCall(place, () => {
      if (typeof method !== "function") throw misuse(TypeError, "it decorates methods only");
      if (typeof target === "function") throw misuse(TypeError, "it needs an instance: the method is static");
    });
    const original = method as Method;
    const behaviour = inPlace(place, () =>
      behave({
        place,
        name,
        written: written.get(original) ?? original,
        final: () => Reflect.get(target, key),
      }),
    );
    async function decorated(this: Prototype | undefined, ...args: unknown[]): Promise<unknown> {
      const runtime = runtimeOf(this, place);
      const work = async (): Promise<unknown> => refuseUnstarted(await original.apply(this, args as never[]), place);
      return runtime.track(name, behaviour.call(runtime, args, work));
    }
    imitate(decorated, original);
    written.set(decorated, written.get(original) ?? original);
    injectInto(target);
    const own = checks.get(target) ?? [];
    checks.set(target, [...own, (runtime) => inPlace(place, () => behaviour.check(runtime))]);
    descriptor.value = decorated;
  };
}
