import { type MemberValue, memberOf, membersOf, type Stored, type Type, textOf } from "./values.ts";

/** A key without its members. */
export interface Head {
  readonly type: Type;
  /** A string, or a list as JSON; empty for the other types. */
  readonly text: string;
  /** In ms since 1970; undefined for a key without a TTL. */
  readonly expiresAt: number | undefined;
}

/** The changes under one key. */
export interface KeyChange {
  readonly key: string;
  /** Whether all earlier data under the key is void. */
  readonly isReplaced: boolean;
  /** The current key; undefined if it was removed, or if only members changed. */
  readonly head: Head | undefined;
  /** Members with their values; undefined for a removed one. */
  readonly members: readonly (readonly [member: string, value: MemberValue | undefined])[];
}

/** The changes since they were last taken. */
export interface Changes {
  /** Whether all earlier data is void. */
  readonly isCleared: boolean;
  readonly keys: readonly KeyChange[];
}

/**
 * Records which keys and members change, so that a store writes only these. It records only their names; their values
 * are read when the changes are taken.
 */
export interface Journal {
  /** Whether there are changes to take. */
  readonly isEmpty: boolean;
  /** A key was created or removed. */
  replaced(key: string): void;
  /** The string, the list or the TTL of a key changed. */
  head(key: string): void;
  /** A member was set or removed. */
  member(key: string, member: string): void;
  /** All keys were removed. */
  cleared(): void;
  /** Returns the changes and clears them. */
  take(keys: { peek(key: string): Stored | undefined }): Changes;
}

interface Note {
  isReplaced: boolean;
  hasHead: boolean;
  readonly members: Set<string>;
}

function changeOf(key: string, { isReplaced, hasHead, members: noted }: Note, entry: Stored | undefined): KeyChange {
  if (!entry) return { key, isReplaced: true, head: undefined, members: [] };
  const { type, value, expiresAt } = entry;
  const names = isReplaced ? membersOf(value) : [...noted];
  return {
    key,
    isReplaced,
    head: isReplaced || hasHead ? { type, text: textOf(value), expiresAt } : undefined,
    members: names.map((member) => [member, memberOf(value, member)] as const),
  };
}

export function createJournal(): Journal {
  let isCleared = false;
  let notes = new Map<string, Note>();
  const noteOf = (key: string): Note => {
    const known = notes.get(key);
    if (known) return known;
    const made: Note = { isReplaced: false, hasHead: false, members: new Set() };
    notes.set(key, made);
    return made;
  };
  return {
    get isEmpty() {
      return !isCleared && notes.size === 0;
    },
    replaced(key) {
      noteOf(key).isReplaced = true;
    },
    head(key) {
      noteOf(key).hasHead = true;
    },
    member(key, member) {
      noteOf(key).members.add(member);
    },
    cleared() {
      isCleared = true;
      notes.clear();
    },
    take(keys) {
      const changes = { isCleared, keys: [...notes].map(([key, note]) => changeOf(key, note, keys.peek(key))) };
      isCleared = false;
      notes = new Map();
      return changes;
    },
  };
}
