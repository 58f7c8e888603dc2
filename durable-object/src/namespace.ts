import type { RunOptions, RunResult } from "./handler.ts";

/** The methods of an object for the Workers that are bound to it. */
export interface LeaseholdStub {
  run(commands: string[][], options?: RunOptions): Promise<RunResult>;
}

/** The used part of a binding to the class: `env.LEASEHOLD`. */
export interface LeaseholdNamespace {
  idFromName(name: string): unknown;
  get(id: never, options?: never): unknown;
  jurisdiction?(name: never): LeaseholdNamespace;
}

/** The location of objects. */
export interface Placement {
  /**
   * Keeps the objects in a jurisdiction: `"eu"`, `"fedramp"`. They are separate from the objects of other
   * jurisdictions.
   */
  readonly jurisdiction?: string | undefined;
  /**
   * The location of new objects: `"weur"`, `"enam"`, … Later calls do not move an object. Default: near the first
   * caller.
   */
  readonly locationHint?: string | undefined;
}

/**
 * Makes a function that finds objects by name. Each call makes a new stub, since a failed one may stay broken.
 *
 * @throws TypeError for a value that is not a binding
 */
export function findObjects(
  namespace: LeaseholdNamespace,
  { jurisdiction, locationHint }: Placement = {},
): (name: string) => LeaseholdStub {
  if (typeof Object(namespace).idFromName !== "function")
    throw new TypeError("the binding of a Durable Object is missing: env.LEASEHOLD");
  const objects =
    jurisdiction === undefined ? namespace : (namespace.jurisdiction?.(jurisdiction as never) ?? namespace);
  const options = locationHint === undefined ? undefined : { locationHint };
  return (name) => objects.get(objects.idFromName(name) as never, options as never) as LeaseholdStub;
}

/**
 * Whether a call failed because its object is overloaded. The object did nothing, and must not be called again soon.
 */
export const isOverload = (thrown: unknown): boolean =>
  (Object(thrown) as { readonly overloaded?: unknown }).overloaded === true;
/** How long not to call an overloaded object, in ms. */
export const OVERLOADED_MS = 10_000;
