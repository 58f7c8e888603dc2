import type { RunOptions, RunResult } from "./handler.ts";

/** What an object offers to the Workers that are bound to it. */
export interface LeaseholdStub {
  run(commands: string[][], options?: RunOptions): Promise<RunResult>;
}

/** The part of a binding to the class that is needed: `env.LEASEHOLD`. */
export interface LeaseholdNamespace {
  idFromName(name: string): unknown;
  get(id: never, options?: never): unknown;
  jurisdiction?(name: never): LeaseholdNamespace;
}

/** Where objects are. */
export interface Placement {
  /** Keeps the objects in a jurisdiction: `"eu"`, `"fedramp"`. Its objects have nothing to do with those of others. */
  readonly jurisdiction?: string | undefined;
  /**
   * Where an object is made that nobody has used yet: `"weur"`, `"enam"`, … Default: near the first caller. Later calls
   * do not move it.
   */
  readonly locationHint?: string | undefined;
}

/**
 * Makes a function that finds objects by name. A stub is made for each call, since one that has failed may stay broken.
 *
 * @throws TypeError for what is no binding
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

/** Whether a call failed because its object has too much to do. The object did nothing, and is to be left alone. */
export const isOverload = (thrown: unknown): boolean =>
  (Object(thrown) as { readonly overloaded?: unknown }).overloaded === true;
/** For how long to leave an overloaded object alone, in ms. */
export const OVERLOADED_MS = 10_000;
