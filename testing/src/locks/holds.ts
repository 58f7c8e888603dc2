import type { Engine, Reply } from "leasehold-engine";
import { toBytes, toText } from "leasehold-engine/rest";
import {
  type HoldKind,
  isDone,
  keyOf,
  type LockRecord,
  type Note,
  nameIn,
  newBody,
  noteIn,
  readNote,
  readRecord,
  writeRecord,
} from "./record.ts";

/** A hold. */
export interface Held extends Note {
  readonly name: string;
  /** `lock`, `fair`, `rw`, `once`, `semaphore`, as in leasehold's record. */
  readonly kind: string;
  /** The fencing token of the tenure. */
  readonly token: number;
  /** When the tenure began and when the hold ends, in ms since 1970 by the server's clock. */
  readonly since: number;
  readonly until: number;
}

/** How a holder loses its hold: it expired, it was released by force, or the server has forgotten the name. */
export type Loss = "expired" | "forced" | "flushed";

export interface Holds {
  take(name: string, kind: HoldKind, leaseMs: number, label: string | undefined): { token: number; release(): boolean };
  lose(name: string, how: Loss): void;
  list(): Held[];
}

const RETENTION_MS = 60_000;
/** How long a `once` remembers its attempts. */
const ONCE_MS = 86_400_000;
/** The maximum score of holds in a crowd. */
const LAST_HOLD = "4e15";

/** The records of leasehold in an engine, accessed without a client. */
interface Store {
  readonly engine: Engine;
  readonly prefix: string;
  run(...words: (string | number)[]): Reply;
  /** The server's clock in µs. */
  micros(): number;
}

function read({ run }: Store, key: string): LockRecord | undefined {
  const raw = run("GET", key);
  return typeof raw === "string" ? readRecord(toText(raw)) : undefined;
}

function write({ run, micros }: Store, key: string, record: LockRecord): void {
  const ttl = Math.ceil(Math.max(record.til - micros(), record.last - micros(), 0) / 1000) + RETENTION_MS;
  run("SET", key, writeRecord(record), "PX", ttl);
}

/** The members of the crowd with a live hold, with their ends in µs. */
function crowdOf({ run, micros }: Store, key: string): [member: string, until: number][] {
  const list = run("ZRANGEBYSCORE", `${key}%crowd`, micros() + 1, LAST_HOLD, "WITHSCORES");
  const words = Array.isArray(list) ? (list as string[]) : [];
  return words.flatMap((word, at) => (at % 2 === 0 ? [[word, Number(words[at + 1])] as [string, number]] : []));
}

const isAlive = ({ micros }: Store, { until }: { readonly until: number }): boolean => until > micros();

function closed({ micros }: Store, record: LockRecord, outcome: "R" | "F", ids: readonly string[]): LockRecord {
  const due = Math.ceil((micros() + RETENTION_MS * 1000) / 1e6);
  const over = ids.map((id) => `;${due}:${id.slice(24, 36)}${outcome}`).join("");
  const holds = record.holds.filter(({ id }) => !ids.includes(id));
  const til = Math.max(micros(), ...holds.map(({ until }) => until));
  // Failed attempts are remembered; a release by force makes the name forget them.
  if (record.kind === "once" && outcome === "R") return { ...record, closed: record.closed + over, holds };
  return { ...record, closed: record.closed + over, holds, til };
}

const holdsIn = (store: Store, key: string, record: LockRecord): number =>
  record.holds.filter((hold) => isAlive(store, hold)).length + crowdOf(store, key).length;

/** Ends all holds of a record. */
function end(store: Store, key: string, record: LockRecord, how: Loss): void {
  const { run, micros } = store;
  if (how === "flushed") {
    run("DEL", key, `${key}%crowd`);
    return;
  }
  // Half a µs marks a hold that was released by force.
  const over = micros() - (how === "forced" ? 0.5 : 0);
  for (const [member] of crowdOf(store, key)) run("ZADD", `${key}%crowd`, over, member);
  if (how === "expired") {
    const holds = record.holds.map((hold) => ({ ...hold, until: Math.min(hold.until, micros()) }));
    write(store, key, { ...record, holds, til: record.kind === "once" ? record.til : micros() });
  } else {
    const ids = record.holds.map(({ id }) => id);
    write(store, key, { ...closed(store, record, "F", ids), last: Math.max(record.last + 1, micros()) });
  }
}

