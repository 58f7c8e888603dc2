import { checkTokens, type RestToken } from "./access.ts";
import { checkMembers } from "./members.ts";
import type { LeaseholdNamespace, Placement } from "./namespace.ts";
import type { RestOptions } from "./rest.ts";

/** The bindings, variables and secrets of the ready Worker. */
export interface WorkerEnvironment {
  readonly LEASEHOLD: LeaseholdNamespace;
  /** The token of clients that may lock. At least 16 characters. */
  readonly LEASEHOLD_TOKEN?: string;
  /** A token that may only read. */
  readonly LEASEHOLD_READ_TOKEN?: string;
  /** Tokens of tenants as JSON: `[{ "token": "…", "tenant": "acme", "readOnly": false }, …]`. */
  readonly LEASEHOLD_TENANTS?: string;
  /** The jurisdiction of the objects, such as `eu`: `jurisdiction` of {@link Placement}. */
  readonly LEASEHOLD_JURISDICTION?: string;
  /** The location of new objects, such as `weur`: `locationHint` of {@link Placement}. */
  readonly LEASEHOLD_LOCATION_HINT?: string;
}

const PREFIX = "LEASEHOLD_";
const VARIABLES = [
  ...["LEASEHOLD_TOKEN", "LEASEHOLD_READ_TOKEN", "LEASEHOLD_TENANTS"],
  ...["LEASEHOLD_JURISDICTION", "LEASEHOLD_LOCATION_HINT"],
] as const;
type Variable = (typeof VARIABLES)[number];

/** The value of a variable; undefined if it is not set. @throws TypeError for an empty one */
function textOf(env: WorkerEnvironment, name: Variable): string | undefined {
  const value: unknown = env[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new TypeError(`${name} must be a text`);
  if (value === "") throw new TypeError(`${name} is empty: set it, or remove it`);
  return value;
}

/** A token with its name in errors. */
interface Named {
  readonly where: string;
  readonly token: RestToken;
}

/** @throws TypeError that repeats nothing of the text, since it may be a token */
function tenantsOf(text: string): Named[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new TypeError("LEASEHOLD_TENANTS is not JSON");
  }
  if (!Array.isArray(list)) throw new TypeError("LEASEHOLD_TENANTS must be a list: [{ token, tenant, readOnly }, …]");
  const named = list.map((token: RestToken, at) => ({ where: `LEASEHOLD_TENANTS[${at}]`, token }));
  checkTokens(
    named.map(({ token }) => token),
    named.map(({ where }) => where),
  );
  const alone = named.find(({ token }) => token.tenant === undefined);
  if (alone) throw new TypeError(`${alone.where}: the tenant is missing`);
  return named;
}

/**
 * Reads the configuration of the ready Worker.
 *
 * @throws TypeError that names the variable, and its member, that cannot be used: a misspelt one never counts as absent
 */
export function readEnvironment(env: WorkerEnvironment): RestOptions {
  const own = Object.fromEntries(Object.keys(env).flatMap((key) => (key.startsWith(PREFIX) ? [[key, true]] : [])));
  checkMembers(own, VARIABLES, "the Worker's variables");
  const [token, readToken, tenants] = [
    textOf(env, "LEASEHOLD_TOKEN"),
    textOf(env, "LEASEHOLD_READ_TOKEN"),
    textOf(env, "LEASEHOLD_TENANTS"),
  ];
  const named: Named[] = [
    ...(tenants === undefined ? [] : tenantsOf(tenants)),
    ...(token === undefined ? [] : [{ where: "LEASEHOLD_TOKEN", token: { token } }]),
    ...(readToken === undefined
      ? []
      : [{ where: "LEASEHOLD_READ_TOKEN", token: { token: readToken, readOnly: true } }]),
  ];
  if (named.length === 0) throw new TypeError("no token is set: npx wrangler secret put LEASEHOLD_TOKEN");
  const tokens = named.map((each) => each.token);
  checkTokens(
    tokens,
    named.map(({ where }) => where),
  );
  const placement: Placement = {
    jurisdiction: textOf(env, "LEASEHOLD_JURISDICTION"),
    locationHint: textOf(env, "LEASEHOLD_LOCATION_HINT"),
  };
  return { namespace: env.LEASEHOLD, tokens, ...placement };
}
