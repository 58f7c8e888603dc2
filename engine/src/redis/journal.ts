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
  /** Whether everything that was kept under the key before is void. */
  readonly isReplaced: boolean;
  /** The present key; undefined if it is gone, or where only members changed. */
  readonly head: Head | undefined;
  /** Members with their values; undefined for one that is gone. */
  readonly members: readonly (readonly [member: string, value: MemberValue | undefined])[];
}

/** The changes since the last time that they were taken. */
export interface Changes {
  /** Whether everything that was kept before is void. */
  readonly isCleared: boolean;
  readonly keys: readonly KeyChange[];
}

/**
 * Notes which keys and members change, so that a store need write no others. It notes their names only: what they are
 * is read when the changes are taken.
 */
export interface Journal {
  /** Whether there is anything to take. */
  readonly isEmpty: boolean;
  /** A key was made, or removed. */
  replaced(key: string): void;
  /** The string, the list or the TTL of a key changed. */
  head(key: string): void;
  /** A member was set or removed. */
  member(key: string, member: string): void;
  /** All keys were removed. */
  cleared(): void;
  /** Returns the changes and forgets them. */
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