/** The keys of a name, which may be in several groups. */
const keysOf = ({ engine, prefix }: Store, name: string): string[] =>
  [...engine.keys.keys()]
    .filter(({ type }) => type === "string")
    .flatMap(({ key }) => {
      const text = toText(key);
      return nameIn(text, prefix) === name ? [text] : [];
    });

/** Makes another client hold a name. */
function take(
  store: Store,
  name: string,
  kind: HoldKind,
  leaseMs: number,
  label: string | undefined,
): ReturnType<Holds["take"]> {
  const { prefix, run, micros } = store;
  const key = keyOf(prefix, name);
  const before = read(store, key);
  if (run("EXISTS", key) === 1 && !before) throw new Error(`"${name}" is in use as something else`);
  if (before && holdsIn(store, key, before) > 0) throw new Error(`"${name}" is held already`);
  const token = Math.max((before?.last ?? 0) + 1, micros());
  const id = crypto.randomUUID();
  const until = micros() + leaseMs * 1000;
  const remembered = before && before.til > micros() ? before.body : "";
  if (kind === "once" && isDone(remembered)) throw new Error(`"${name}" is done already`);
  const body = newBody(kind, label, token, remembered);
  const til = kind === "once" ? Math.max(until, micros() + ONCE_MS * 1000) : until;
  write(store, key, { kind, last: token, til, closed: before?.closed ?? "", holds: [{ id, until }], body });
  return {
    token,
    release() {
      const record = read(store, key);
      if (!record?.holds.some((hold) => hold.id === id && isAlive(store, hold))) return false;
      write(store, key, closed(store, record, "R", [id]));
      return true;
    },
  };
}

/** Makes the holder of a name lose it. */
function lose(store: Store, name: string, how: Loss): void {
  const held = keysOf(store, name).flatMap((key) => {
    const record = read(store, key);
    return record && holdsIn(store, key, record) > 0 ? [{ key, record }] : [];
  });
  if (held.length === 0) throw new Error(`nobody holds "${name}"`);
  for (const { key, record } of held) end(store, key, record, how);
}

/** Lists the live holds. */
function list(store: Store): Held[] {
  const { engine, prefix, run } = store;
  const held: Held[] = [];
  for (const { key, type } of engine.keys.keys()) {
    const name = nameIn(toText(key), prefix);
    const record = type === "string" && name !== undefined ? read(store, toText(key)) : undefined;
    if (name === undefined || !record) continue;
    const { kind, last } = record;
    const add = (until: number, token: number, note: Note): void => {
      held.push({
        name,
        kind,
        token,
        since: Math.floor(token / 1000),
        until: Math.floor(until / 1000),
        ...note,
      });
    };
    for (const hold of record.holds.filter((hold) => isAlive(store, hold))) add(hold.until, last, noteIn(record));
    for (const [member, until] of crowdOf(store, toText(key))) {
      // A semaphore remembers the token of each hold in a score.
      const score = kind === "semaphore" ? run("ZSCORE", `${toText(key)}%crowd`, `t${member.slice(0, 36)}`) : null;
      const note = readNote(/@(.*)$/.exec(member)?.[1]);
      add(until, typeof score === "string" ? Number(score) / 1024 : last, note);
    }
  }
  return held;
}

/** Reads and changes the records of leasehold in an engine, without a client. */
export function createHolds(engine: Engine, prefix: string, now: () => number): Holds {
  const store: Store = {
    engine,
    prefix,
    run: (...words) => engine.run(words.map((word) => toBytes(String(word)))),
    micros: () => Math.round(now() * 1000),
  };
  return {
    take: (name, kind, leaseMs, label) => take(store, name, kind, leaseMs, label),
    lose: (name, how) => lose(store, name, how),
    list: () => list(store),
  };
}
