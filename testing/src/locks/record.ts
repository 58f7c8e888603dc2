/**
 * The record of a name in leasehold's format: `kind 1 last til closed holds body`, times in µs. The format is part of
 * the protocol that releases of leasehold share.
 */
export interface LockRecord {
  readonly kind: string;
  /** The last token. */
  readonly last: number;
  /** The time until which the name belongs to this kind. */
  readonly til: number;
  readonly closed: string;
  readonly holds: readonly { readonly id: string; readonly until: number }[];
  readonly body: string;
}

const RECORD = /^([a-z]+) 1 (\d+) (\d+) (\S*) (\S*) ([\s\S]*)$/;

/** Reads a record; undefined for any other text. */
export function readRecord(raw: string): LockRecord | undefined {
  const [, kind, last, til, closed = "", holds = "", body = ""] = RECORD.exec(raw) ?? [];
  if (kind === undefined) return undefined;
  const listed = [...holds.matchAll(/([^:,]+):(\d+)/g)];
  return {
    kind,
    last: Number(last),
    til: Number(til),
    closed,
    holds: listed.map(([, id = "", until]) => ({ id, until: Number(until) })),
    body,
  };
}

export function writeRecord({ kind, last, til, closed, holds, body }: LockRecord): string {
  const listed = holds.map(({ id, until }) => `${id}:${until},`).join("");
  return `${kind} 1 ${last} ${til} ${closed} ${listed} ${body}`;
}

/** A prefix, then `{`, a name and `}`; for a group, the name follows. */
export const keyOf = (prefix: string, name: string): string =>
  `${prefix}{${name.replace(/[{}%]/g, encodeURIComponent)}}`;

/** The name in a key of a record, its crowd or its fence; undefined for another key. */
export function nameIn(key: string, prefix: string): string | undefined {
  const [, own, grouped] =
    /^\{([^{}]*)\}(?:\/([^%]*(?:%[\dA-F]{2}[^%]*)*))?(?:%crowd|%fence)?$/.exec(key.slice(prefix.length)) ?? [];
  const name = grouped ?? own;
  return !key.startsWith(prefix) || name === undefined ? undefined : name.replace(/%(7B|7D|25)/g, decodeURIComponent);
}

/** The label and the holder of a hold, for people. */
export interface Note {
  readonly label: string | undefined;
  readonly holder: string | undefined;
}

/** Parses a note: `label`, `label@holder`, `@holder`. */
export function readNote(note = ""): Note {
  const [label, holder] = note.split("@").map(decodeURIComponent);
  return { label: label || undefined, holder: holder || undefined };
}

/** The note in the body of a kind with notes. */
export function noteIn({ kind, body }: LockRecord): Note {
  const places: Readonly<Record<string, number>> = { lock: 1, fair: 1, rw: 2, once: 3 };
  return readNote(body.split(" ")[places[kind] ?? -1]);
}

/** Whether the body of a `once` contains a result. */
export const isDone = (body: string): boolean => /^\d+ \S* \S/.test(body);

/** The body of a `once` after one more attempt; its fingerprint is kept. */
function nextAttempt(before: string): string {
  const [, attempts = "0", fingerprint = ""] = /^(\d+) (\S*) /.exec(before) ?? [];
  return `${Number(attempts) + 1} ${fingerprint}  `;
}

const BODIES: Readonly<Record<string, (label: string, token: number, before: string) => string>> = {
  lock: (label) => ` ${label} 0 0`,
  fair: (label) => ` ${label} 0 0`,
  rw: (label, token) => `0  ${label} ${token} 0 `,
  once: (_label, _token, before) => nextAttempt(before),
};

/** The kinds whose holds are in the record; for others, holds are beside it. */
export type HoldKind = "lock" | "fair" | "rw" | "once";

/** The body of a new tenure with one hold, a writer's or an attempt's. `before` is the previous body. */
export function newBody(kind: HoldKind, label: string | undefined, token: number, before: string): string {
  const body = BODIES[kind];
  if (!body) throw new TypeError(`kind must be one of ${Object.keys(BODIES).join(", ")}`);
  return body(label === undefined ? "" : encodeURIComponent(label), token, before);
}
