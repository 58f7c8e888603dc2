import type { Listed } from "../../../src/list/index.ts";
import type { History, Seen, Tenure } from "./wire.ts";

/** How long an ended tenure is shown, and how many are kept per name. */
const KEPT_MS = 15 * 60_000;
const MAX_TENURES = 200;
const MAX_CHANGES = 500;
/** Kinds with several holders at a time: the token of the record is not the token of each. */
const SHARED = /^(read|rw|semaphore)$/;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** An observed name. */
export interface Observed {
  readonly history: History;
  /** Applies the state read at a time; undefined for a name that no longer exists. */
  note(entry: Seen | undefined, at: number): void;
  /** Applies the number of waiters, if nothing else was read. */
  noteWaiters(count: number, at: number): void;
  /** Records that the tenure of a token was released here, and those of older tokens, unless only one was. */
  noteRelease(released: Release, at: number): void;
}

/** A release from the page. */
interface Release {
  readonly token: number;
  readonly isOne?: boolean;
}

/** The holders of a name, each with a unique key. */
function presentIn(entry: Seen, at: number): Tenure[] {
  const { held, token, since, until = at, label, kind, state, holders } = entry;
  if (!held) return [];
  const fresh = { lastSeenAt: at, extendedAt: [] };
  const isShared = SHARED.test(kind === "rw" ? state : kind);
  if (!isShared) {
    const { holder, attempts: attempt } = entry;
    return [
      {
        key: `${token}`,
        token,
        since: since ?? at,
        isExact: since !== undefined,
        until,
        ...(label !== undefined && { label }),
        ...(holder !== undefined && { holder }),
        ...(attempt !== undefined && { attempt }),
        ...fresh,
      },
    ];
  }
  const seen = new Map<string, number>();
  return (holders ?? []).map((each) => {
    const identity = JSON.stringify([each.token, each.since, each.label, each.holder, each.reentryKey, each.mode]);
    const copies = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, copies);
    const { token: own, label: named, holder, mode } = each;
    return {
      key: `${identity}${copies}`,
      since: each.since ?? at,
      isExact: each.since !== undefined,
      until: each.until,
      ...(own !== undefined && { token: own }),
      ...(named !== undefined && { label: named }),
      ...(holder !== undefined && { holder }),
      ...(mode !== undefined && { mode }),
      ...fresh,
    };
  });
}

/** Adds a value to a line of changes if it differs from the last. */
function change(line: { readonly at: number; readonly count: number }[], count: number, at: number): void {
  if (line.at(-1)?.count === count || (line.length === 0 && count === 0)) return;
  line.push({ at, count });
  if (line.length > MAX_CHANGES) line.shift();
}

/** Records that a tenure is still live, perhaps extended. */
function seeAgain(tenure: Tenure, until: number, at: number): void {
  if (until > tenure.until) {
    tenure.extendedAt.push(at);
    if (tenure.extendedAt.length > MAX_CHANGES) tenure.extendedAt.shift();
  }
  tenure.until = until;
  tenure.lastSeenAt = at;
}

/** Records that a tenure had not ended after all, since a list is not a snapshot. A tenure released here has. */
function reopen(tenure: Tenure, until: number, at: number): void {
  if (tenure.ended === undefined || tenure.ended === "here") return;
  delete tenure.ended;
  delete tenure.endedAt;
  Object.assign(tenure, { until, lastSeenAt: at });
}

/** Turns repeated reads of a name into its history. */
export function observe(startedAt: number): Observed {
  const history: Mutable<History> = { tenures: [], waiters: [], startedAt };
  const releases: (Release & { readonly at: number })[] = [];
  /** The release here that ended a tenure. A reader has no token. */
  const releaseOf = ({ token, since }: Tenure) =>
    releases.find(
      (release) =>
        since <= release.at && (release.isOne ? token === release.token : (token ?? release.token) <= release.token),
    );

  function close(tenure: Tenure, entry: Listed | undefined, at: number): void {
    const release = releaseOf(tenure);
    if (release) {
      tenure.ended = "here";
      tenure.endedAt = release.at;
      return;
    }
    const isOver = tenure.until <= at;
    tenure.ended = entry?.state === "done" ? "done" : isOver ? "ranOut" : "gaveBack";
    // The next tenure narrows down when this one ended.
    const latest = entry?.held && entry.since !== undefined && entry.since > tenure.lastSeenAt ? entry.since : at;
    tenure.endedAt = isOver && tenure.ended === "ranOut" ? Math.min(tenure.until, latest) : latest;
  }

  return {
    history,
    noteRelease(released, at) {
      releases.push({ ...released, at });
      if (releases.length > MAX_TENURES) releases.shift();
      for (const tenure of history.tenures)
        if (tenure.ended === undefined && releaseOf(tenure)) close(tenure, undefined, at);
    },
    noteWaiters: (count, at) => change(history.waiters, count, at),
    note(entry, at) {
      const open = history.tenures.filter(({ ended }) => ended === undefined);
      // Without its holders, a kind with several holders says nothing about one of them.
      if (entry?.held && entry.holders === undefined && SHARED.test(entry.kind === "rw" ? entry.state : entry.kind)) {
        change(history.waiters, entry.waiters ?? 0, at);
        return;
      }
      const present = entry ? presentIn(entry, at) : [];
      for (const tenure of open) {
        const still = present.find(({ key }) => key === tenure.key);
        if (still) seeAgain(tenure, still.until, at);
        else close(tenure, entry, at);
      }
      for (const tenure of present) {
        const known = history.tenures.find(({ key }) => key === tenure.key);
        if (known) reopen(known, tenure.until, at);
        else history.tenures.push(tenure);
      }
      change(history.waiters, entry?.waiters ?? 0, at);
      const recent = history.tenures.filter(({ endedAt = at }) => endedAt > at - KEPT_MS);
      history.tenures.splice(0, history.tenures.length, ...recent.slice(-MAX_TENURES));
    },
  };
}
