import { toText } from "./checks.ts";

/** The texts of a hold for people: its label, and its process. */
export interface Note {
  readonly label?: string;
  /** The process, if its connection has a `holder`. */
  readonly holder?: string;
}

/**
 * Encodes a label, or the process of a connection with an `@` before it. Together they are a note, `label`,
 * `label@holder` or `@holder`, which contains no separator of records or IDs.
 */
export const toNote = (text: string | undefined, what: string, before = "", max?: number): string =>
  text === undefined ? "" : before + encodeURIComponent(toText(text, what, 1, max));

/** The suffix of an ID with a note. */
export const suffixOf = (note: string): string => note && `@${note}`;

/** Reads a note; absent fields are missing. */
export function noteOf(note = ""): Note {
  const [label, holder] = note.split("@").map(decodeURIComponent);
  return { ...(label && { label }), ...(holder && { holder }) };
}
