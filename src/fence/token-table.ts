/**
 * The table `leasehold_fence`, which may have been made by hand: its statements refuse a stale token by themselves, and
 * do not rely on its types, constraints or triggers.
 */

import { type Fenced, StaleTokenError } from "./rule.ts";
import type { TableDialect } from "./sql-dialect.ts";

/** The text in the database's error if the table has a token that is not lower or equal, before that token. */
export const HAS = "leasehold_fence has ";
/** The text in the database's error if the token is not in the table after the write. */
export const KEPT = "leasehold_fence kept ";

/** Why the guard failed: the token in the table, or that the written one is not in it. */
type Refusal = { readonly seen: number } | { readonly unreadable: string } | "not kept";

/** Finds the refusal in an error of the database, which some drivers wrap. */
function refusalIn(error: unknown, depth = 0): Refusal | undefined {
  const { message, cause } = (error ?? {}) as { readonly message?: unknown; readonly cause?: unknown };
  const text = `${message}`;
  // A wrapper may quote the statement, and its parameters with it.
  const [, what, token] = /INSERT INTO leasehold_fence/.test(text)
    ? []
    : (/leasehold_fence (has|kept) (\d+|NULL)?/.exec(text) ?? []);
  if (what === "kept") return "not kept";
  if (what === "has") return Number(token) > 0 ? { seen: Number(token) } : { unreadable: token ?? "no number" };
  return cause !== undefined && depth < 10 ? refusalIn(cause, depth + 1) : undefined;
}

/** The error for a token in the table that cannot be compared. */
export const unreadable = ({ name }: Fenced, token: string): TypeError =>
  new TypeError(
    `fence: leasehold_fence has ${token} as the token of "${name}", so it is unknown whether a write is stale: setup() reports what is wrong with the table`,
  );

/** The error for a token that the table rounds, changes, skips or keeps under another name. */
export const notKept = ({ name, token }: Fenced): TypeError =>
  new TypeError(
    `fence: leasehold_fence did not keep the token ${token} of "${name}", so nothing was written: setup() reports what is wrong with the table, unless the statement or a trigger changes it`,
  );

/** Translates an error of the guard; any other error is returned unchanged. */
export function translated(error: unknown, lease: Fenced): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  if (refusal === "not kept") return notKept(lease);
  if ("unreadable" in refusal) return unreadable(lease, refusal.unreadable);
  // Text is never compared, even if it looks like a number.
  if (refusal.seen <= lease.token) return unreadable(lease, "text");
  return new StaleTokenError(lease, refusal.seen);
}

/** The definition of the table, as read from the database's catalog. */
export interface Definition {
  /** The schemas of the search path, or the attached databases, that have one. */
  readonly places: string;
  readonly count: number;
  /** `table`, `view`, or another kind. */
  readonly kind: string;
  /** How the rows are lost: `temporary`, `unlogged`, or an `engine` without transactions; otherwise null. */
  readonly loss: string | null;
  /** Declared types; null if the column is missing. */
  readonly name_type: string | null;
  readonly token_type: string | null;
  readonly token_nullable: unknown;
  /** The number of unique indexes on `name` alone. */
  readonly keys: number;
  /** A collation under which different names can be equal; otherwise null. */
  readonly collation: string | null;
  readonly triggers: string | null;
  readonly rules: string | null;
}

/** The right types, and their name in messages. */
const TYPES: Readonly<
  Record<TableDialect, { readonly name: RegExp; readonly token: RegExp; readonly integer: string }>
> = {
  // SQLite derives its affinity from such parts of a type.
  sqlite: { name: /^(?!.*int).*(char|clob|text)/i, token: /int/i, integer: "INTEGER" },
  postgres: { name: /^(text|character varying)$/, token: /^bigint$/, integer: "BIGINT" },
  mysql: { name: /^varbinary/, token: /^bigint(?!.*unsigned)/, integer: "BIGINT" },
};

const several = (what: string, names: string): string => `${what}${names.includes(", ") ? "s" : ""} ${names}`;

/** What is wrong with a table, in words that follow "leasehold_fence". */
export function problemsOf(definition: Definition, dialect: TableDialect): readonly string[] {
  const { kind, loss, collation, triggers, rules, name_type: name, token_type: token } = definition;
  const types = TYPES[dialect];
  if (kind !== "table") return [`is a ${kind}, not a table`];
  const problems: string[] = [];
  if (Number(definition.count) > 1)
    problems.push(`exists in several schemas (${definition.places}), so that writers may use different ones`);
  if (loss === "temporary") problems.push("is temporary, so each connection has its own");
  if (loss === "unlogged") problems.push("is unlogged, so a crash of the server empties it");
  if (loss === "engine") problems.push("has an engine without transactions");
  if (name === null) problems.push("has no column name");
  else if (!types.name.test(name))
    problems.push(
      `has the wrong type: name must be ${dialect === "mysql" ? "VARBINARY" : "TEXT"}, not ${name || "untyped"}`,
    );
  if (token === null) problems.push("has no column token that can be written");
  else {
    if (!types.token.test(token))
      problems.push(`has the wrong type: token must be ${types.integer}, not ${token || "untyped"}`);
    if (Number(definition.token_nullable)) problems.push("lacks a NOT NULL: token may be NULL");
  }
  if (Number(definition.keys) === 0) problems.push("has no PRIMARY KEY or unique index on name alone");
  if (collation !== null) problems.push(`has the collation ${collation}, under which different names are equal`);
  if (triggers !== null) problems.push(`has the ${several("trigger", triggers)}, which may change or skip its rows`);
  if (rules !== null) problems.push(`has the ${several("rule", rules)}, which may change its statements`);
  return problems;
}

/** The statements of one dialect on the table. */
export interface TableSql {
  /** Creates the table. */
  readonly schema: string;
  /** Reads the {@link Definition}; no row if there is no table. */
  readonly definition: string;
}
