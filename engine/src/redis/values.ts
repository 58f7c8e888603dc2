import { List } from "./list.ts";
import { createSortedSet, type SortedSet } from "./sorted-set.ts";

/** The values that a key can have, by type. */
export interface Values {
  readonly string: string;
  readonly list: List;
  readonly hash: Map<string, string>;
  readonly set: Set<string>;
  readonly zset: SortedSet;
}
export type Type = keyof Values;

/** A value with its type and expiry. */
export interface Stored {
  readonly type: Type;
  value: Values[Type];
  /** In ms since 1970; undefined for a key without a TTL. */
  expiresAt: number | undefined;
}

/** The value of a member: a score, a hash's field, `null` in a set. */
export type MemberValue = string | number | null;

/** A key as a store keeps it. */
export interface StoredKey {
  readonly key: string;
  readonly type: Type;
  /** A string, or a list as JSON; empty for the other types. */
  readonly text: string;
  /** In ms since 1970; undefined for a key without a TTL. */
  readonly expiresAt: number | undefined;
  /** Of a hash, a set and a sorted set. */
  readonly members: Iterable<readonly [member: string, value: MemberValue]>;
}

/** The key that a value is under; it changes with a RENAME. */
export interface Owner {
  key: string;
}

/** Called with a member that was set or removed. */
export type NoteMember = (member: string) => void;

class NotedMap extends Map<string, string> {
  readonly #note: NoteMember;
  constructor(note: NoteMember) {
    super();
    this.#note = note;
  }
  override set(field: string, value: string): this {
    this.#note(field);
    return super.set(field, value);
  }
  override delete(field: string): boolean {
    this.#note(field);
    return super.delete(field);
  }
}

class NotedSet extends Set<string> {
  readonly #note: NoteMember;
  constructor(note: NoteMember) {
    super();
    this.#note = note;
  }
  override add(member: string): this {
    this.#note(member);
    return super.add(member);
  }
  override delete(member: string): boolean {
    this.#note(member);
    return super.delete(member);
  }
}

/** An empty value. @param note records changed members of a hash, a set or a sorted set */
export function emptyOf(type: Exclude<Type, "string">, note: NoteMember | undefined): Exclude<Values[Type], string> {
  switch (type) {
    case "list":
      return new List();
    case "hash":
      return note ? new NotedMap(note) : new Map();
    case "set":
      return note ? new NotedSet(note) : new Set();
    case "zset":
      return createSortedSet(note);
  }
}

export const sizeOf = (value: Exclude<Values[Type], string>): number =>
  value instanceof List ? value.length : value.size;

/** Restores a stored value into an empty one. */
export function fill(value: Exclude<Values[Type], string>, text: string, members: StoredKey["members"]): void {
  if (value instanceof List) value.replace(JSON.parse(text) as string[]);
  else if (value instanceof Map) for (const [field, held] of members) value.set(field, held as string);
  else if (value instanceof Set) for (const [member] of members) value.add(member);
  else for (const [member, score] of members) value.set(member, score as number);
}

/** The string or list in the form of a store. */
export function textOf(value: Values[Type]): string {
  if (typeof value === "string") return value;
  return value instanceof List ? JSON.stringify(value.slice()) : "";
}

/** The members of a value that has members. */
export function membersOf(value: Values[Type]): readonly string[] {
  if (typeof value === "string" || value instanceof List) return [];
  return "all" in value ? value.all.map(({ member }) => member) : [...value.keys()];
}

/** The value of a member, undefined if there is no such member. */
export function memberOf(value: Values[Type], member: string): MemberValue | undefined {
  if (value instanceof Map) return value.get(member);
  if (value instanceof Set) return value.has(member) ? null : undefined;
  return typeof value === "object" && "all" in value ? value.score(member) : undefined;
}
