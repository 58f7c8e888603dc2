import type { Statement, TableDialect } from "./sql-dialect.ts";

/**
 * Text whose words, parentheses and semicolons are not SQL: strings, quoted names, comments up to the end of the line.
 */
const QUOTED: Readonly<Record<TableDialect, RegExp>> = {
  mysql: /'(?:\\[\s\S]|''|[^'\\])*'|"(?:\\[\s\S]|""|[^"\\])*"|`[^`]*`|(?:--(?=\s)|#)[^\n]*/y,
  sqlite: /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*/y,
  postgres: /(?<![\w$])e'(?:\\[\s\S]|''|[^'\\])*'|'[^']*'|"[^"]*"|--[^\n]*|(?<![\w$])\$([a-z_]\w*)?\$[\s\S]*?\$\1\$/iy,
};

/**
 * Returns the end of the comment that begins at `start`. Postgres nests comments; in SQLite, the end of the text also
 * ends one.
 */
function commentEnd(sql: string, start: number, dialect: TableDialect): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const two = sql.slice(at, at + 2);
    if (two === "/*" && (depth === 0 || dialect === "postgres")) depth++;
    else if (two === "*/") depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

/**
 * Replaces comments with spaces, and strings and quoted names with a quoted word, so that only SQL is left, each
 * character at its position.
 */
export function bareSql(sql: string, dialect: TableDialect): string {
  const quoted = QUOTED[dialect];
  let bare = "";
  while (bare.length < sql.length) {
    const at = bare.length;
    quoted.lastIndex = at;
    const [text = ""] = quoted.exec(sql) ?? [];
    if (sql.startsWith("/*", at)) bare = bare.padEnd(commentEnd(sql, at, dialect));
    else if (/^(--|#)/.test(text)) bare = bare.padEnd(at + text.length);
    else if (text) bare += `"${"q".repeat(Math.max(text.length - 2, 0))}"`;
    else bare += sql[at];
  }
  return bare;
}

/**
 * Replaces the content of parentheses with spaces, from the inside out: only the words of the statement itself are
 * left.
 */
function withoutGroups(bare: string): string {
  const inner = /\([^()]*\)/g;
  let outer = bare;
  while (inner.test(outer)) outer = outer.replace(inner, (group) => `[${" ".repeat(group.length - 2)}]`);
  return outer;
}

/** The beginning of a WITH, and one of its queries, whose parentheses are empty brackets. */
const WITH = /^\s*with\s(?:\s*recursive\s)?/i;
const QUERY =
  /^\s*[^\s[\],]+\s*(?:\[ *\]\s*)?\bas\s*(?:(?:not\s+)?materialized\s*)?\[ *\]\s*(?:search\s[^[\]]*?\sset\s+\w+\s*)?(?:cycle\s[^[\]]*?\susing\s+\w+\s*)?(,?)/i;

/** Returns the statement itself, after the queries of its WITH; empty if the queries cannot be read. */
function mainStatement(outer: string): string {
  const begin = WITH.exec(outer);
  if (!begin) return outer;
  let rest = outer.slice(begin[0].length);
  for (;;) {
    const [query, comma] = QUERY.exec(rest) ?? [];
    if (query === undefined) return "";
    rest = rest.slice(query.length);
    if (!comma) return rest;
  }
}

/**
 * Checks that there is one statement, and that it writes. After a WITH, the main statement must write: the rows of a
 * SELECT would count as changed.
 *
 * @throws TypeError for any other statement.
 */
export function toStatement(
  sql: string,
  params: readonly unknown[],
  dialect: TableDialect,
  call = "fence.write",
  usage = "write(lease, sql, params)",
): Statement {
  if (typeof sql !== "string" || !Array.isArray(params))
    throw new TypeError(`${call}: sql must be a string, and params a list: ${usage}`);
  const bare = bareSql(sql, dialect);
  const start = bare.search(/\S/);
  const end = bare.replace(/[\s;]+$/, "").length;
  const outer = withoutGroups(bare.slice(Math.max(start, 0), end));
  // Some drivers silently run only the first of several statements.
  if (outer.includes(";")) throw new TypeError(`${call}: sql must be one statement, and has several`);
  if (!/^\s*(insert|update|delete|replace|merge)\b/i.test(mainStatement(outer)))
    throw new TypeError(`${call}: sql must be one INSERT, UPDATE or DELETE`);
  return { sql: sql.slice(start, end), params };
}
