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

/** The jurisdictions and locations that Cloudflare documents. */
const JURISDICTIONS: readonly string[] = ["eu", "us", "fedramp", "fedramp-high"];
const LOCATIONS: readonly string[] = [
  ...["wnam", "enam", "sam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc", "afr", "me"],
];

/**
 * The location of objects. Every client of a name must use the same jurisdiction: another one has other objects, and so
 * another holder.
 */
export interface Placement {
  /**
   * Keeps the objects in a jurisdiction: `"eu"`, `"us"`, `"fedramp"` or `"fedramp-high"`. They are separate from the
   * objects of other jurisdictions, and from those of none. Default: none.
   */
  readonly jurisdiction?: string | undefined;
  /**
   * The location of new objects: `"wnam"`, `"enam"`, `"sam"`, `"weur"`, `"eeur"`, `"apac"`, `"apac-ne"`, `"apac-se"`,
   * `"oc"`, `"afr"` or `"me"`. Later calls do not move an object. Default: near the first caller.
   */
  readonly locationHint?: string | undefined;
}

function checkOneOf(what: string, value: unknown, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value as string))
    throw new TypeError(`${what} must be ${known.slice(0, -1).join(", ")} or ${known.at(-1)}`);
}

/** The objects in a jurisdiction. @throws TypeError if the binding cannot choose them */
function inJurisdiction(namespace: LeaseholdNamespace, jurisdiction: string): LeaseholdNamespace {
  const cannot = `the jurisdiction "${jurisdiction}" cannot be used here`;
  if (typeof namespace.jurisdiction !== "function")
    throw new TypeError(`${cannot}: the binding has no method "jurisdiction"`);
  try {
    return namespace.jurisdiction(jurisdiction as never);
  } catch (error) {
    // As in workerd on one machine, which has no jurisdictions.
    throw new TypeError(`${cannot}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/**
 * Makes a function that finds objects by name. Each call makes a new stub, since a failed one may stay broken.
 *
 * @throws TypeError for a value that is not a binding, and for a placement that is unknown or cannot be honoured
 */
export function findObjects(
  namespace: LeaseholdNamespace,
  { jurisdiction, locationHint }: Placement = {},
): (name: string) => LeaseholdStub {
  if (typeof Object(namespace).idFromName !== "function")
    throw new TypeError("the binding of a Durable Object is missing: env.LEASEHOLD");
  checkOneOf("jurisdiction", jurisdiction, JURISDICTIONS);
  checkOneOf("locationHint", locationHint, LOCATIONS);
  const objects = jurisdiction === undefined ? namespace : inJurisdiction(namespace, jurisdiction);
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
