import { toText } from "./checks.ts";

/** The texts of a hold for people: its label, and the process that has it. */
export interface Note {
  readonly label?: string;
  /** The process, where its connection has a `holder`. */
  readonly holder?: string;
}

/**
 * Encodes a label, or with `@` before it the process of a connection. Joined they are a note, `label`, `label@holder`
 * or `@holder`, in which no character separates the fields of a record or an id.
 */
export const toNote = (text: string | undefined, what: string, before = "", most?: number): string =>
  text === undefined ? "" : before + encodeURIComponent(toText(text, what, 1, most));

/** The end of an id with a note. */
export const suffixOf = (note: string): string => note && `@${note}`;

/** Reads a note; a field that was not given is missing. */
export function noteOf(note = ""): Note {
  const [label, holder] = note.split("@").map(decodeURIComponent);
  return { ...(label && { label }), ...(holder && { holder }) };
}
